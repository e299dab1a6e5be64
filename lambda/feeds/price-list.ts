import type { Address } from 'viem'
import { Problem, type ProblemDocument } from '../problems.ts'
import {
  type Explorer,
  type FeedReading,
  type Head,
  type PriceRecord,
  type ServedChain,
  toExplorer,
  toPriceRecord,
  type UnreadableFeed,
} from './price-record.ts'
import type { Feed } from './registry.ts'

/** Every feed of a network at one block (D17). */
export interface PriceList {
  readonly network: string
  readonly chainId: number
  readonly block: number
  readonly readAt: string
  readonly feeds: readonly (ListedPrice | ListedProblem)[]
}

/** A feed's record and the absolute URL of its price. */
interface ListedPrice extends PriceRecord {
  readonly url: string
}

/** A feed's entry when the feed cannot be read (D18). */
interface ListedProblem {
  readonly symbol: string
  readonly feed: Address
  readonly token: Address
  readonly explorer: Explorer
  readonly url: string
  readonly problem: ProblemDocument
}

/**
 * Converts what the feeds returned to the list. A feed that cannot be read is an entry among the others.
 *
 * @param toUrl gives the absolute URL of a feed's price
 */
export function toPriceList(
  head: Head,
  feeds: readonly (FeedReading | UnreadableFeed)[],
  toUrl: (feed: Feed) => string,
): PriceList {
  return {
    network: head.chain.name,
    chainId: head.chain.id,
    block: head.block,
    readAt: head.readAt.toISOString(),
    feeds: feeds.map(read =>
      'unreadable' in read
        ? toListedProblem(read, head.chain, toUrl(read.feed))
        : { ...toPriceRecord(read, head), url: toUrl(read.feed) },
    ),
  }
}

function toListedProblem({ feed, unreadable }: UnreadableFeed, chain: ServedChain, url: string): ListedProblem {
  const { symbol, address, token } = feed
  const problem = new Problem('feed-unreadable', { reason: unreadable }).document
  return { symbol, feed: address, token, explorer: toExplorer(feed, chain), url, problem }
}
