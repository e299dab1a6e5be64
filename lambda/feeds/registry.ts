import type { Address } from 'viem'
import registry from './registry.json' with { type: 'json' }

/** A price feed and the token that it belongs to. */
export interface Feed {
  /** The token's ticker in the spelling of the answers. */
  readonly symbol: string
  /** The feed contract, checksummed. */
  readonly address: Address
  /** The token contract, checksummed. */
  readonly token: Address
}

/** The name of a served network, as in `?network=testnet`. */
export type Network = keyof typeof registry

/** Every served network. */
export const networks: readonly Network[] = ['mainnet', 'testnet']

/** Feeds of one network. One HTTP request makes at most 12 RPC requests to an endpoint (D17), each of which reads 100 feeds. */
const maxFeeds = 1_200

const feeds: Record<Network, readonly Feed[]> = {
  mainnet: parseFeeds(registry.mainnet),
  testnet: parseFeeds(registry.testnet),
}

/** Lists the feeds of a network in order of their symbol (D17). */
export function feedsOf(network: Network): readonly Feed[] {
  return feeds[network]
}

/**
 * Finds the feed of a symbol, case-insensitively (D7).
 *
 * @example
 * findFeed('mainnet', 'crwd')?.symbol // 'CRWD'
 */
export function findFeed(network: Network, symbol: string): Feed | undefined {
  const wanted = symbol.toLowerCase()
  return feeds[network].find(feed => feed.symbol.toLowerCase() === wanted)
}

/**
 * Parses a network's entries of the registry and sorts them by symbol.
 *
 * @throws {Error} when an address is invalid, or when there are more feeds than one HTTP request can read
 */
export function parseFeeds(entries: readonly Entry[]): readonly Feed[] {
  if (entries.length > maxFeeds)
    throw new Error(`The registry has ${entries.length} feeds of one network. The limit is ${maxFeeds}: see maxFeeds.`)
  return entries.map(parseFeed).sort(bySymbol)
}

type Entry = (typeof registry)[Network][number]

function parseFeed({ symbol, address, token }: Entry): Feed {
  if (!isAddress(address) || !isAddress(token)) throw new Error(`The registry's entry ${symbol} has no valid address.`)
  return { symbol, address, token }
}

// A test proves the checksums, so that a cold start does not hash every address.
function isAddress(text: string): text is Address {
  return /^0x[0-9a-fA-F]{40}$/.test(text)
}

function bySymbol(a: Feed, b: Feed): number {
  return a.symbol.toLowerCase() < b.symbol.toLowerCase() ? -1 : 1
}
