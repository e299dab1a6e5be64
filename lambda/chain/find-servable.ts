import { toHost } from '../rpc-urls/rpc-host.ts'
import type { Endpoint, Outcome } from './hedge.ts'
import { isWithoutCode, type Reading } from './read-endpoint.ts'

interface Returned extends Outcome<Reading> {
  readonly value: Reading
}

interface Rules {
  /** How many endpoints must return the same rows, each at a host of its own. */
  readonly agreement: number
  readonly endpoints: readonly Endpoint[]
  /** Whether no endpoint is still being asked. */
  readonly isRoundOver: boolean
}

/**
 * Finds the readings that may be served, among the outcomes of all rounds so far (D24, D29).
 *
 * @returns the readings that agree, that of the lowest block first; none when no reading may be served
 */
export function findServable(outcomes: readonly Outcome<Reading>[], rules: Rules): readonly Returned[] {
  const returned = outcomes.filter(hasReturned)
  // 1. As many hosts as must agree have returned the same rows for every feed, at blocks near each other.
  const agreed = groupAgreed(returned, rules.agreement)
  // 2. Readings with at least one readable feed are served, and so is any reading of a list.
  const readable = agreed.find(group => !group.every(isUnreadable))
  // 3. An unreadable feed is served as such if no endpoint could read it. Where one endpoint is enough, the round must
  //    be over. A missing contract must be the result of every endpoint: a node without the chain's state has none.
  const unreadable = agreed.find(group =>
    group.every(isMissing) ? isConfirmed(returned, rules) : rules.agreement > 1 || rules.isRoundOver,
  )
  const servable = readable ?? unreadable
  return servable?.toSorted(compareBlocks) ?? []
}

/** Whether two hosts returned different rows at one block, or blocks too far apart. */
export function isDisagreement(outcomes: readonly Outcome<Reading>[]): boolean {
  const returned = outcomes.filter(hasReturned)
  return returned.some(one => returned.some(other => countHosts([one, other]) > 1 && disagree(one, other)))
}

function disagree(one: Returned, other: Returned): boolean {
  return one.value.block === other.value.block ? one.value.rows !== other.value.rows : !areNear(one, other)
}

/** Readings whose blocks are further apart do not agree. 50 blocks take 5 s at 0.1 s a block, and 50 s at 1 s a block. */
const maxBlocksApart = 50

function areNear(one: Returned, other: Returned): boolean {
  return Math.abs(compareBlocks(one, other)) <= maxBlocksApart
}

/**
 * Finds the block of the second round, where endpoints must agree. A block qualifies if `agreement` hosts returned it or
 * a block up to 50 above it. Round 2 reads the lowest that qualifies. So no single host chooses the block.
 *
 * @returns undefined for the latest block
 */
export function findPinnedBlock(outcomes: readonly Outcome<Reading>[], agreement: number): number | undefined {
  const [lowest] = agreement === 1 ? [] : groupNear(outcomes.filter(hasReturned), agreement)
  return lowest?.[0]?.value.block
}

function hasReturned(outcome: Outcome<Reading>): outcome is Returned {
  return outcome.value !== undefined
}

/** Groups the readings of the same rows. Where several must agree, their blocks are near each other. */
function groupAgreed(returned: readonly Returned[], agreement: number): readonly Returned[][] {
  const ofSameRows = [...Map.groupBy(returned, ({ value }) => value.rows).values()]
  return agreement === 1 ? ofSameRows : ofSameRows.flatMap(same => groupNear(same, agreement))
}

/**
 * Groups each reading with those at its block or up to 50 above it. Keeps the groups of enough hosts.
 *
 * @returns groups that begin with the reading of the lowest block
 */
function groupNear(readings: readonly Returned[], agreement: number): readonly Returned[][] {
  const ascending = readings.toSorted(compareBlocks)
  return ascending
    .map((lowest, index) => ascending.slice(index).filter(reading => areNear(lowest, reading)))
    .filter(group => countHosts(group) >= agreement)
}

function compareBlocks(one: Returned, other: Returned): number {
  return one.value.block - other.value.block
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

function isConfirmed(returned: readonly Returned[], { endpoints }: Rules): boolean {
  return (
    returned.every(isMissing) && endpoints.every(endpoint => returned.some(outcome => outcome.endpoint === endpoint))
  )
}
