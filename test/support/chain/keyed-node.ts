import type { Address, Hex } from 'viem'
import { type Feed, feedsOf } from '../../../lambda/feeds/registry.ts'
import { type Network, networkFacts } from '../../../lambda/networks.ts'
import { addressesOf, encodeOutput, encodeRow, returned, rowWithoutCode, words } from './encoding.ts'
import { type FaultyNode, type Respond, startFaultyNode, toReply } from './faulty-node.ts'

/** A node that responds correctly to requests with its current key and refuses all others. */
export interface KeyedNode extends FaultyNode {
  /** Builds the RPC URL with a key, valid or not. */
  readonly toRpcUrl: (key: string) => string
  /** Makes this key the only valid one. */
  readonly accept: (key: string) => void
}

/** The latest block of a network without a chain. */
export const latestBlock = 4_711

/** What `latestDetail()` of a feed returns there. No two feeds of a network return the same. */
export function detailOf(network: Network, feed: Feed) {
  const sharePrice = 5_000_000_001n + BigInt(feedsOf(network).indexOf(feed))
  return { status: 0, answer: 2n * sharePrice, observedAt: 1_790_984_206n, sharePrice, multiplier: 2n * 10n ** 18n }
}

/** Encodes what the program returns for a request to a network on which every feed serves a price. */
export function toCorrectResult(network: Network, body: string, block = latestBlock): Hex {
  const head = { chainId: networkFacts[network].chain.id, time: Math.floor(Date.now() / 1_000), block }
  return encodeOutput(
    head,
    addressesOf(body).map(address => toRow(network, address)),
  )
}

/** Responds as a node of the mainnet. */
export const correct: Respond = (response, body) => response.end(toReply(body, toCorrectResult('mainnet', body)))

/** Starts a node of a network. It accepts no key yet. */
export async function startKeyedNode(network: Network): Promise<KeyedNode> {
  let accepted: string | undefined
  const node = await startFaultyNode((response, body) => {
    if (response.req.url !== `/${accepted}`) response.writeHead(401).end('unknown key')
    else response.end(toReply(body, toCorrectResult(network, body)))
  })
  return {
    ...node,
    toRpcUrl: key => `${node.url.origin}/${key}`,
    accept(key) {
      accepted = key
    },
  }
}

/** Encodes the row of a feed. An address that is no feed of the network has no code. */
function toRow(network: Network, address: Address): Hex {
  const feed = feedsOf(network).find(one => one.address.toLowerCase() === address.toLowerCase())
  if (feed === undefined) return rowWithoutCode
  const { status, answer, observedAt, sharePrice, multiplier } = detailOf(network, feed)
  const detail = words(status, answer, observedAt, sharePrice, multiplier)
  return encodeRow(returned(detail), returned(words(1, answer, observedAt, observedAt, 1)))
}
