import type { Context } from 'aws-lambda'
import { type Reading, readFeeds } from '../chain/read-feeds.ts'
import type { Feed, Network } from '../feeds/registry.ts'
import { ChainUnavailable } from '../problems.ts'
import { loadRpcUrls, reloadRpcUrls } from '../rpc-urls.ts'

/** A read is over so long after it began (D24). */
const readMs = 3_500

/** Kept of the function's time for the answer itself. */
const spareMs = 500

/**
 * Reads feeds wherever their chain can be asked today.
 *
 * When every endpoint refuses us, the URLs are loaded anew and asked once more: a rotated key needs no deploy (D22).
 *
 * @throws {ChainUnavailable} when no endpoint gave a valid answer in time.
 * @throws {NotConfigured} when there is no endpoint to ask.
 */
export async function readChain(network: Network, feeds: readonly Feed[], context: Context): Promise<Reading> {
  const rpcUrls = await loadRpcUrls(network)
  const deadline = performance.now() + Math.min(readMs, context.getRemainingTimeInMillis() - spareMs)
  try {
    return await readFeeds(network, feeds, rpcUrls, deadline)
  } catch (error) {
    const fresh = wasRefused(error) ? await reloadRpcUrls(network) : undefined
    if (fresh === undefined) throw error
    return await readFeeds(network, feeds, fresh, deadline)
  }
}

function wasRefused(error: unknown): boolean {
  if (!(error instanceof ChainUnavailable)) return false
  return error.faults.length > 0 && error.faults.every(({ kind }) => kind === 'unauthorized')
}
