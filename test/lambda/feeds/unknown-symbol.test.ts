import { expect, test } from 'vitest'
import { type Network, networks, toQuery } from '../../../api/networks.ts'
import { feedsOf, findFeed } from '../../../lambda/feeds/registry.ts'
import { findSimilar } from '../../../lambda/feeds/similar-symbols.ts'
import { toUnknownSymbol } from '../../../lambda/feeds/unknown-symbol.ts'
import { missingOn } from '../../support/feeds.ts'

const [ofMainnet, ofTestnet] = [missingOn('testnet', 'mainnet'), missingOn('mainnet', 'testnet')]

/** The networks that have a symbol. */
const having = (symbol: string) => networks.filter(network => findFeed(network, symbol) !== undefined)

const toHints = (symbol: string) =>
  having(symbol)
    .map(network => ` This service has one on the ${network}: GET /price/${symbol}${toQuery(network)} reads it.`)
    .join('')

const similarTo = (network: Network, text: string) => {
  const symbols = feedsOf(network).map(({ symbol }) => symbol)
  return findSimilar(text, symbols)
}
const [likeAapl, likeAm] = [similarTo('mainnet', 'ApPL'), similarTo('testnet', 'am')]

test.each<[Network, string, string, similarSymbols: readonly string[]]>([
  ['mainnet', '%%%', '', []],
  ['testnet', ofMainnet.toLowerCase(), toHints(ofMainnet), []],
  ['mainnet', ofTestnet, toHints(ofTestnet), []],
  ['mainnet', 'ApPL', ` Similar symbols: ${likeAapl.join(', ')}.`, likeAapl],
  ['testnet', 'am', ` Similar symbols: ${likeAm.join(', ')}.`, likeAm],
])(
  'the problem that the %s does not have %j names the feeds of other networks, or similar symbols, also as fields (D7)',
  (network, symbol, hints, similarSymbols) => {
    expect(toUnknownSymbol(network, symbol).body).toEqual({
      type: 'urn:problem-type:price-lookup:unknown-symbol',
      title: 'Unknown symbol',
      status: 404,
      detail: `This service has no feed of that symbol on the ${network}. GET /price${toQuery(network)} lists its feeds.${hints}`,
      similarSymbols,
      networks: having(symbol),
    })
  },
)
