import { expect, test } from 'vitest'
import { toUnknownSymbol } from '../../../lambda/feeds/unknown-symbol.ts'
import { onlyOn } from '../../support/feeds/only-on.ts'

const [mainnetSymbol, testnetSymbol] = [onlyOn('mainnet'), onlyOn('testnet')]

test.each([
  ['mainnet', 'nope', 'The mainnet has no feed of that symbol. GET /price lists its feeds.'],
  [
    'testnet',
    mainnetSymbol.toLowerCase(),
    'The testnet has no feed of that symbol. GET /price?network=testnet lists its feeds.' +
      ` The mainnet has one: GET /price/${mainnetSymbol} reads it.`,
  ],
  [
    'mainnet',
    testnetSymbol,
    'The mainnet has no feed of that symbol. GET /price lists its feeds.' +
      ` The testnet has one: GET /price/${testnetSymbol}?network=testnet reads it.`,
  ],
  ['mainnet', 'ApPL', 'The mainnet has no feed of that symbol. GET /price lists its feeds. Similar symbols: AAPL.'],
  ['mainnet', 'bm', 'The mainnet has no feed of that symbol. GET /price lists its feeds. Similar symbols: BA, IBM.'],
  [
    'testnet',
    'am',
    'The testnet has no feed of that symbol. GET /price?network=testnet lists its feeds. Similar symbols: AMD, AMZN.',
  ],
] as const)(
  'the problem of a symbol that the %s does not have names the feeds of other networks, or similar symbols (D7)',
  (network, symbol, detail) => {
    expect(toUnknownSymbol(network, symbol).document).toEqual({
      type: 'urn:problem-type:price-lookup:unknown-symbol',
      title: 'Unknown symbol',
      status: 404,
      detail,
    })
  },
)
