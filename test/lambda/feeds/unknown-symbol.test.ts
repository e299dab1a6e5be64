import { expect, test } from 'vitest'
import { type Network, toQuery } from '../../../api/networks.ts'
import { toUnknownSymbol } from '../../../lambda/feeds/unknown-symbol.ts'
import { missingOn } from '../../support/feeds.ts'

const [ofMainnet, ofTestnet] = [missingOn('testnet', 'mainnet'), missingOn('mainnet', 'testnet')]

test.each<[Network, string, string, readonly Network[]]>([
  ['mainnet', '%%%', '', []],
  [
    'testnet',
    ofMainnet.toLowerCase(),
    ` This service has one on the mainnet: GET /price/${ofMainnet} reads it.`,
    ['mainnet'],
  ],
  [
    'mainnet',
    ofTestnet.toLowerCase(),
    ` This service has one on the testnet: GET /price/${ofTestnet}?network=testnet reads it.`,
    ['testnet'],
  ],
])(
  'the problem of the symbol that the %s does not have, %j, names the other networks that have it (D7)',
  (network, symbol, elsewhere, networks) => {
    expect(toUnknownSymbol(network, symbol).body).toEqual({
      type: 'urn:problem-type:price-lookup:unknown-symbol',
      title: 'Unknown symbol',
      status: 404,
      detail: `This service has no feed of that symbol on the ${network}. GET /price${toQuery(network)} lists its feeds.${elsewhere}`,
      networks,
    })
  },
)
