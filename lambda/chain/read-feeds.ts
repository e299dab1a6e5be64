import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Network } from '../../api/networks.ts'
import { Problem } from '../../api/problems.ts'
import { mayPass } from '../faults.ts'
import { isWithin, preferenceMs, secondRoundPauseMs } from '../timing.ts'
import { findPinnedBlock, findStanding } from './find-standing.ts'
import { type Endpoint, hedge, type Outcome } from './hedge.ts'
import { type Reading, type ReadRequest, readEndpoint } from './read-call.ts'
import { type ReadTrace, toTrace } from './read-trace.ts'

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

/**
 * Reads feeds at one block, as a rule with one `eth_call` at one endpoint.
 *
 * 1. Endpoints are asked in order of preference, hedged, until a reading stands.
 * 2. When none does, those whose fault may pass are asked once more after a short pause (D24). If endpoints must agree,
 *    so are those that returned a reading, all at one block (D29).
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
    findStanding(outcomes, { agreement, endpoints, isRoundOver })
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
  const again =
    find(first, true).length > 0 ? [] : endpoints.filter(endpoint => isWorthAsking(endpoint, first, agreement))
  const pauseMs = randomInt(secondRoundPauseMs.min, secondRoundPauseMs.max)
  const isLast = again.length === 0 || performance.now() + pauseMs >= deadline
  const second = isLast ? [] : await sleep(pauseMs).then(() => askRound(again, first))

  const standing = find([...first, ...second], true)
  const agreed = new Set(standing.map(({ endpoint }) => endpoint))
  prefer(request.network, endpoints, [...agreed])
  const trace = toTrace(endpoints, first, second, standing)
  return {
    reading: standing[0]?.value ?? new Problem('chain-unavailable'),
    trace: { ...trace, rpcMs: Math.round(performance.now() - began) },
  }
}

/** Whether an endpoint is asked in the second round. */
function isWorthAsking(endpoint: Endpoint, outcomes: readonly Outcome<Reading>[], agreement: number): boolean {
  const outcome = outcomes.find(other => other.endpoint === endpoint)
  return outcome?.fault === undefined ? agreement > 1 : mayPass(outcome.fault)
}

/** Per network, the RPC URLs that are asked first, and since when: they served a reading in place of others. */
const preferred = new Map<Network, { readonly rpcUrls: readonly string[]; readonly since: number }>()

function inOrderOfPreference(network: Network, rpcUrls: readonly URL[]): readonly Endpoint[] {
  const endpoints = rpcUrls.map((rpcUrl, index) => ({ rpcUrl, index }))
  const preference = preferred.get(network)
  const isPreferred = ({ rpcUrl }: Endpoint): boolean =>
    preference !== undefined && isWithin(preferenceMs, preference.since) && preference.rpcUrls.includes(rpcUrl.href)
  return [...endpoints.filter(isPreferred), ...endpoints.filter(endpoint => !isPreferred(endpoint))]
}

/** Prefers the endpoints that agreed, from now on, if one of them was not among the first that were asked. */
function prefer(network: Network, endpoints: readonly Endpoint[], agreed: readonly Endpoint[]): void {
  const isUsual = agreed.every(endpoint => endpoints.indexOf(endpoint) < agreed.length)
  if (!isUsual) preferred.set(network, { rpcUrls: agreed.map(({ rpcUrl }) => rpcUrl.href), since: Date.now() })
}
