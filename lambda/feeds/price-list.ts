import type { Address } from 'viem'
import { FeedUnreadable, type ProblemDocument } from '../problems.ts'
import {
  type Explorer,
  type FeedReading,
  type Head,
  type PriceRecord,
  type ServedChain,
  toExplorer,
  toPriceRecord,
} from './price-record.ts'
import type { Feed } from './registry.ts'

/** Every feed of a network at one block (D17). */
export interface PriceList {
  readonly network: string
  readonly chainId: number
  readonly block: number
  readonly readAt: string
  readonly feeds: readonly (ListedPrice | UnreadableFeed)[]
}

/** A feed's record, and the absolute URL of its price. */
interface ListedPrice extends PriceRecord {
  readonly url: string
}

/** A feed's entry when the feed itself cannot be read (D18). */
interface UnreadableFeed {
  readonly symbol: string
  readonly feed: Address
  readonly token: Address
  readonly explorer: Explorer
  readonly url: string
  readonly problem: ProblemDocument
}

/** What an entry is made of. */
interface ListedFeed {
  readonly feed: Feed
  readonly url: string
  readonly reading: FeedReading | FeedUnreadable
}

/** Shapes what the feeds said into the list; one that cannot be read is an entry among the others. */
export function toPriceList(head: Head, feeds: readonly ListedFeed[]): PriceList {
  return {
    network: head.chain.name,
    chainId: head.chain.id,
    block: head.block,
    readAt: head.readAt.toISOString(),
    feeds: feeds.map(({ feed, url, reading }) =>
      reading instanceof FeedUnreadable
        ? toUnreadableFeed(feed, reading, head.chain, url)
        : { ...toPriceRecord(feed, reading, head), url },
    ),
  }
}

function toUnreadableFeed(feed: Feed, unreadable: FeedUnreadable, chain: ServedChain, url: string): UnreadableFeed {
  const { symbol, address, token } = feed
  return { symbol, feed: address, token, explorer: toExplorer(feed, chain), url, problem: unreadable.document }
}
