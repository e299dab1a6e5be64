import type { ServedChain } from '../../api/networks.ts'
import { Problem } from '../../api/problems.ts'
import type { PriceList, UnreadableFeed } from '../../api/schemas/list.ts'
import type { RawNumber } from './decimal.ts'
import { toExplorer, toPriceRecord } from './price-record.ts'
import type { FailedReading, FeedReading, ReadBlock } from './reading.ts'
import type { Feed } from './registry.ts'

/**
 * Converts what the feeds returned to the list. A feed that cannot be read is an entry with a problem.
 *
 * @param toUrl returns the absolute URL of a feed's price
 */
export function toPriceList(
  readBlock: ReadBlock,
  feeds: readonly (FeedReading | FailedReading)[],
  toUrl: (feed: Feed) => string,
): PriceList<RawNumber> {
  return {
    network: readBlock.chain.name,
    chainId: readBlock.chain.id,
    block: readBlock.block,
    readAt: readBlock.readAt.toISOString(),
    feeds: feeds.map(read =>
      'unreadable' in read
        ? toListedProblem(read, readBlock.chain, toUrl(read.feed))
        : toListedPrice(read, readBlock, toUrl(read.feed)),
    ),
  }
}

function toListedPrice(read: FeedReading, readBlock: ReadBlock, url: string) {
  const { name, maxAgeSeconds } = read.feed
  return { ...toPriceRecord(read, readBlock), name, maxAgeSeconds, url }
}

function toListedProblem({ feed, unreadable }: FailedReading, chain: ServedChain, url: string): UnreadableFeed {
  const { symbol, name, maxAgeSeconds, address, token } = feed
  const problem = new Problem('feed-unreadable', { reason: unreadable }).body
  return { symbol, name, maxAgeSeconds, feed: address, token, explorer: toExplorer(feed, chain), url, problem }
}
