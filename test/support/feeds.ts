import type { Network } from '../../api/networks.ts'
import { maxFeedsPerCall } from '../../lambda/chain/feed-reader.ts'
import { type Feed, feedsOf, findFeed } from '../../lambda/feeds/registry.ts'

/** Lists the feeds of a network, or as many of them as one call reads. */
export const feedsOfOneCall = (network: Network): readonly Feed[] => feedsOf(network).slice(0, maxFeedsPerCall)

/** Returns a symbol of another network that a network does not have. */
export function missingOn(network: Network, other: Network): string {
  const missing = feedsOf(other).find(({ symbol }) => findFeed(network, symbol) === undefined)
  if (missing === undefined) throw new Error(`The ${network} has every symbol of the ${other}.`)
  return missing.symbol
}
