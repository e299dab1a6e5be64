import { robinhoodTestnet } from 'viem/chains'
import { expect, test } from 'vitest'
import { toPriceList } from '../../lambda/feeds/price-list.ts'
import { toPriceRecord } from '../../lambda/feeds/price-record.ts'
import { type Feed, feedsOf } from '../../lambda/feeds/registry.ts'

const readBlock = { chain: robinhoodTestnet, block: 7, readAt: new Date('2026-10-03T22:30:00.789Z') }
const testnet = feedsOf('testnet').filter(({ symbol }) => ['AMD', 'AMZN'].includes(symbol))
const [amd, amzn] = testnet as [Feed, Feed]
const toUrl = ({ symbol }: Feed) => `https://example.test/v1/price/${symbol}?network=testnet`
const detail = { status: 'OK', answer: 1n, observedAt: 1, sharePrice: 1n, multiplier: 1n } as const

test('an unreadable feed is an entry with a problem (D18)', () => {
  const read = testnet.map((feed, index) =>
    index === 1 ? { feed, unreadable: 'no contract is at its address' } : { feed, detail, roundData: { answer: 1n } },
  )
  const { feeds, ...list } = JSON.parse(JSON.stringify(toPriceList(readBlock, read, toUrl)))
  expect(list).toEqual({
    network: 'Robinhood Chain Testnet',
    chainId: 46630,
    block: 7,
    readAt: '2026-10-03T22:30:00.789Z',
  })
  expect(feeds).toHaveLength(2)
  expect(feeds[0]).toEqual({
    ...JSON.parse(JSON.stringify(toPriceRecord({ feed: amd, detail, roundData: { answer: 1n } }, readBlock))),
    name: 'Advanced Micro Devices',
    url: 'https://example.test/v1/price/AMD?network=testnet',
  })
  expect(feeds[1]).toEqual({
    symbol: 'AMZN',
    name: 'Amazon',
    feed: '0x368A8E2D17271E55f8378BaB2424929b249C5667',
    token: '0x5884aD2f920c162CFBbACc88C9C51AA75eC09E02',
    explorer: {
      feed: 'https://explorer.testnet.chain.robinhood.com/address/0x368A8E2D17271E55f8378BaB2424929b249C5667',
      token: 'https://explorer.testnet.chain.robinhood.com/address/0x5884aD2f920c162CFBbACc88C9C51AA75eC09E02',
    },
    url: 'https://example.test/v1/price/AMZN?network=testnet',
    problem: {
      type: 'urn:problem-type:price-lookup:feed-unreadable',
      title: 'Feed unreadable',
      status: 502,
      detail: 'The chain answered, but this feed cannot be read: no contract is at its address.',
    },
  })
})

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
    feed: { ...amzn, symbol: `LONG-SYMBOL-${index}` },
    detail: long,
    roundData: { reverts: 'FeedUnavailable' },
  }))
  const toLongUrl = ({ symbol }: Feed) =>
    `https://abcdef1234.execute-api.us-east-1.amazonaws.com/v1/price/${symbol}?network=testnet`
  const text = JSON.stringify(toPriceList(readBlock, read, toLongUrl))
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(maxCachedBytes)
})
