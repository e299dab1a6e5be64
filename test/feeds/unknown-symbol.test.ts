import { expect, test } from 'vitest'
import { toUnknownSymbol } from '../../lambda/feeds/unknown-symbol.ts'
import { onlyOn } from '../support/feeds/only-on.ts'

const mainnetSymbol = onlyOn('mainnet')

test.each([
  ['mainnet', 'nope', 'The mainnet has no feed of that symbol. GET /price lists its feeds.'],
  [
    'testnet',
    mainnetSymbol.toLowerCase(),
    'The testnet has no feed of that symbol. GET /price?network=testnet lists its feeds.' +
      ` The mainnet has one: GET /price/${mainnetSymbol} reads it.`,
  ],
] as const)(
  'the problem of a symbol that the %s does not have names the feeds of other networks (D7)',
  (network, symbol, detail) => {
    expect(toUnknownSymbol(network, symbol).document).toEqual({
      type: 'urn:problem-type:price-lookup:unknown-symbol',
      title: 'Unknown symbol',
      status: 404,
      detail,
    })
  },
)
