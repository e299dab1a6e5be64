import { expect, test } from 'vitest'
import { findRegistryErrors, maxFeeds } from '../../../api/schemas/find-registry-errors.ts'
import registry from '../../../lambda/feeds/registry.json' with { type: 'json' }

const { mainnet, testnet, ...rest } = registry
const [aapl, crwd] = ['AAPL', 'CRWD'].map(wanted => mainnet.find(({ symbol }) => symbol === wanted)) as [Entry, Entry]
type Entry = (typeof mainnet)[number]

const symbolForm = 'A symbol has 1 to 20 letters, digits, ".", "_" or "-". It begins with neither "." nor "-".'
const nameForm = 'A name has 1 to 40 characters, and no white space at its ends.'
const noChecksum = 'is not an address with its checksum (ERC-55)'
const lowerCase = aapl.token.toLowerCase()
const tooShort = aapl.address.slice(0, -1)
const mistyped = aapl.token.replace(/.$/, digit => (digit === '1' ? '2' : '1'))

test.each<[changed: object, error: string]>([
  [{ symbol: 'crwd' }, 'crwd symbol: crwd is already the symbol of CRWD.'],
  [{ address: crwd.address }, `AAPL address: ${crwd.address} is already the address of CRWD.`],
  ...['A/B', '..', 'x'.repeat(21)].map((symbol): [object, string] => [{ symbol }, `${symbol} symbol: ${symbolForm}`]),
  ...['', ' Apple', 'x'.repeat(41)].map((name): [object, string] => [{ name }, `AAPL name: ${nameForm}`]),
  [{ name: undefined }, 'AAPL name: Invalid input: expected string, received undefined'],
  [{ address: tooShort }, `AAPL address: ${tooShort} ${noChecksum}.`],
  [{ token: lowerCase }, `AAPL token: ${lowerCase} ${noChecksum}, which is ${aapl.token}.`],
  [{ token: mistyped }, `AAPL token: ${mistyped} ${noChecksum}.`],
  [{ maxAgeSeconds: 0.5 }, 'AAPL maxAgeSeconds: Invalid input: expected int, received number'],
])('AAPL with %j beside CRWD is an error with the network and the symbol', (changed, error) => {
  const feeds = [crwd, { ...aapl, ...changed }]
  expect(findRegistryErrors({ ...registry, mainnet: feeds })).toEqual([`mainnet ${error}`])
})

test('a network that is not in the table, one that is missing, and one without feeds are errors of the registry', () => {
  expect(findRegistryErrors(registry)).toEqual([])
  expect(findRegistryErrors({ ...rest, mainnet: [], 'test-net': testnet })).toEqual([
    'mainnet: Too small: expected array to have >=1 items',
    'testnet: Invalid input: expected array, received undefined',
    'Unrecognized key: "test-net"',
  ])
})

test('more feeds of a network than one call can read are an error of the registry (D17)', () => {
  const toAddress = (index: number) => `0x${index.toString().padStart(40, '0')}`
  const feeds = Array.from({ length: maxFeeds + 1 }, (_, index) => ({
    ...aapl,
    symbol: `S${index}`,
    address: toAddress(2 * index),
    token: toAddress(2 * index + 1),
  }))
  expect(findRegistryErrors({ ...registry, mainnet: feeds.slice(1) })).toEqual([])
  expect(findRegistryErrors({ ...registry, mainnet: feeds })).toEqual([
    'mainnet: A network has at most 58 feeds: one call returns no more (EIP-170).',
  ])
})
