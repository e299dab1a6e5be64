import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Network } from '../../api/networks.ts'
import { Problem } from '../../api/problems.ts'
import { type EndpointName, toEndpointName } from '../endpoints.ts'
import type { FaultKind, UpstreamFault } from '../faults.ts'
import { isWithin, preferenceMs, rateLimitMs, secondRoundPauseMs } from '../timing.ts'
import { findServable, isEnough, toStep } from './find-servable.ts'
import { type Attempt, type Endpoint, hedge } from './hedge.ts'
import { closeIdleTo } from './post.ts'
import { type Reading, type ReadRequest, readEndpoint } from './read-endpoint.ts'

/** A reading, or the problem `chain-unavailable` when none may be served in time; and what the read took. */
export interface ReadResult {
  readonly reading: Reading | Problem
  readonly trace: ReadTrace
}

export interface ReadTrace {
  /** Attempts at endpoints, in both rounds. */
  readonly attempts?: number
  readonly upstreamFaults: readonly UpstreamFault[]
  /** The endpoint whose reading is served, and the round. */
  readonly endpoint?: EndpointName
  readonly round?: 1 | 2
  /** Milliseconds for the RPC URLs, and for the chain. */
  readonly ssmMs?: number
  readonly rpcMs?: number
}

interface ReadOptions {
  readonly rpcUrls: readonly URL[]
  /** When the read ends at the latest, on the clock of `performance.now()`. */
  readonly deadline: number
}

/**
 * Reads feeds at the endpoints of a network, in at most two rounds. The reading that it returns is that of one
 * `eth_call` at one endpoint, and so of one block (D24).
 *
 * @example
 * const request = { network: 'mainnet', feeds: feedsOf('mainnet') }
 * const { reading, trace } = await readInRounds(request, { rpcUrls, deadline: performance.now() + readMs })
 */
export async function readInRounds(request: ReadRequest, { rpcUrls, deadline }: ReadOptions): Promise<ReadResult> {
  const began = performance.now()
  const endpoints = inOrderOfPreference(request.network, rpcUrls)
  const limitedBefore = endpoints.filter(wasLimited)
  const askRound = async (asked: readonly Endpoint[]) => {
    const ask = ({ rpcUrl }: Endpoint, signal: AbortSignal) => readEndpoint(rpcUrl, request, signal)
    const attempts = await hedge(asked, { deadline, ask, isEnough })
    for (const attempt of attempts) remember(attempt)
    return attempts
  }

  const askAgain = async (first: readonly Attempt<Reading>[]) => {
    const limited = first.filter(isLimited).map(({ endpoint }) => endpoint)
    const again = endpoints.filter(endpoint => !(limited.includes(endpoint) && limitedBefore.includes(endpoint)))
    const pauseMs = randomInt(secondRoundPauseMs.min, secondRoundPauseMs.max)
    if (again.length === 0 || performance.now() + pauseMs >= deadline) return []
    await sleep(pauseMs)
    return await askRound(again)
  }

  // 1. Ask the endpoints in order of preference, hedged, until a reading is enough.
  const first = await askRound(endpoints)
  const servedOfFirst = findServable(endpoints, first)

  // 2. If no reading of the first round may be served, ask every endpoint once more after a short pause, whatever its
  //    attempt of the first round returned. An endpoint that limited the rate both in this read and shortly before it is
  //    not asked again.
  const second = servedOfFirst === undefined ? await askAgain(first) : []

  // 3. Serve a reading of either round. If its endpoint was not asked first, ask it first for a time.
  const attempts = [...first, ...second]
  const served = servedOfFirst ?? findServable(endpoints, attempts)
  const trace = {
    attempts: attempts.length,
    upstreamFaults: toFaults(attempts, served?.value),
    rpcMs: Math.round(performance.now() - began),
  }
  if (served === undefined) return { reading: new Problem('chain-unavailable'), trace }
  const { endpoint, value: reading } = served
  if (endpoint !== endpoints[0]) preferred.set(request.network, { href: endpoint.rpcUrl.href, since: Date.now() })
  const round = first.some(({ value }) => value === reading) ? 1 : 2
  return { reading, trace: { ...trace, endpoint: toEndpointName(endpoint.index), round } }
}

/** By network: the RPC URL that is asked first, and since when. Its reading was served in place of others. */
const preferred = new Map<Network, { readonly href: string; readonly since: number }>()

function inOrderOfPreference(network: Network, rpcUrls: readonly URL[]): readonly Endpoint[] {
  const endpoints = rpcUrls.map((rpcUrl, index) => ({ rpcUrl, index }))
  const preference = preferred.get(network)
  const isPreferred = ({ rpcUrl }: Endpoint): boolean =>
    preference !== undefined && isWithin(preferenceMs, preference.since) && preference.href === rpcUrl.href
  return [...endpoints.filter(isPreferred), ...endpoints.filter(endpoint => !isPreferred(endpoint))]
}

/**
 * By RPC URL: when the endpoint limited the rate for the first time since it last returned a reading, or since the
 * previous such time became older than `rateLimitMs`.
 *
 * If every refusal renewed the time, one of two containers at a node that refuses every other request could get nothing
 * but refusals for ever.
 */
const limitedSince = new Map<string, number>()

/**
 * Remembers whether an endpoint limits the rate, and closes its idle connections unless its reading is enough: a load
 * balancer may have tied them to one faulty node of a pool. An attempt that was aborted without a fault closes none.
 *
 * @see https://github.com/kubernetes/kubernetes/issues/38456
 */
function remember(attempt: Attempt<Reading>): void {
  const { endpoint, value, fault } = attempt
  if (isLimited(attempt) && !wasLimited(endpoint)) limitedSince.set(endpoint.rpcUrl.href, Date.now())
  if (value !== undefined) limitedSince.delete(endpoint.rpcUrl.href)
  if (fault !== undefined || (value !== undefined && !isEnough(value))) closeIdleTo(endpoint.rpcUrl)
}

function wasLimited({ rpcUrl }: Endpoint): boolean {
  const since = limitedSince.get(rpcUrl.href)
  return since !== undefined && isWithin(rateLimitMs, since)
}

function isLimited({ fault }: Attempt<Reading>): boolean {
  return fault?.kind === 'rate-limited'
}

/** Lists the faults of all attempts, as they are logged. */
function toFaults(attempts: readonly Attempt<Reading>[], served: Reading | undefined): readonly UpstreamFault[] {
  return attempts.flatMap(({ endpoint, value, fault }) => {
    if (fault !== undefined) return { endpoint: toEndpointName(endpoint.index), kind: fault.kind, ...fault.numbers }
    const kind = value && findFault(value, served)
    return kind === undefined ? [] : { endpoint: toEndpointName(endpoint.index), kind }
  })
}

/**
 * Finds the fault of an endpoint whose reading was passed over: the served reading has an earlier place in the choice
 * of D24, or no reading is served. A reading of the same place is no fault: a feed that no endpoint can read is not the
 * fault of an endpoint.
 */
function findFault(reading: Reading, served: Reading | undefined): FaultKind | undefined {
  const step = toStep(reading)
  if (served !== undefined && step <= toStep(served)) return undefined
  return step === 3 ? 'no-state' : 'no-readable-feed'
}
