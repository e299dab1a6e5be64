import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Network } from '../../api/networks.ts'
import { Problem } from '../../api/problems.ts'
import { isWithin, preferenceMs, rateLimitMs, secondRoundPauseMs } from '../timing.ts'
import { findPinnedBlock, findServable } from './find-servable.ts'
import { type Endpoint, hedge, type Outcome } from './hedge.ts'
import { type Reading, type ReadRequest, readEndpoint } from './read-endpoint.ts'
import { type ReadTrace, toTrace } from './read-trace.ts'

/** A reading, or the problem `chain-unavailable` when none may be served in time; and what the read took. */
export interface ReadResult {
  readonly reading: Reading | Problem
  readonly trace: ReadTrace
}

interface ReadOptions {
  readonly rpcUrls: readonly URL[]
  readonly agreement: number
  /** On the clock of `performance.now()`. */
  readonly deadline: number
}

/**
 * Reads feeds at one block, as a rule with one `eth_call` at one endpoint (D24, D29).
 *
 * @example
 * const request = { network: 'mainnet', feeds: feedsOf('mainnet') }
 * const { reading, trace } = await readFeeds(request, { rpcUrls, agreement: 1, deadline: performance.now() + readMs })
 */
export async function readFeeds(request: ReadRequest, options: ReadOptions): Promise<ReadResult> {
  const { rpcUrls, agreement, deadline } = options
  const began = performance.now()
  const endpoints = inOrderOfPreference(request.network, rpcUrls)
  const limitedBefore = new Set(endpoints.filter(wasLimited))
  const find = (outcomes: readonly Outcome<Reading>[], isRoundOver: boolean) =>
    findServable(outcomes, { agreement, endpoints, isRoundOver })
  const askRound = async (asked: readonly Endpoint[], parallel: number, before: readonly Outcome<Reading>[]) => {
    const block = findPinnedBlock(before, agreement)
    const outcomes = await hedge(asked, {
      parallel,
      deadline,
      ask: (endpoint, signal) => readEndpoint(endpoint.rpcUrl, request, block, signal),
      isOver: ended => find([...before, ...ended], false).length > 0,
    })
    for (const { endpoint } of outcomes.filter(isLimited)) limitedAt.set(endpoint.rpcUrl.href, Date.now())
    return outcomes
  }

  // 1. Ask the endpoints in order of preference, hedged, as many at once as must agree, until a reading may be served.
  const first = await askRound(endpoints, agreement, [])

  // 2. If none may be, ask every endpoint once more after a short pause, whatever it returned, except those that go on
  //    limiting the rate. Endpoints that must agree are all asked at once, and at one block if round 1 has found one.
  const limited = new Set(first.filter(isLimited).map(({ endpoint }) => endpoint))
  const again = endpoints.filter(endpoint => !(limited.has(endpoint) && limitedBefore.has(endpoint)))
  const pauseMs = randomInt(secondRoundPauseMs.min, secondRoundPauseMs.max)
  const isLast = find(first, true).length > 0 || again.length < agreement || performance.now() + pauseMs >= deadline
  const parallel = agreement === 1 ? 1 : again.length
  const second = isLast ? [] : await sleep(pauseMs).then(() => askRound(again, parallel, first))

  // 3. Serve a reading of either round, and ask its endpoints first from now on.
  const servable = find([...first, ...second], true)
  const agreed = new Set(servable.map(({ endpoint }) => endpoint))
  prefer(request.network, endpoints, [...agreed])
  const trace = toTrace(agreement, endpoints, first, second, servable)
  return {
    reading: servable[0]?.value ?? new Problem('chain-unavailable'),
    trace: { ...trace, rpcMs: Math.round(performance.now() - began) },
  }
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

/** By RPC URL: when the endpoint last limited the rate. */
const limitedAt = new Map<string, number>()

function isLimited({ fault }: Outcome<Reading>): boolean {
  return fault?.kind === 'rate-limited'
}

function wasLimited({ rpcUrl }: Endpoint): boolean {
  return isWithin(rateLimitMs, limitedAt.get(rpcUrl.href) ?? 0)
}
