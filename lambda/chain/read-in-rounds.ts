import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Network } from '../../api/networks.ts'
import { Problem } from '../../api/problems.ts'
import { type EndpointName, toEndpointName } from '../endpoints.ts'
import type { FaultKind, UpstreamFault } from '../faults.ts'
import { failingMs, isWithin, preferenceMs, secondRoundPauseMs } from '../timing.ts'
import { findServable, isEnough, toRank } from './find-servable.ts'
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
  const askRound = async (round: 1 | 2, asked: readonly Endpoint[]) => {
    const ask = ({ rpcUrl }: Endpoint, signal: AbortSignal) => readEndpoint(rpcUrl, request, signal)
    const attempts = await hedge(asked, { deadline, ask, isEnough })
    for (const attempt of attempts) remember(request.network, round, attempt)
    return attempts
  }

  const askAgain = async () => {
    const again = endpoints.filter(endpoint => !isFailing(request.network, endpoint))
    const pauseMs = randomInt(secondRoundPauseMs.min, secondRoundPauseMs.max)
    if (again.length === 0 || performance.now() + pauseMs >= deadline) return []
    await sleep(pauseMs)
    return await askRound(2, again)
  }

  // 1. Ask the endpoints in order of preference, hedged, until a reading is enough.
  const first = await askRound(1, endpoints)
  const servedOfFirst = findServable(endpoints, first)

  // 2. If no reading of the first round may be served, ask every endpoint that is not failing once more after a short
  //    pause, whatever its attempt of the first round returned.
  const second = servedOfFirst === undefined ? await askAgain() : []

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
 * By network and RPC URL: when the endpoint failed in the second round of a read, by `Date.now()`. It has returned no
 * reading since.
 *
 * A failure in a first round does not renew the time. If it did, one of two containers at a node that refuses every
 * other request could get nothing but refusals for ever.
 */
const failingSince = new Map<string, number>()

/**
 * Remembers whether an endpoint is failing, and closes its idle connections unless its reading is enough: a load
 * balancer may have tied them to one faulty node of a pool. An attempt that was aborted without a fault changes
 * nothing.
 *
 * @see https://github.com/kubernetes/kubernetes/issues/38456
 */
function remember(network: Network, round: 1 | 2, { endpoint, value, fault }: Attempt<Reading>): void {
  const key = toKey(network, endpoint)
  if (value !== undefined) failingSince.delete(key)
  if (fault !== undefined && round === 2) failingSince.set(key, Date.now())
  if (fault !== undefined || (value !== undefined && !isEnough(value))) closeIdleTo(endpoint.rpcUrl)
}

/** Whether an endpoint is asked in no second round (D24). */
function isFailing(network: Network, endpoint: Endpoint): boolean {
  const since = failingSince.get(toKey(network, endpoint))
  return since !== undefined && isWithin(failingMs, since)
}

function toKey(network: Network, { rpcUrl }: Endpoint): string {
  return `${network} ${rpcUrl.href}`
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
 * Finds the fault of an endpoint whose reading was passed over: the served reading has a higher rank, or no reading is
 * served. A reading of the same rank is no fault: a feed that no endpoint can read is not the fault of an endpoint.
 */
function findFault(reading: Reading, served: Reading | undefined): FaultKind | undefined {
  const rank = toRank(reading)
  if (served !== undefined && rank >= toRank(served)) return undefined
  return rank < 0 ? 'no-state' : 'fewer-feeds'
}
