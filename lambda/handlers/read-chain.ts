import type { Network } from '../../api/networks.ts'
import { Problem } from '../../api/problems.ts'
import { type ReadResult, readInRounds } from '../chain/read-in-rounds.ts'
import type { Feed } from '../feeds/registry.ts'
import { loadRpcUrls } from '../rpc-urls/load-rpc-urls.ts'
import type { Settings } from '../settings.ts'
import { readMs } from '../timing.ts'

/**
 * Reads feeds at the RPC URLs of a network. The trace has the times and faults of the read, and of loading the URLs.
 *
 * If a reload replaced the URLs during a read, the result of that read is discarded: its reading or problem, and its
 * faults (D22).
 */
export async function readChain(network: Network, feeds: readonly Feed[], settings: Settings): Promise<ReadResult> {
  const read = (rpcUrls: readonly URL[]) =>
    readInRounds({ network, feeds }, { rpcUrls, deadline: performance.now() + readMs })

  // 1. Read with the cached URLs. If they are due for a reload, it runs at the same time. Wait for both.
  const { cached, loaded } = loadRpcUrls(network, settings)
  const early = cached && read(cached)
  await Promise.allSettled([early, loaded])
  // A read that threw has found a bug, which is reported even if its result would be discarded.
  const earlyResult = await early

  // 2. Read with the new URLs if none were cached, or if the new ones differ.
  const { rpcUrls, upstreamFaults, ssmMs } = await loaded
  if (rpcUrls instanceof Problem) return { reading: rpcUrls, trace: { ssmMs, upstreamFaults } }
  const isCurrent = earlyResult !== undefined && cached?.join() === rpcUrls.join()
  const { reading, trace } = isCurrent ? earlyResult : await read(rpcUrls)
  return { reading, trace: { ...trace, ssmMs, upstreamFaults: [...upstreamFaults, ...trace.upstreamFaults] } }
}
