import type { Network } from '../../api/networks.ts'
import { Problem } from '../../api/problems.ts'
import { type ReadResult, readInRounds } from '../chain/read-in-rounds.ts'
import type { Feed } from '../feeds/registry.ts'
import { loadRpcUrls } from '../rpc-urls/load-rpc-urls.ts'
import type { Settings } from '../settings.ts'
import { readMs } from '../timing.ts'

/**
 * Reads feeds at the RPC URLs of a network. The trace has what that took, and what loading the URLs took.
 *
 * What was read with URLs that have been replaced meanwhile does not count, neither a price nor a problem (D22).
 */
export async function readChain(network: Network, feeds: readonly Feed[], settings: Settings): Promise<ReadResult> {
  const read = (rpcUrls: readonly URL[]) =>
    readInRounds({ network, feeds }, { rpcUrls, deadline: performance.now() + readMs })

  // 1. Read with the cached URLs, beside their reload if that is due. Both end before the response.
  const { cached, loaded } = loadRpcUrls(network, settings)
  const early = cached && read(cached)
  await Promise.allSettled([early, loaded])

  // 2. Read with the new URLs if there were none, or if others replaced them.
  const { rpcUrls, upstreamFaults, ssmMs } = await loaded
  if (rpcUrls instanceof Problem) return { reading: rpcUrls, trace: { ssmMs, upstreamFaults } }
  const isCurrent = cached?.join() === rpcUrls.join()
  const { reading, trace } = await (early && isCurrent ? early : read(rpcUrls))
  return { reading, trace: { ...trace, ssmMs, upstreamFaults: [...upstreamFaults, ...trace.upstreamFaults] } }
}
