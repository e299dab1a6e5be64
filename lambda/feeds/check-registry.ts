import { getAddress, isAddress } from 'viem/utils'
import { isNetwork, networks } from '../networks.ts'

/** An entry of the registry, as it is written. */
interface Entry {
  readonly symbol: string
  /** The company or fund, which only the pages show. */
  readonly name: string
  readonly address: string
  readonly token: string
}

/** Feeds of one network: 18 calls of 58 feeds (D17), which fit into one attempt if a node takes 80 ms for each. */
const maxFeeds = 1_000

/** Names of environment variables and of parameters contain it. */
const networkForm = /^[a-z][a-z0-9]{0,19}$/

/** A symbol is a segment of a path that no URL has to encode. */
const symbolForm = /^\w[\w.-]{0,19}$/

/** The board has room for it below the symbol. */
const nameForm = /^\S(.{0,38}\S)?$/

/**
 * Checks the registry. Every synthesis does this, and with it the local run and the tests.
 *
 * @returns a sentence for each error
 * @example
 * checkRegistry(registry) // []
 */
export function checkRegistry(registry: Readonly<Record<string, readonly Entry[]>>): readonly string[] {
  return [
    ...networks.filter(network => !(network in registry)).map(network => `It has no feeds of the ${network}.`),
    ...Object.entries(registry).flatMap(([network, entries]) => [
      ...(isNetwork(network) ? [] : [`${network} is not a network. Known: ${networks.join(', ')}.`]),
      ...(networkForm.test(network)
        ? []
        : [`${network} is no name of a network: a-z and 0-9, beginning with a letter.`]),
      ...(entries.length <= maxFeeds ? [] : [`The ${network} has ${entries.length} feeds. The limit is ${maxFeeds}.`]),
      ...entries.flatMap(entry => findErrors(entry).map(error => `${entry.symbol} of the ${network}: ${error}`)),
      ...findRepeated(entries.map(({ symbol }) => symbol)).map(symbol => `The ${network} has ${symbol} twice.`),
      ...findRepeated(entries.flatMap(({ address, token }) => [address, token])).map(
        address => `The ${network} has the address ${address} twice.`,
      ),
    ]),
  ]
}

function findErrors({ symbol, name, address, token }: Entry): readonly string[] {
  const isSymbol = typeof symbol === 'string' && symbolForm.test(symbol)
  const isName = typeof name === 'string' && nameForm.test(name)
  return [
    ...(isSymbol ? [] : ['a symbol has 1 to 20 letters, digits, ".", "_" or "-".']),
    ...(isName ? [] : ['a name has 1 to 40 characters, and no white space at its ends.']),
    ...findAddressErrors(address),
    ...findAddressErrors(token),
  ]
}

function findAddressErrors(address: string): readonly string[] {
  if (!isAddress(address, { strict: false })) return [`${address} is not an address.`]
  const checksummed = getAddress(address)
  return address === checksummed ? [] : [`${address} is not checksummed. Either it is wrong, or it is ${checksummed}.`]
}

/** Finds the texts that are there before, ignoring case. */
function findRepeated(texts: readonly string[]): readonly string[] {
  const seen = texts.map(text => String(text).toLowerCase())
  return texts.filter((_, index) => seen.indexOf(seen[index] ?? '') < index)
}
