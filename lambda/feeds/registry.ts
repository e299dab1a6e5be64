import type { Address } from 'viem'
import { type Network, ofEachNetwork } from '../../api/networks.ts'
import registry from './registry.json' with { type: 'json' }

export interface Feed {
  /** The ticker with which the feed's `description()` begins, in the spelling of the responses. */
  readonly symbol: string
  /** The name of the company or fund. */
  readonly name: string
  /** The feed contract's address. It and the token's are checksummed. */
  readonly address: Address
  readonly token: Address
  /** The age in seconds above which the contract no longer returns `OK`: its `maxAge()`, a constant. */
  readonly maxAgeSeconds: number
}

const feeds = ofEachNetwork(network => parseFeeds(registry[network]))

/** Lists the feeds of a network in order of their symbol. */
export function feedsOf(network: Network): readonly Feed[] {
  return feeds[network]
}

/**
 * Finds the feed of a symbol, case-insensitively.
 *
 * @example
 * findFeed('mainnet', 'crwd')?.symbol // 'CRWD'
 */
export function findFeed(network: Network, symbol: string): Feed | undefined {
  const wanted = symbol.toLowerCase()
  return feeds[network].find(feed => feed.symbol.toLowerCase() === wanted)
}

type RegistryEntry = (typeof registry)[Network][number]

/**
 * Parses a network's entries of the registry and sorts them by symbol.
 *
 * @throws {Error} when an address is invalid
 */
export function parseFeeds(entries: readonly RegistryEntry[]): readonly Feed[] {
  return entries.map(parseFeed).sort((a, b) => (a.symbol.toLowerCase() < b.symbol.toLowerCase() ? -1 : 1))
}

function parseFeed({ symbol, name, address, token, maxAgeSeconds }: RegistryEntry): Feed {
  if (!isAddress(address) || !isAddress(token))
    throw new Error(`The registry's entry ${symbol} has an address that is not valid.`)
  return { symbol, name, address, token, maxAgeSeconds }
}

// A synthesis checks the checksums (`api/schemas/find-registry-errors.ts`), so a cold start does not hash every
// address.
function isAddress(text: string): text is Address {
  return /^0x[0-9a-fA-F]{40}$/.test(text)
}
