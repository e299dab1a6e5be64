import { expect, test } from 'vitest'
import { type Network, networks, toQuery } from '../../../api/networks.ts'
import { feedsOf, findFeed } from '../../../lambda/feeds/registry.ts'
import { findSimilar } from '../../../lambda/feeds/similar-symbols.ts'
import { toUnknownSymbol } from '../../../lambda/feeds/unknown-symbol.ts'
import { missingOn } from '../../support/feeds.ts'

const [ofMainnet, ofTestnet] = [missingOn('testnet', 'mainnet'), missingOn('mainnet', 'testnet')]

/** The sentences about the networks that have a symbol. */
const toHints = (symbol: string) =>
  networks
    .filter(network => findFeed(network, symbol) !== undefined)
    .map(network => ` This service has one on the ${network}: GET /price/${symbol}${toQuery(network)} reads it.`)
    .join('')

const similarOf = (network: Network, text: string) => {
  const symbols = feedsOf(network).map(({ symbol }) => symbol)
  return ` Similar symbols: ${findSimilar(text, symbols).join(', ')}.`
}

test.each<[Network, string, string]>([
  ['mainnet', '%%%', ''],
  ['testnet', ofMainnet.toLowerCase(), toHints(ofMainnet)],
  ['mainnet', ofTestnet, toHints(ofTestnet)],
  ['mainnet', 'ApPL', similarOf('mainnet', 'ApPL')],
  ['testnet', 'am', similarOf('testnet', 'am')],
])(
  'the problem of a symbol that the %s does not have names the feeds of other networks, or similar symbols (D7)',
  (network, symbol, hints) => {
    expect(toUnknownSymbol(network, symbol).body).toEqual({
      type: 'urn:problem-type:price-lookup:unknown-symbol',
      title: 'Unknown symbol',
      status: 404,
      detail: `This service has no feed of that symbol on the ${network}. GET /price${toQuery(network)} lists its feeds.${hints}`,
    })
  },
)
