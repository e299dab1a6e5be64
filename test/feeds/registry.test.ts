import { expect, test } from 'vitest'
import { checkRegistry } from '../../lambda/feeds/check-registry.ts'
import registry from '../../lambda/feeds/registry.json' with { type: 'json' }
import { feedsOf, findFeed, parseFeeds } from '../../lambda/feeds/registry.ts'
import { defaultNetwork, networks } from '../../lambda/networks.ts'
import { onlyOn } from '../support/feeds/only-on.ts'

test('the mainnet is the default network, and the first of the table (D5)', () => {
  expect([defaultNetwork, networks[0]]).toEqual(['mainnet', 'mainnet'])
})

test('the registry has no error', () => {
  expect(checkRegistry(registry)).toEqual([])
})

test('each network has its feeds of the registry, and no other (D17)', () => {
  for (const network of networks) {
    const addresses = registry[network].map(feed => feed.address)
    expect(
      feedsOf(network)
        .map(feed => feed.address)
        .toSorted(),
    ).toEqual(addresses.toSorted())
  }
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
  expect(findFeed('mainnet', onlyOn('testnet'))).toBeUndefined()
  expect(findFeed('testnet', onlyOn('mainnet'))).toBeUndefined()
})

const address = `0x${'aB'.repeat(20)}`

test('feeds are in the order of their symbols, ignoring case (D17)', () => {
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

const [aapl, amc] = ['AAPL', 'AMC'].map(wanted => registry.mainnet.find(({ symbol }) => symbol === wanted)) as [
  Entry,
  Entry,
]
type Entry = Parameters<typeof checkRegistry>[0][string][number]

const lowerCase = aapl.token.toLowerCase()
const upperCase = `0x${aapl.token.slice(2).toUpperCase()}`

/** Checks a registry whose mainnet has these entries. */
const check = (...mainnet: Entry[]) => checkRegistry({ ...registry, mainnet })

test.each<[string, Entry[], string[]]>([
  ['a symbol in another case', [aapl, { ...amc, symbol: 'aapl' }], ['The mainnet has aapl twice.']],
  [
    'a feed of another symbol',
    [aapl, { ...amc, address: aapl.address }],
    [`The mainnet has the address ${aapl.address} twice.`],
  ],
  ...['', 'A/B', 'A B', '..', '%41', '🂡', 'x'.repeat(21)].map((symbol): [string, Entry[], string[]] => [
    `the symbol ${JSON.stringify(symbol)}`,
    [{ ...aapl, symbol }],
    [`${symbol} of the mainnet: a symbol has 1 to 20 letters, digits, ".", "_" or "-".`],
  ]),
  ...['', ' Apple', 'x'.repeat(41)].map((name): [string, Entry[], string[]] => [
    `the name ${JSON.stringify(name)}`,
    [{ ...aapl, name }],
    ['AAPL of the mainnet: a name has 1 to 40 characters, and no white space at its ends.'],
  ]),
  [
    'no symbol',
    [JSON.parse(JSON.stringify({ ...aapl, symbol: undefined }))],
    ['undefined of the mainnet: a symbol has 1 to 20 letters, digits, ".", "_" or "-".'],
  ],
  [
    'no name',
    [JSON.parse(JSON.stringify({ ...aapl, name: undefined }))],
    ['AAPL of the mainnet: a name has 1 to 40 characters, and no white space at its ends.'],
  ],
  [
    'an address with a digit too few',
    [{ ...aapl, address: aapl.address.slice(0, -1) }],
    [`AAPL of the mainnet: ${aapl.address.slice(0, -1)} is not an address.`],
  ],
  [
    'a token in lower case',
    [{ ...aapl, token: lowerCase }],
    [`AAPL of the mainnet: ${lowerCase} is not checksummed. Either it is wrong, or it is ${aapl.token}.`],
  ],
  [
    'a token in upper case',
    [{ ...aapl, token: upperCase }],
    [`AAPL of the mainnet: ${upperCase} is not checksummed. Either it is wrong, or it is ${aapl.token}.`],
  ],
])('%s is an error of the registry', (_, entries, errors) => {
  expect(check(...entries)).toEqual(errors)
})

test('a network that is not in the table, and one without feeds, are errors of the registry', () => {
  const { testnet, ...others } = registry
  expect(checkRegistry({ ...others, 'test-net': testnet })).toEqual([
    'It has no feeds of the testnet.',
    `test-net is not a network. Known: ${networks.join(', ')}.`,
    'test-net is no name of a network: a-z and 0-9, beginning with a letter.',
  ])
})

test('more feeds of a network than one HTTP request can read are an error of the registry (D17)', () => {
  const toAddress = (index: number) => `0x${index.toString().padStart(40, '0')}`
  const entries = Array.from({ length: 1_001 }, (_, index) => ({
    symbol: `S${index}`,
    name: `N${index}`,
    address: toAddress(2 * index),
    token: toAddress(2 * index + 1),
  }))
  expect(check(...entries.slice(1))).toEqual([])
  expect(check(...entries)).toEqual(['The mainnet has 1001 feeds. The limit is 1000.'])
})
