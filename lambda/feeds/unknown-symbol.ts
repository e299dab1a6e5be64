import { type Network, networks, toQuery } from '../../api/networks.ts'
import { Problem } from '../../api/problems.ts'
import { findFeed } from './registry.ts'

/**
 * Creates the problem of a symbol that a network does not have. Its sentences and its field `networks` name the other
 * networks that have it. The symbol in the sentences is in the registry's spelling, never in the caller's.
 */
export function toUnknownSymbol(network: Network, symbol: string): Problem {
  const others = networks.flatMap(other => {
    const feed = findFeed(other, symbol)
    return feed === undefined ? [] : { network: other, path: `/price/${feed.symbol}${toQuery(other)}` }
  })
  const sentences = others.map(other => ` This service has one on the ${other.network}: GET ${other.path} reads it.`)
  const values = { network, list: `/price${toQuery(network)}`, elsewhere: sentences.join('') }
  const otherNetworks = others.map(other => other.network)
  return new Problem('unknown-symbol', values, otherNetworks)
}
