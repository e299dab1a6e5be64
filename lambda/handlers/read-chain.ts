import type { Context } from 'aws-lambda'
import { type ReadResult, readFeeds } from '../chain/read-feeds.ts'
import { joinTraces } from '../chain/read-trace.ts'
import { refusesKey } from '../faults.ts'
import type { Feed } from '../feeds/registry.ts'
import type { Network } from '../networks.ts'
import { Problem } from '../problems.ts'
import { isSame, loadRpcUrls } from '../rpc-urls.ts'
import { findAgreement } from '../settings.ts'
import { readMs, responseMs } from '../timing.ts'

/**
 * Reads feeds of a network.
 *
 * 1. The network's RPC URLs are loaded.
 * 2. The feeds are read there.
 * 3. When no reading stands and every fault is a refused key, the URLs are loaded again. If they are others, the feeds
 *    are read there, so that a rotated key needs no deploy (D22).
 */
export async function readChain(network: Network, feeds: readonly Feed[], context: Context): Promise<ReadResult> {
  const began = performance.now()
  const loaded = await loadRpcUrls(network)
  const loadTrace = { ssmMs: Math.round(performance.now() - began), faults: loaded.faults }
  if (loaded.rpcUrls instanceof Problem) return { reading: loaded.rpcUrls, trace: loadTrace }

  const deadline = performance.now() + Math.min(readMs, context.getRemainingTimeInMillis() - responseMs)
  const options = { agreement: findAgreement(), deadline }
  const first = await readFeeds({ network, feeds }, { ...options, rpcUrls: loaded.rpcUrls })
  const firstTrace = joinTraces(loadTrace, first.trace)
  const leftMs = Math.floor(deadline - performance.now())
  if (!wasRefused(first) || leftMs <= 0) return { reading: first.reading, trace: firstTrace }

  const { rpcUrls, faults } = await loadRpcUrls(network, loaded.rpcUrls, leftMs)
  const reloadTrace = joinTraces(firstTrace, { faults })
  const areOthers = !(rpcUrls instanceof Problem) && !isSame(rpcUrls, loaded.rpcUrls)
  if (!areOthers) return { reading: first.reading, trace: reloadTrace }

  const second = await readFeeds({ network, feeds }, { ...options, rpcUrls })
  return { reading: second.reading, trace: joinTraces(reloadTrace, second.trace) }
}

function wasRefused({ reading, trace: { faults } }: ReadResult): boolean {
  return reading instanceof Problem && faults.every(refusesKey)
}
