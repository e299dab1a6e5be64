import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Problem } from '../../api/problems.ts'
import { type EndpointName, toEndpointName } from '../endpoints.ts'
import type { UpstreamFault } from '../faults.ts'
import type { ChainReading } from '../feeds/reading.ts'
import { secondRoundPauseMs } from '../timing.ts'
import { inOrderOfPreference, isFailing, prefer, rememberAttempt } from './endpoint-memory.ts'
import { findPassedOverFault, findServable, isEnough } from './find-servable.ts'
import { type Attempt, type Endpoint, hedge } from './hedge.ts'
import { closeIdleTo } from './post.ts'
import { type ReadRequest, readEndpoint } from './read-endpoint.ts'

/** A reading, or the problem `chain-unavailable` when none may be served in time; and what the read took. */
export interface ReadResult {
  readonly reading: ChainReading | Problem
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
  const { network } = request
  const endpoints = inOrderOfPreference(network, rpcUrls)

  // 1. Ask the endpoints in order of preference, hedged, until a reading is enough.
  const first = await askRound(1, endpoints, request, deadline)
  let attempts = first

  // 2. If no reading may be served, ask every endpoint that is not failing once more after a short pause, whatever its
  //    attempt of the first round returned.
  if (findServable(endpoints, first) === undefined) {
    const again = endpoints.filter(endpoint => !isFailing(network, endpoint))
    const pauseMs = randomInt(secondRoundPauseMs.min, secondRoundPauseMs.max)
    if (again.length > 0 && performance.now() + pauseMs < deadline) {
      await sleep(pauseMs)
      attempts = [...first, ...(await askRound(2, again, request, deadline))]
    }
  }

  // 3. Serve a reading of either round. If its endpoint was not asked first, ask it first for a time.
  const served = findServable(endpoints, attempts)
  const trace = {
    attempts: attempts.length,
    upstreamFaults: toFaults(attempts, served?.value),
    rpcMs: Math.round(performance.now() - began),
  }
  if (served === undefined) return { reading: new Problem('chain-unavailable'), trace }
  const { endpoint, value: reading } = served
  if (endpoint !== endpoints[0]) prefer(network, endpoint)
  const round = first.some(({ value }) => value === reading) ? 1 : 2
  return { reading, trace: { ...trace, endpoint: toEndpointName(endpoint.index), round } }
}

/**
 * Asks endpoints once, hedged, and remembers which of them fail. Closes the idle connections of an endpoint that had a
 * fault, or whose reading is not enough: a load balancer may have tied them to one faulty node of a pool.
 *
 * @see https://github.com/kubernetes/kubernetes/issues/38456
 */
async function askRound(
  round: 1 | 2,
  endpoints: readonly Endpoint[],
  request: ReadRequest,
  deadline: number,
): Promise<readonly Attempt<ChainReading>[]> {
  const ask = ({ rpcUrl }: Endpoint, signal: AbortSignal) => readEndpoint(rpcUrl, request, signal)
  const attempts = await hedge(endpoints, { deadline, ask, isEnough })
  for (const attempt of attempts) {
    const { endpoint, value, fault } = attempt
    rememberAttempt(request.network, round, attempt)
    if (fault !== undefined || (value !== undefined && !isEnough(value))) closeIdleTo(endpoint.rpcUrl)
  }
  return attempts
}

/** Lists the faults of all attempts, as they are logged. */
function toFaults(
  attempts: readonly Attempt<ChainReading>[],
  served: ChainReading | undefined,
): readonly UpstreamFault[] {
  return attempts.flatMap(({ endpoint, value, fault }) => {
    const kind = fault?.kind ?? (value && findPassedOverFault(value, served))
    return kind === undefined ? [] : { endpoint: toEndpointName(endpoint.index), kind, ...fault?.numbers }
  })
}
