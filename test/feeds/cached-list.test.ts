import { robinhood } from 'viem/chains'
import { expect, test } from 'vitest'
import { toPriceList } from '../../lambda/feeds/price-list.ts'
import { type FeedReading, feedStatuses } from '../../lambda/feeds/price-record.ts'
import { type Feed, feedsOf } from '../../lambda/feeds/registry.ts'
import { onChainStatuses, type StandInFeed } from '../../local/stand-in-feed.ts'
import { toStandInFeeds } from '../../local/stand-in-feeds.ts'

/** A stage does not cache a larger response. @see https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-caching.html */
const maxCachedBytes = 1_048_576

const head = { chain: robinhood, block: 79_242_033, readAt: new Date('2026-11-20T19:26:07.106Z') }
const baseUrl = 'https://abcdef1234.execute-api.us-east-1.amazonaws.com/v1'

function toReading(feed: Feed): FeedReading {
  const [state] = toStandInFeeds('mainnet', [feed], 1_795_202_767) as [StandInFeed]
  const { status, servesWhenClosed, ...detail } = state
  const serves = status === 'OK' || (status === 'MARKET_CLOSED' && servesWhenClosed)
  return {
    detail: { ...detail, status: feedStatuses[onChainStatuses.indexOf(status)] ?? 'No data' },
    round: serves ? { answer: detail.answer } : { reverts: 'FeedUnavailable' },
  }
}

/** The bytes of a list that repeats the mainnet's feeds, in all their statuses, up to this many. */
function countBytes(count: number): number {
  const mainnet = feedsOf('mainnet').map(feed => ({
    feed,
    url: `${baseUrl}/price/${feed.symbol}`,
    reading: toReading(feed),
  }))
  const listed = Array.from({ length: Math.ceil(count / mainnet.length) }, () => mainnet).flat()
  return Buffer.byteLength(JSON.stringify(toPriceList(head, listed.slice(0, count))))
}

test('a stage caches lists of some 1,400 feeds like the mainnet’s (README, D21)', () => {
  expect(countBytes(1_350)).toBeLessThanOrEqual(maxCachedBytes)
  expect(countBytes(1_500)).toBeGreaterThan(maxCachedBytes)
})
