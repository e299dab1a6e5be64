import { expect, test } from 'vitest'
import { findRegistryErrors } from '../../../api/schemas/registry.ts'
import registry from '../../../lambda/feeds/registry.json' with { type: 'json' }

const { mainnet, testnet, ...rest } = registry
const [aapl, crwd] = ['AAPL', 'CRWD'].map(wanted => mainnet.find(({ symbol }) => symbol === wanted)) as [Entry, Entry]
type Entry = (typeof mainnet)[number]

const symbolForm = 'A symbol has 1 to 20 letters, digits, ".", "_" or "-".'
const nameForm = 'A name has 1 to 40 characters, and no white space at its ends.'
const [lowerCase, tooShort] = [aapl.token.toLowerCase(), aapl.address.slice(0, -1)]
const mistyped = aapl.token.replace(/.$/, digit => (digit === '1' ? '2' : '1'))

test.each<[string, object[], string[]]>([
  ['the registry’s own feeds', mainnet, []],
  [
    'a symbol in another case',
    [aapl, { ...crwd, symbol: 'aapl' }],
    ['aapl symbol: aapl is already the symbol of AAPL.'],
  ],
  [
    'a feed of another symbol',
    [aapl, { ...crwd, address: aapl.address }],
    [`CRWD address: ${aapl.address} is already the address of AAPL.`],
  ],
  ...['A/B', '..', '%41', '🂡', 'x'.repeat(21)].map((symbol): [string, object[], string[]] => [
    `the symbol ${symbol}`,
    [{ ...aapl, symbol }],
    [`${symbol} symbol: ${symbolForm}`],
  ]),
  ...['', ' Apple', 'x'.repeat(41)].map((name): [string, object[], string[]] => [
    `the name ${JSON.stringify(name)}`,
    [{ ...aapl, name }],
    [`AAPL name: ${nameForm}`],
  ]),
  ['no name', [{ ...aapl, name: undefined }], ['AAPL name: Invalid input: expected string, received undefined']],
  [
    'an address with a digit too few',
    [{ ...aapl, address: tooShort }],
    [`AAPL address: ${tooShort} is not an address with its checksum (ERC-55).`],
  ],
  [
    'a token in lower case',
    [{ ...aapl, token: lowerCase }],
    [`AAPL token: ${lowerCase} is not an address with its checksum (ERC-55), which is ${aapl.token}.`],
  ],
  [
    'a token with another digit',
    [{ ...aapl, token: mistyped }],
    [`AAPL token: ${mistyped} is not an address with its checksum (ERC-55).`],
  ],
  [
    'a limit in other units',
    [{ ...aapl, maxAgeSeconds: 0.5 }],
    ['AAPL maxAgeSeconds: Invalid input: expected int, received number'],
  ],
])('%s has the errors of its feeds, with the network and the symbol', (_, feeds, errors) => {
  expect(findRegistryErrors({ ...registry, mainnet: feeds })).toEqual(errors.map(error => `mainnet ${error}`))
})

test('a network that is not in the table, one that is missing, and one without feeds are errors of the registry', () => {
  expect(findRegistryErrors({ ...rest, mainnet: [], 'test-net': testnet })).toEqual([
    'mainnet: Too small: expected array to have >=1 items',
    'testnet: Invalid input: expected array, received undefined',
    'Unrecognized key: "test-net"',
  ])
})

test('more feeds of a network than one HTTP request can read are an error of the registry', () => {
  const toAddress = (index: number) => `0x${index.toString().padStart(40, '0')}`
  const feeds = Array.from({ length: 1_001 }, (_, index) => ({
    symbol: `S${index}`,
    name: `N${index}`,
    address: toAddress(2 * index),
    token: toAddress(2 * index + 1),
    maxAgeSeconds: 1,
  }))
  expect(findRegistryErrors({ ...registry, mainnet: feeds.slice(1) })).toEqual([])
  expect(findRegistryErrors({ ...registry, mainnet: feeds })).toEqual([
    'mainnet: Too big: expected array to have <=1000 items',
  ])
})
