import { toHost } from '../rpc-host.ts'
import type { Endpoint, Outcome } from './hedge.ts'
import { isWithoutCode, type Reading } from './read-endpoint.ts'

/** The outcome of an endpoint that returned a reading. */
interface Returned extends Outcome<Reading> {
  readonly value: Reading
}

/** What decides which readings may be served. */
interface Rules {
  /** How many endpoints must return the same rows, each at a host of its own. */
  readonly agreement: number
  /** Every endpoint of the network. */
  readonly endpoints: readonly Endpoint[]
  /** Whether no endpoint is still being asked. */
  readonly isRoundOver: boolean
}

/**
 * Finds the readings that may be served, among the outcomes of all rounds so far (D24, D29).
 *
 * 1. As many endpoints as the environment requires must have returned the same rows for every feed, at blocks near each
 *    other.
 * 2. Where one endpoint is enough, a reading whose only feed cannot be read is served at the end of a round, and only
 *    if no endpoint could read the feed.
 * 3. A reading whose only feed has no contract is served only if every endpoint returned such a reading: a node without
 *    the chain's state finds no contract anywhere.
 *
 * @returns the readings that agree, that of the lowest block first; none when no reading may be served
 */
export function findServable(outcomes: readonly Outcome<Reading>[], rules: Rules): readonly Returned[] {
  const returned = outcomes.filter(hasReturned)
  const agreed = groupAgreed(returned, rules.agreement)
  const servable =
    agreed.find(group => !group.every(isUnreadable)) ??
    agreed.find(group =>
      group.every(isMissing) ? isConfirmed(returned, rules) : rules.agreement > 1 || rules.isRoundOver,
    )
  return servable?.toSorted((a, b) => toBlock(a) - toBlock(b)) ?? []
}

/** Whether endpoints at several hosts returned different rows, or readings at blocks too far apart. */
export function isDisagreement(outcomes: readonly Outcome<Reading>[]): boolean {
  const returned = outcomes.filter(hasReturned)
  const hasOtherRows = new Set(returned.map(({ value }) => value.rows)).size > 1
  return countHosts(returned) > 1 && (hasOtherRows || !areNear(returned.map(toBlock)))
}

/** Readings whose blocks are further apart do not agree. 100 blocks take some 10 s. */
const maxBlocksApart = 100

function areNear(blocks: readonly number[]): boolean {
  return Math.max(...blocks) - Math.min(...blocks) <= maxBlocksApart
}

/**
 * Finds the block of the second round, where endpoints must agree: the lowest block of a reading at which, or near above
 * which, as many hosts as must agree returned a reading. So no single host chooses the block.
 *
 * @returns undefined for the latest block
 */
export function findPinnedBlock(outcomes: readonly Outcome<Reading>[], agreement: number): number | undefined {
  const [lowest] = agreement === 1 ? [] : groupNear(outcomes.filter(hasReturned), agreement)
  return lowest?.[0]?.value.block
}

/** Whether an endpoint returned a reading. */
function hasReturned(outcome: Outcome<Reading>): outcome is Returned {
  return outcome.value !== undefined
}

/** Groups the readings of the same rows. Where several must agree, their blocks are near each other. */
function groupAgreed(returned: readonly Returned[], agreement: number): readonly Returned[][] {
  const ofSameRows = [...Map.groupBy(returned, ({ value }) => value.rows).values()]
  return agreement === 1 ? ofSameRows : ofSameRows.flatMap(same => groupNear(same, agreement))
}

/**
 * Groups each reading with those at its block, or above it and near, and keeps the groups of enough hosts.
 *
 * @returns groups that begin with the reading of the lowest block
 */
function groupNear(readings: readonly Returned[], agreement: number): readonly Returned[][] {
  const ascending = readings.toSorted((a, b) => toBlock(a) - toBlock(b))
  return ascending
    .map((lowest, index) => ascending.slice(index).filter(reading => areNear([toBlock(lowest), toBlock(reading)])))
    .filter(group => countHosts(group) >= agreement)
}

function toBlock({ value }: Returned): number {
  return value.block
}

function countHosts(returned: readonly Returned[]): number {
  return new Set(returned.map(({ endpoint }) => toHost(endpoint.rpcUrl))).size
}

function isUnreadable({ value: { feeds } }: Returned): boolean {
  return feeds.length === 1 && feeds.every(feed => 'unreadable' in feed)
}

/** Whether a single feed has no contract. Of a list, that is the fault `no-state`. */
function isMissing({ value: { feeds } }: Returned): boolean {
  return feeds.every(isWithoutCode)
}

/** Whether every endpoint returned a reading, and none of them found a contract. */
function isConfirmed(returned: readonly Returned[], { endpoints }: Rules): boolean {
  return (
    returned.every(isMissing) && endpoints.every(endpoint => returned.some(outcome => outcome.endpoint === endpoint))
  )
}
