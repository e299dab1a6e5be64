import type { Network } from '../../api/networks.ts'
import { Problem } from '../../api/problems.ts'
import { type ReadResult, readFeeds } from '../chain/read-feeds.ts'
import type { Feed } from '../feeds/registry.ts'
import { loadRpcUrls } from '../rpc-urls.ts'
import type { Settings } from '../settings.ts'
import { readMs } from '../timing.ts'

/** Loads the RPC URLs of a network, and reads feeds there. The trace has what both took. */
export async function readChain(network: Network, feeds: readonly Feed[], settings: Settings): Promise<ReadResult> {
  const began = performance.now()
  const { rpcUrls, faults } = await loadRpcUrls(network, settings)
  const ssmMs = Math.round(performance.now() - began)
  if (rpcUrls instanceof Problem) return { reading: rpcUrls, trace: { ssmMs, faults } }

  const options = { rpcUrls, agreement: settings.agreement, deadline: performance.now() + readMs }
  const { reading, trace } = await readFeeds({ network, feeds }, options)
  return { reading, trace: { ...trace, ssmMs, faults: [...faults, ...trace.faults] } }
}
