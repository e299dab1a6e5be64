import { expect, test } from 'vitest'
import { networks } from '../../../api/networks.ts'
import registry from '../../../lambda/feeds/registry.json' with { type: 'json' }
import { feedsOf, findFeed, parseFeeds } from '../../../lambda/feeds/registry.ts'
import { missingOn } from '../../support/feeds.ts'

test.each(networks)('the name %s of a network fits into those of variables and parameters', network => {
  expect(network).toMatch(/^[a-z][a-z0-9]{0,19}$/)
})

test('each network has its feeds of the registry, and no other', () => {
  const addressesOf = (feeds: readonly { address: string }[]) => feeds.map(feed => feed.address).toSorted()
  for (const network of networks) expect(addressesOf(feedsOf(network))).toEqual(addressesOf(registry[network]))
})

test('a symbol in any case is found in the registry’s spelling (D7)', () => {
  expect(findFeed('mainnet', 'crwd')?.symbol).toBe('CRWD')
  expect(findFeed('testnet', 'LABtsla')?.symbol).toBe('labTSLA')
})

test('no feed is found for another text, or for a symbol of another network', () => {
  for (const symbol of ['', 'NOPE', 'CRWD ', '__proto__', missingOn('mainnet', 'testnet')])
    expect(findFeed('mainnet', symbol)).toBeUndefined()
})

const address = `0x${'aB'.repeat(20)}`
const entry = { symbol: 'X', name: 'X', address, token: address, maxAgeSeconds: 1 }

test('feeds are in the order of their symbols, ignoring case (D17)', () => {
  const symbols = ['b', 'Z', 'C', 'a', 'AB']
  const parsed = parseFeeds(symbols.map(symbol => ({ ...entry, symbol })))
  expect(parsed.map(({ symbol }) => symbol)).toEqual(['a', 'AB', 'b', 'C', 'Z'])
})

test.each(['', '0x', address.slice(1), address.slice(0, -1), `${address}0`, ` ${address}`, `0x${'g'.repeat(40)}`])(
  '%j is not accepted as the address of a feed or a token',
  text => {
    const reason = "The registry's entry X has an address that is not valid."
    expect(() => parseFeeds([{ ...entry, address: text }])).toThrow(reason)
    expect(() => parseFeeds([{ ...entry, token: text }])).toThrow(reason)
  },
)
