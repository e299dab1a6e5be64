import registry from '../lambda/feeds/registry.json' with { type: 'json' }
import { bundleFunction } from './bundle.ts'
import { type Candidate, captureRequests, events, interleave } from './candidate.ts'
import { round } from './median.ts'
import type { Upstream } from './upstream.ts'

/** How often each candidate runs, by the delay of the node in milliseconds. */
const runCounts = [
  [0, 400],
  [20, 100],
] as const

const bare = 'bare call'

/**
 * Measures how long a caller of a warm function waits, beside bare calls and viem.
 *
 * A timer adds up to a millisecond to the delay of the node, for every candidate alike.
 */
export async function measureLatency(route: 'record' | 'list', upstream: Upstream) {
  const candidates = await createCandidates(route, upstream)
  const rows: Record<string, Record<string, number>> = {}
  for (const [name, candidate] of candidates) {
    rows[name] = { requests: (await captureRequests(candidate, upstream)).length }
  }
  for (const [delayMs, measured] of runCounts) {
    const results = await interleave(candidates, upstream, { toDistance: () => delayMs, measured, warmUps: 60 })
    const bareMs = results.get(bare) ?? Number.NaN
    for (const [name, ms] of results) {
      rows[name] = {
        ...rows[name],
        [`ms, node at ${delayMs} ms`]: round(ms),
        [`of bare, ${delayMs} ms`]: round(ms / bareMs),
      }
    }
  }
  return rows
}

/** Creates the candidates for one record, or for the list: the bare call, the service, and viem's two ways. */
export async function createCandidates(
  route: 'record' | 'list',
  upstream: Upstream,
): Promise<ReadonlyMap<string, Candidate>> {
  const isRead = ({ symbol }: { readonly symbol: string }) => route === 'list' || symbol === 'CRWD'
  const feeds = registry.mainnet.filter(isRead).map(({ address }) => address)
  const bundle = await bundleFunction(route === 'list' ? 'list-prices' : 'get-price', route)
  const service: Candidate = { kind: 'function', bundle, event: events[route] }
  return new Map<string, Candidate>([
    [bare, { kind: 'http', bodies: await captureRequests(service, upstream) }],
    ['Price Lookup', service],
    ['viem', { kind: 'viem', feeds }],
    ['viem with multicall', { kind: 'viem with multicall', feeds }],
  ])
}
