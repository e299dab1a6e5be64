import type { Network } from '../../api/networks.ts'
import { feedsOf, findFeed } from '../../lambda/feeds/registry.ts'

/** Returns a symbol of another network that a network does not have. */
export function missingOn(network: Network, other: Network): string {
  const missing = feedsOf(other).find(({ symbol }) => findFeed(network, symbol) === undefined)
  if (missing === undefined) throw new Error(`The ${network} has every symbol of the ${other}.`)
  return missing.symbol
}
