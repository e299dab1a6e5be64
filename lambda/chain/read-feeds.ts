import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type EndpointFault, mayPass } from '../faults.ts'
import type { Network } from '../networks.ts'
import { Problem } from '../problems.ts'
import { isWithin, preferenceMs, secondRoundPauseMs } from '../timing.ts'
import { findStanding, isAnswered, isDisagreement } from './find-standing.ts'
import { type Endpoint, hedge, type Outcome } from './hedge.ts'
import { type Reading, type ReadRequest, readEndpoint } from './read-call.ts'

/** What a read took. */
export interface ReadTrace {
  /** Attempts at endpoints, in both rounds. */
  readonly attempts?: number
  readonly faults: readonly EndpointFault[]
  /** The endpoint that answered, `rpc-1` to `rpc-3` in the configured order, and in which round; undefined if none did. */
  readonly endpoint?: string
  readonly round?: 1 | 2
  /** Whether the last of several endpoints answered because every other one had failed or was slow. */
  readonly lastResort?: boolean
  /** Milliseconds for the RPC URLs, and for the chain. */
  readonly ssmMs?: number
  readonly rpcMs?: number
}

/** A reading, or the problem `chain-unavailable` when none stands in time; and what the read took. */
export interface ReadResult {
  readonly reading: Reading | Problem
  readonly trace: ReadTrace
}

/** Which endpoints are asked, and for how long. */
interface ReadOptions {
  readonly rpcUrls: readonly URL[]
  /** How many endpoints must return the same (D29). */
  readonly agreement: number
  /** On the clock of `performance.now()`. */
  readonly deadline: number
}

/** In the second round of endpoints that disagreed, how far below the others one of them can move the block that is read: some 10 s. */
const maxPinnedDepth = 100

/**
 * Reads feeds at one block, as a rule with one `eth_call` at one endpoint.
 *
 * 1. Endpoints are asked in order of preference, hedged, until a reading stands.
 * 2. When none does, those whose fault may pass are asked once more after a short pause (D24). If endpoints must agree, so are those that
 *    answered, all at one block (D29).
 *
 * @example
 * const request = { network: 'mainnet', feeds: feedsOf('mainnet') }
 * const { reading, trace } = await readFeeds(request, { rpcUrls, agreement: 1, deadline: performance.now() + readMs })
 */
export async function readFeeds(request: ReadRequest, options: ReadOptions): Promise<ReadResult> {
  const { rpcUrls, agreement, deadline } = options
  const began = performance.now()
  const endpoints = inOrderOfPreference(request.network, rpcUrls)
  const find = (outcomes: readonly ReadOutcome[], pending: number) =>
    findStanding(outcomes, { agreement, endpoints, pending })
  const askRound = (asked: readonly Endpoint[], before: readonly ReadOutcome[]) => {
    const block = findPinnedBlock(before, agreement)
    return hedge(asked, {
      parallel: agreement,
      deadline,
      ask: (endpoint, signal) => readEndpoint(endpoint.rpcUrl, request, block, signal),
      isOver: outcomes => find([...before, ...outcomes], asked.length - outcomes.length).length > 0,
    })
  }

  const first = await askRound(endpoints, [])
  const again = find(first, 0).length > 0 ? [] : endpoints.filter(endpoint => isWorthAsking(endpoint, first, agreement))
  const pauseMs = randomInt(secondRoundPauseMs.min, secondRoundPauseMs.max)
  const isLast = again.length === 0 || performance.now() + pauseMs >= deadline
  const second = isLast ? [] : await sleep(pauseMs).then(() => askRound(again, first))

  const standing = find([...first, ...second], 0)
  const agreed = new Set(standing.map(({ endpoint }) => endpoint))
  prefer(request.network, endpoints, [...agreed].slice(0, agreement))
  return {
    reading: standing[0]?.value ?? new Problem('chain-unavailable'),
    trace: { ...toTrace(first, second, standing, options), rpcMs: Math.round(performance.now() - began) },
  }
}

type ReadOutcome = Outcome<Reading>

/** Whether an endpoint is asked in the second round. */
function isWorthAsking(endpoint: Endpoint, outcomes: readonly ReadOutcome[], agreement: number): boolean {
  const outcome = outcomes.find(other => other.endpoint === endpoint)
  return outcome?.fault === undefined ? agreement > 1 : mayPass(outcome.fault)
}

/**
 * Finds the block of the second round: the lowest that was read, if as many endpoints answered as must agree (D29).
 *
 * But no more than some blocks below the highest that as many reached: otherwise one endpoint could name a block so low that no other has it.
 *
 * @returns undefined for the latest block
 */
function findPinnedBlock(outcomes: readonly ReadOutcome[], agreement: number): number | undefined {
  const blocks = outcomes.filter(isAnswered).map(({ value }) => value.head.block)
  const reached = blocks.toSorted((a, b) => b - a)[agreement - 1]
  return agreement === 1 || reached === undefined ? undefined : Math.max(Math.min(...blocks), reached - maxPinnedDepth)
}

/** Per network, the endpoints that answered in place of others, and since when they are asked first. */
const preferred = new Map<Network, { readonly indexes: readonly number[]; readonly since: number }>()

function inOrderOfPreference(network: Network, rpcUrls: readonly URL[]): readonly Endpoint[] {
  const endpoints = rpcUrls.map((rpcUrl, index) => ({ rpcUrl, index }))
  const preference = preferred.get(network)
  const isPreferred = ({ index }: Endpoint): boolean =>
    preference !== undefined && isWithin(preferenceMs, preference.since) && preference.indexes.includes(index)
  return [...endpoints.filter(isPreferred), ...endpoints.filter(endpoint => !isPreferred(endpoint))]
}

/** Prefers the endpoints that answered, from now on, if one of them was not among the first. */
function prefer(network: Network, endpoints: readonly Endpoint[], answered: readonly Endpoint[]): void {
  const isUsual = answered.every(endpoint => endpoints.indexOf(endpoint) < answered.length)
  if (!isUsual) preferred.set(network, { indexes: answered.map(({ index }) => index), since: Date.now() })
}

function toTrace(
  first: readonly ReadOutcome[],
  second: readonly ReadOutcome[],
  standing: readonly ReadOutcome[],
  { rpcUrls }: ReadOptions,
): ReadTrace {
  const outcomes = [...first, ...second]
  const [answered] = standing
  const faults: readonly EndpointFault[] = [
    ...outcomes.flatMap(({ endpoint, fault }) =>
      fault === undefined ? [] : [{ endpoint: toName(endpoint), kind: fault.kind, ...fault.numbers }],
    ),
    ...(answered === undefined && isDisagreement(outcomes) ? [{ kind: 'disagreement' } as const] : []),
  ]
  if (answered === undefined) return { attempts: outcomes.length, faults }
  const failed = new Set(outcomes.filter(({ fault }) => fault !== undefined).map(({ endpoint }) => endpoint.index))
  const { index } = answered.endpoint
  const others = rpcUrls.map((_, other) => other).filter(other => other !== index)
  return {
    attempts: outcomes.length,
    faults,
    endpoint: toName(answered.endpoint),
    round: standing.some(outcome => second.includes(outcome)) ? 2 : 1,
    lastResort: others.length > 0 && index === others.length && others.every(other => failed.has(other)),
  }
}

function toName({ index }: Endpoint): string {
  return `rpc-${index + 1}`
}
