import type { Context } from 'aws-lambda'
import { type ReadResult, readFeeds } from '../chain/read-feeds.ts'
import { refusesKey } from '../faults.ts'
import type { Feed } from '../feeds/registry.ts'
import type { Network } from '../networks.ts'
import { Problem } from '../problems.ts'
import { isSame, loadRpcUrls } from '../rpc-urls.ts'
import { findAgreement } from '../settings.ts'
import { readMs, responseMs } from '../timing.ts'

/**
 * Loads a network's RPC URLs and reads feeds there.
 *
 * When no reading stands and every fault is a refused key, the URLs are loaded again and read once more, so that a rotated key needs no
 * deploy (D22).
 */
export async function readChain(network: Network, feeds: readonly Feed[], context: Context): Promise<ReadResult> {
  const began = performance.now()
  const loaded = await loadRpcUrls(network)
  const ssmMs = Math.round(performance.now() - began)
  const { rpcUrls } = loaded
  if (rpcUrls instanceof Problem) return { reading: rpcUrls, trace: { ssmMs, faults: loaded.faults } }

  const deadline = performance.now() + Math.min(readMs, context.getRemainingTimeInMillis() - responseMs)
  const options = { agreement: findAgreement(), deadline }
  const first = await readFeeds({ network, feeds }, { ...options, rpcUrls })
  const reloaded = wasRefused(first) ? await reload(network, rpcUrls, deadline) : { rpcUrls: undefined, faults: [] }
  const second = reloaded.rpcUrls && (await readFeeds({ network, feeds }, { ...options, rpcUrls: reloaded.rpcUrls }))

  const { reading, trace } = second ?? first
  const traces = [first.trace, { faults: reloaded.faults }, ...(second === undefined ? [] : [second.trace])]
  return {
    reading,
    trace: {
      ...trace,
      ssmMs,
      attempts: sum(traces.map(({ attempts }) => attempts)),
      rpcMs: sum(traces.map(({ rpcMs }) => rpcMs)),
      faults: [...loaded.faults, ...traces.flatMap(({ faults }) => faults)],
    },
  }
}

function wasRefused({ reading, trace: { faults } }: ReadResult): boolean {
  return reading instanceof Problem && faults.every(refusesKey)
}

/** Loads the RPC URLs again. Returns undefined in their place when there are no others. */
async function reload(network: Network, refused: readonly URL[], deadline: number) {
  const timeoutMs = Math.floor(deadline - performance.now())
  if (timeoutMs <= 0) return { rpcUrls: undefined, faults: [] }
  const { rpcUrls, faults } = await loadRpcUrls(network, refused, timeoutMs)
  return { rpcUrls: rpcUrls instanceof Problem || isSame(rpcUrls, refused) ? undefined : rpcUrls, faults }
}

function sum(numbers: readonly (number | undefined)[]): number {
  return numbers.reduce((total: number, some = 0) => total + some, 0)
}
