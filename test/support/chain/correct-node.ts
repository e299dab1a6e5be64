import type { Address, Hex } from 'viem'
import { type Network, networkFacts } from '../../../api/networks.ts'
import { type Feed, feedsOf } from '../../../lambda/feeds/registry.ts'
import { addressesOf, encodeOutput, encodeRow, returned, revertingRow, rowWithoutCode, words } from './encoding.ts'
import { type Respond, toReply } from './faulty-node.ts'

/** The latest block of a network without a chain. */
export const latestBlock = 4_711

/** What `latestDetail()` of a feed returns there. No two feeds of a network return the same. */
export function detailOf(network: Network, feed: Feed) {
  const sharePrice = 5_000_000_001n + BigInt(feedsOf(network).indexOf(feed))
  return { status: 0, answer: 2n * sharePrice, observedAt: 1_790_984_206n, sharePrice, multiplier: 2n * 10n ** 18n }
}

/**
 * Encodes what the program returns for a request to a network on which every feed serves a price, except those that
 * have another row, by their place in the request.
 */
export function toCorrectResult(
  network: Network,
  body: string,
  block = latestBlock,
  toOtherRow: (place: number) => Hex | undefined = () => undefined,
): Hex {
  const rows = addressesOf(body).map((address, place) => toOtherRow(place) ?? toRow(network, address))
  return encodeOutput({ chainId: networkFacts[network].chain.id, time: Math.floor(Date.now() / 1_000), block }, rows)
}

/** Responds as a node of the mainnet. */
export const correct: Respond = (response, body) => response.end(toReply(body, toCorrectResult('mainnet', body)))

/** Responds as a node of the mainnet on which every feed has this row. */
export const everyFeed =
  (row: Hex, block?: number): Respond =>
  (response, body) =>
    response.end(
      toReply(
        body,
        toCorrectResult('mainnet', body, block, () => row),
      ),
    )

/** Responds as a node of the mainnet on which the first feeds of a request revert. */
export const firstReverting =
  (count: number): Respond =>
  (response, body) =>
    response.end(
      toReply(
        body,
        toCorrectResult('mainnet', body, latestBlock, place => (place < count ? revertingRow : undefined)),
      ),
    )

/** Encodes the row of a feed. An address that is no feed of the network has no code. */
function toRow(network: Network, address: Address): Hex {
  const feed = feedsOf(network).find(candidate => candidate.address.toLowerCase() === address.toLowerCase())
  if (feed === undefined) return rowWithoutCode
  const { status, answer, observedAt, sharePrice, multiplier } = detailOf(network, feed)
  const detail = words(status, answer, observedAt, sharePrice, multiplier)
  return encodeRow(returned(detail), returned(words(1, answer, observedAt, observedAt, 1)))
}
