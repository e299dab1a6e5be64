import { type Network, networks, toQuery } from '../../api/networks.ts'
import { Problem } from '../../api/problems.ts'
import { feedsOf, findFeed } from './registry.ts'
import { findSimilar } from './similar-symbols.ts'

/**
 * Creates the problem of a symbol that a network does not have. Its sentence and its fields name the other networks that
 * have one, or else similar symbols of this one: in the registry's spelling, never in the caller's.
 */
export function toUnknownSymbol(network: Network, symbol: string): Problem {
  const others = networks.flatMap(other => {
    const feed = findFeed(other, symbol)
    return feed === undefined ? [] : { network: other, path: `/price/${feed.symbol}${toQuery(other)}` }
  })
  const similarSymbols = others.length > 0 ? [] : findSimilar(symbol, symbolsOf(network))
  const sentences = others.map(other => ` This service has one on the ${other.network}: GET ${other.path} reads it.`)
  if (similarSymbols.length > 0) sentences.push(` Similar symbols: ${similarSymbols.join(', ')}.`)
  const values = { network, list: `/price${toQuery(network)}`, hints: sentences.join('') }
  return new Problem('unknown-symbol', values, { similarSymbols, networks: others.map(other => other.network) })
}

function symbolsOf(network: Network): readonly string[] {
  return feedsOf(network).map(({ symbol }) => symbol)
}
