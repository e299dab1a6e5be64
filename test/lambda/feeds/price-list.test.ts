import { expect, test } from 'vitest'
import { networkFacts } from '../../../api/networks.ts'
import { Problem } from '../../../api/problems.ts'
import { toPriceList } from '../../../lambda/feeds/price-list.ts'
import { toPriceRecord } from '../../../lambda/feeds/price-record.ts'
import type { FeedReading } from '../../../lambda/feeds/reading.ts'
import { type Feed, feedsOf } from '../../../lambda/feeds/registry.ts'

const readBlock = { chain: networkFacts.testnet.chain, block: 7, readAt: new Date('2026-10-03T22:30:00.789Z') }
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

test('each feed of a list is its record with a name, a limit and a URL, or has a problem in its place', () => {
  const { symbol, name, maxAgeSeconds, address, token } = feed
  const url = `https://prices.example/v1/${symbol}`
  const explorerUrl = 'https://explorer.testnet.chain.robinhood.com'
  const explorer = { feed: `${explorerUrl}/address/${address}`, token: `${explorerUrl}/address/${token}` }
  const ofChain = { network: 'Robinhood Chain Testnet', chainId: 46_630 }
  const problem = new Problem('feed-unreadable', { reason: 'it is a test' }).body
  const failed = { feed, hasCode: true, unreadable: 'it is a test' }
  expect(toPriceList(readBlock, [reading, failed], () => url)).toEqual({
    ...ofChain,
    block: 7,
    readAt: '2026-10-03T22:30:00.789Z',
    feeds: [
      { ...toPriceRecord(reading, readBlock), ...ofChain, explorer, name, maxAgeSeconds, url },
      { symbol, name, maxAgeSeconds, feed: address, token, explorer, url, problem },
    ],
  })
})
