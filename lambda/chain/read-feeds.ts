import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Network } from '../../api/networks.ts'
import { Problem } from '../../api/problems.ts'
import { mayPass } from '../faults.ts'
import { isWithin, preferenceMs, secondRoundPauseMs } from '../timing.ts'
import { findPinnedBlock, findServable } from './find-servable.ts'
import { type Endpoint, hedge, type Outcome } from './hedge.ts'
import { type Reading, type ReadRequest, readEndpoint } from './read-endpoint.ts'
import { type ReadTrace, toTrace } from './read-trace.ts'

/** A reading, or the problem `chain-unavailable` when none may be served in time; and what the read took. */
export interface ReadResult {
  readonly reading: Reading | Problem
  readonly trace: ReadTrace
}

/** Which endpoints are asked, and for how long. */
interface ReadOptions {
  readonly rpcUrls: readonly URL[]
  /** How many endpoints must return the same. */
  readonly agreement: number
  /** On the clock of `performance.now()`. */
  readonly deadline: number
}

/**
 * Reads feeds at one block, as a rule with one `eth_call` at one endpoint.
 *
 * 1. Endpoints are asked in order of preference, hedged, until a reading may be served.
 * 2. If none may be, the endpoints whose fault may pass are asked again after a short pause (D24). If endpoints must
 *    agree, so are the endpoints that returned a reading, all at one block (D29).
 *
 * @example
 * const request = { network: 'mainnet', feeds: feedsOf('mainnet') }
 * const { reading, trace } = await readFeeds(request, { rpcUrls, agreement: 1, deadline: performance.now() + readMs })
 */
export async function readFeeds(request: ReadRequest, options: ReadOptions): Promise<ReadResult> {
  const { rpcUrls, agreement, deadline } = options
  const began = performance.now()
  const endpoints = inOrderOfPreference(request.network, rpcUrls)
  const find = (outcomes: readonly Outcome<Reading>[], isRoundOver: boolean) =>
    findServable(outcomes, { agreement, endpoints, isRoundOver })
  const askRound = (asked: readonly Endpoint[], before: readonly Outcome<Reading>[]) => {
    const block = findPinnedBlock(before, agreement)
    return hedge(asked, {
      parallel: agreement,
      deadline,
      ask: (endpoint, signal) => readEndpoint(endpoint.rpcUrl, request, block, signal),
      isOver: outcomes => find([...before, ...outcomes], false).length > 0,
    })
  }

  const first = await askRound(endpoints, [])
  const retried =
    find(first, true).length > 0 ? [] : endpoints.filter(endpoint => isRetried(endpoint, first, agreement))
  const pauseMs = randomInt(secondRoundPauseMs.min, secondRoundPauseMs.max)
  const isLast = retried.length === 0 || performance.now() + pauseMs >= deadline
  const second = isLast ? [] : await sleep(pauseMs).then(() => askRound(retried, first))

  const servable = find([...first, ...second], true)
  const agreed = new Set(servable.map(({ endpoint }) => endpoint))
  prefer(request.network, endpoints, [...agreed])
  const trace = toTrace(endpoints, first, second, servable)
  return {
    reading: servable[0]?.value ?? new Problem('chain-unavailable'),
    trace: { ...trace, rpcMs: Math.round(performance.now() - began) },
  }
}

/** Whether an endpoint is asked in the second round. */
function isRetried(endpoint: Endpoint, outcomes: readonly Outcome<Reading>[], agreement: number): boolean {
  const outcome = outcomes.find(candidate => candidate.endpoint === endpoint)
  return outcome?.fault === undefined ? agreement > 1 : mayPass(outcome.fault)
}

/** By network: the RPC URLs that are asked first, and since when. Their reading was served in place of others. */
const preferred = new Map<Network, { readonly rpcUrls: readonly string[]; readonly since: number }>()

function inOrderOfPreference(network: Network, rpcUrls: readonly URL[]): readonly Endpoint[] {
  const endpoints = rpcUrls.map((rpcUrl, index) => ({ rpcUrl, index }))
  const preference = preferred.get(network)
  const isPreferred = ({ rpcUrl }: Endpoint): boolean =>
    preference !== undefined && isWithin(preferenceMs, preference.since) && preference.rpcUrls.includes(rpcUrl.href)
  return [...endpoints.filter(isPreferred), ...endpoints.filter(endpoint => !isPreferred(endpoint))]
}

/** From now on, prefers the endpoints that agreed, unless they are the first of the order already. */
function prefer(network: Network, endpoints: readonly Endpoint[], agreed: readonly Endpoint[]): void {
  const isUsual = agreed.every(endpoint => endpoints.indexOf(endpoint) < agreed.length)
  if (!isUsual) preferred.set(network, { rpcUrls: agreed.map(({ rpcUrl }) => rpcUrl.href), since: Date.now() })
}
