import { type Network, networks, toQuery } from '../../api/networks.ts'
import { Problem } from '../../api/problems.ts'
import { feedsOf, findFeed } from './registry.ts'
import { findSimilar } from './similar-symbols.ts'

/**
 * Creates the problem of a symbol that a network does not have. It names the feed of every other network, or else similar
 * symbols of this one.
 */
export function toUnknownSymbol(network: Network, symbol: string): Problem {
  const hints = networks.map(candidate => toHint(candidate, symbol)).join('') || toSimilar(network, symbol)
  return new Problem('unknown-symbol', { network, list: `/price${toQuery(network)}`, hints })
}

/** Formats where a symbol is, in the registry's spelling, never in the caller's. Empty if the network does not have it. */
function toHint(network: Network, symbol: string): string {
  const feed = findFeed(network, symbol)
  if (feed === undefined) return ''
  return ` This service has one on the ${network}: GET /price/${feed.symbol}${toQuery(network)} reads it.`
}

function toSimilar(network: Network, symbol: string): string {
  const symbols = feedsOf(network).map(feed => feed.symbol)
  const similar = findSimilar(symbol, symbols)
  return similar.length === 0 ? '' : ` Similar symbols: ${similar.join(', ')}.`
}
