import { robinhoodTestnet } from 'viem/chains'
import { expect, test } from 'vitest'
import { toPriceList } from '../../../lambda/feeds/price-list.ts'
import { type Feed, feedsOf } from '../../../lambda/feeds/registry.ts'

const readBlock = { chain: robinhoodTestnet, block: 7, readAt: new Date('2026-10-03T22:30:00.789Z') }
const [feed] = feedsOf('testnet') as [Feed, ...Feed[]]

/**
 * A stage does not cache a larger response.
 *
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-caching.html
 */
const maxCachedBytes = 1_048_576

test('the 1,000 feeds that a network may have fit into a cached response', () => {
  const long = {
    status: 'Corporate action',
    answer: 12_345_678_901_234n,
    observedAt: 1_790_984_206,
    sharePrice: 12_345_678_901_234n,
    multiplier: 1_000_566_080_061_092_436n,
  } as const
  const read = Array.from({ length: 1_000 }, (_, index) => ({
    feed: { ...feed, symbol: `LONG-SYMBOL-${index}` },
    detail: long,
    roundData: { reverts: 'FeedUnavailable' },
  }))
  const toLongUrl = ({ symbol }: Feed) =>
    `https://abcdef1234.execute-api.us-east-1.amazonaws.com/v1/price/${symbol}?network=testnet`
  const text = JSON.stringify(toPriceList(readBlock, read, toLongUrl))
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(maxCachedBytes)
})
