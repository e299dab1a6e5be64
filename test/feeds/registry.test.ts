import { getAddress } from 'viem'
import { expect, test } from 'vitest'
import { feedsOf, findFeed, networks, parseFeeds } from '../../lambda/feeds/registry.ts'

test('both networks are served, with 21 and 6 feeds (D5)', () => {
  expect(networks).toEqual(['mainnet', 'testnet'])
  expect(feedsOf('mainnet')).toHaveLength(21)
  expect(feedsOf('testnet')).toHaveLength(6)
})

test.each(networks)('every address of the %s is checksummed', network => {
  for (const { address, token } of feedsOf(network)) {
    expect(address).toBe(getAddress(address))
    expect(token).toBe(getAddress(token))
  }
})

test.each(networks)('every symbol and every feed address of the %s is unique, ignoring case', network => {
  const feeds = feedsOf(network)
  expect(new Set(feeds.map(({ symbol }) => symbol.toLowerCase())).size).toBe(feeds.length)
  expect(new Set(feeds.map(({ address }) => address.toLowerCase())).size).toBe(feeds.length)
})

test.each(networks)('no symbol of the %s needs encoding in a URL', network => {
  for (const { symbol } of feedsOf(network)) expect(encodeURIComponent(symbol)).toBe(symbol)
})

test('feeds are in order of their symbol, ignoring case (D17)', () => {
  expect(feedsOf('testnet').map(({ symbol }) => symbol)).toEqual(['AMD', 'AMZN', 'labTSLA', 'NFLX', 'PLTR', 'TSLA'])
})

test('a symbol is found in any case, and has the registry’s spelling (D7)', () => {
  expect(findFeed('mainnet', 'crwd')?.symbol).toBe('CRWD')
  expect(findFeed('testnet', 'LABtsla')?.symbol).toBe('labTSLA')
})

test.each(['', 'NOPE', 'CRWD ', '%43RWD', 'CRWD/..', '__proto__', 'constructor', 'x'.repeat(10_000)])(
  'no feed is found for the symbol %j (D7)',
  symbol => {
    expect(findFeed('mainnet', symbol)).toBeUndefined()
  },
)

test('a symbol of one network is unknown on the other', () => {
  expect(findFeed('mainnet', 'TSLA')).toBeUndefined()
  expect(findFeed('testnet', 'CRWD')).toBeUndefined()
})

const address = `0x${'aB'.repeat(20)}`

test('feeds are sorted by their symbol, ignoring case', () => {
  const symbols = ['b', 'Z', 'C', 'a', 'AB']
  const parsed = parseFeeds(symbols.map(symbol => ({ symbol, address, token: address })))
  expect(parsed.map(({ symbol }) => symbol)).toEqual(['a', 'AB', 'b', 'C', 'Z'])
})

test.each(['', '0x', address.slice(1), address.slice(0, -1), `${address}0`, ` ${address}`, `0x${'g'.repeat(40)}`])(
  '%j is not accepted as the address of a feed or a token',
  text => {
    const reason = "The registry's entry X has no valid address."
    expect(() => parseFeeds([{ symbol: 'X', address: text, token: address }])).toThrow(reason)
    expect(() => parseFeeds([{ symbol: 'X', address, token: text }])).toThrow(reason)
  },
)

test('more feeds of a network than one HTTP request can read are refused', () => {
  const entries = Array.from({ length: 1_201 }, (_, index) => ({ symbol: `S${index}`, address, token: address }))
  expect(parseFeeds(entries.slice(1))).toHaveLength(1_200)
  expect(() => parseFeeds(entries)).toThrow(
    'The registry has 1201 feeds of one network. The limit is 1200: see maxFeeds.',
  )
})
