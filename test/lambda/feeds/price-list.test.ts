import { robinhoodTestnet } from 'viem/chains'
import { expect, test } from 'vitest'
import { Problem } from '../../../api/problems.ts'
import { toPriceList } from '../../../lambda/feeds/price-list.ts'
import { type FeedReading, toPriceRecord } from '../../../lambda/feeds/price-record.ts'
import { type Feed, feedsOf } from '../../../lambda/feeds/registry.ts'

const readBlock = { chain: robinhoodTestnet, block: 7, readAt: new Date('2026-10-03T22:30:00.789Z') }
const [feed] = feedsOf('testnet') as [Feed, ...Feed[]]
const reading: FeedReading = {
  feed,
  detail: {
    status: 'Corporate action',
    answer: 12_345_678_901_234n,
    observedAt: 1_790_984_206,
    sharePrice: 12_345_678_901_234n,
    multiplier: 1_000_566_080_061_092_436n,
  },
  roundData: { reverts: 'FeedUnavailable' },
}

test('each feed of a list is its record with a name and a URL, or has a problem in its place', () => {
  const { symbol, name, address, token } = feed
  const url = `https://prices.example/v1/${symbol}`
  const explorerUrl = 'https://explorer.testnet.chain.robinhood.com'
  const explorer = { feed: `${explorerUrl}/address/${address}`, token: `${explorerUrl}/address/${token}` }
  const ofChain = { network: 'Robinhood Chain Testnet', chainId: 46_630 }
  const problem = new Problem('feed-unreadable', { reason: 'it is a test' }).document
  expect(toPriceList(readBlock, [reading, { feed, unreadable: 'it is a test' }], () => url)).toEqual({
    ...ofChain,
    block: 7,
    readAt: '2026-10-03T22:30:00.789Z',
    feeds: [
      { ...toPriceRecord(reading, readBlock), ...ofChain, explorer, name, url },
      { symbol, name, feed: address, token, explorer, url, problem },
    ],
  })
})

/**
 * A stage does not cache a larger response.
 *
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-caching.html
 */
const maxCachedBytes = 1_048_576

test('the 1,000 feeds that a network may have fit into a cached response', () => {
  const read = Array.from({ length: 1_000 }, (_, index) => ({
    ...reading,
    feed: { ...feed, symbol: `LONG-SYMBOL-${index}` },
  }))
  const toLongUrl = ({ symbol }: Feed) =>
    `https://abcdef1234.execute-api.us-east-1.amazonaws.com/v1/price/${symbol}?network=testnet`
  const text = JSON.stringify(toPriceList(readBlock, read, toLongUrl))
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(maxCachedBytes)
})
