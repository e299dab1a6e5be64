import type { Network } from '../../../api/networks.ts'
import { maxFeedsPerCall } from '../../../lambda/chain/feed-reader.ts'
import { type Feed, feedsOf } from '../../../lambda/feeds/registry.ts'

/** Lists the feeds of a network, or as many of them as one call reads. */
export function feedsOfOneCall(network: Network): readonly Feed[] {
  return feedsOf(network).slice(0, maxFeedsPerCall)
}
