import { type Network, networks, toQuery } from '../../api/networks.ts'
import { Problem } from '../../api/problems.ts'
import { findFeed } from './registry.ts'

/** Creates the problem of a symbol that a network does not have. It names the feed of every other network (D7). */
export function toUnknownSymbol(network: Network, symbol: string): Problem {
  const others = networks.filter(other => other !== network)
  const hints = others.map(other => toHint(other, symbol)).join('')
  return new Problem('unknown-symbol', { network, list: `/price${toQuery(network)}`, hints })
}

/** Formats where a symbol is, in the registry's spelling, never in the caller's. Empty if the network does not have it. */
function toHint(network: Network, symbol: string): string {
  const feed = findFeed(network, symbol)
  return feed === undefined ? '' : ` The ${network} has one: GET /price/${feed.symbol}${toQuery(network)} reads it.`
}
