import type { Context } from 'aws-lambda'
import type { Reading } from '../chain/read-call.ts'
import { createRequestBudget, type ReadResult, readFeeds } from '../chain/read-feeds.ts'
import type { EndpointFault } from '../faults.ts'
import type { Feed, Network } from '../feeds/registry.ts'
import { Problem } from '../problems.ts'
import { loadRpcUrls, reloadRpcUrls } from '../rpc-urls.ts'
import { parseSettings } from '../settings.ts'
import { readMs, responseMs } from '../timing.ts'
import type { LogFields } from './request-log.ts'

/** A reading, or the problem in its place; and what the log holds of it. */
export interface ChainRead {
  readonly reading: Reading | Problem
  readonly log: LogFields
}

/**
 * Loads a network's RPC URLs and reads feeds there.
 *
 * When every endpoint refuses its key, the URLs are loaded again and asked once more, so that a rotated key needs no deploy (D22).
 */
export async function readChain(network: Network, feeds: readonly Feed[], context: Context): Promise<ChainRead> {
  const { rpcUrls, faults, ms: ssmMs } = await timed(loadRpcUrls(network))
  if (rpcUrls instanceof Problem) return { reading: rpcUrls, log: { network, ssmMs, faults } }

  const request = { network, feeds, maxHeadAgeSeconds: parseSettings(network).maxHeadAgeSeconds }
  const deadline = performance.now() + Math.min(readMs, context.getRemainingTimeInMillis() - responseMs)
  const countRequest = createRequestBudget()
  const first = await timed(readFeeds(request, rpcUrls, deadline, countRequest))
  const log = { network, ssmMs, ...toLogFields(first, first.ms, faults) }
  if (!wasRefused(first)) return { reading: first.reading ?? new Problem('chain-unavailable'), log }

  const reloaded = await reloadRpcUrls(network, rpcUrls, deadline - performance.now())
  const knownFaults = [...log.faults, ...reloaded.faults]
  if (reloaded.rpcUrls === undefined)
    return { reading: new Problem('chain-unavailable'), log: { ...log, faults: knownFaults } }
  const second = await timed(readFeeds(request, reloaded.rpcUrls, deadline, countRequest))
  return {
    reading: second.reading ?? new Problem('chain-unavailable'),
    log: { network, ssmMs, ...toLogFields(second, first.ms + second.ms, knownFaults) },
  }
}

/** Adds how many milliseconds a result took. */
async function timed<result>(work: Promise<result>): Promise<result & { readonly ms: number }> {
  const began = performance.now()
  const result = await work
  return { ...result, ms: Math.round(performance.now() - began) }
}

function toLogFields({ reading, trace }: ReadResult, rpcMs: number, earlier: readonly EndpointFault[]) {
  const { answered, faults, ...counts } = trace
  const read = reading && {
    ...answered,
    block: reading.head.block,
    headAgeSeconds: Math.round(reading.head.readAt.getTime() / 1_000 - reading.blockTime),
    unreadable: reading.reads.filter(one => 'unreadable' in one.reading).map(({ feed }) => feed.symbol),
  }
  return { ...read, ...counts, rpcMs, faults: [...earlier, ...faults] }
}

function wasRefused({ reading, trace: { faults } }: ReadResult): boolean {
  return reading === undefined && faults.every(({ kind }) => kind === 'unauthorized')
}
