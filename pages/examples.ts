import { type Network, networkFacts, toQuery } from '../api/networks.ts'
import { type Examples, exampleBaseUrl } from '../api/schemas/openapi.ts'
import { toPriceList } from '../lambda/feeds/price-list.ts'
import { toPriceRecord } from '../lambda/feeds/price-record.ts'
import type { FeedReading } from '../lambda/feeds/reading.ts'
import { type Feed, findFeed } from '../lambda/feeds/registry.ts'

/** The examples of the API's description, made of readings as the service makes its responses. */
export function createExamples(): Examples {
  const closed: FeedReading = {
    feed: toFeed('mainnet', 'CRWD'),
    detail: {
      status: 'Market closed',
      answer: 1_079_90000000n,
      sharePrice: 269_97500000n,
      multiplier: 4n * 10n ** 18n,
      observedAt: 1_790_984_206,
    },
    roundData: { answer: 1_079_90000000n },
  }
  const straddle: FeedReading = {
    feed: toFeed('testnet', 'labTSLA'),
    detail: {
      status: 'Straddle',
      answer: 1_290_51000000n,
      sharePrice: 430_17000000n,
      multiplier: 3n * 10n ** 18n,
      observedAt: 1_795_210_885,
    },
    roundData: { reverts: 'FeedUnavailable' },
  }
  const reason = 'latestDetail() reverted or ran out of gas'
  const unreadable = { feed: toFeed('testnet', 'TSLA'), hasCode: true, unreadable: reason }
  const mainnet = { chain: networkFacts.mainnet.chain, block: 79_242_031, readAt: new Date('2026-10-03T22:30:00.789Z') }
  const testnet = { chain: networkFacts.testnet.chain, block: 12_345_680, readAt: new Date('2026-11-20T21:56:34.076Z') }
  const toUrl = ({ symbol }: Feed) => `${exampleBaseUrl}/price/${symbol}${toQuery('testnet')}`
  return {
    PriceList: {
      summary: 'GET /price?network=testnet, shortened: a feed that is not served, and one that cannot be read',
      value: toPriceList(testnet, [straddle, unreadable], toUrl),
    },
    PriceRecord: {
      summary: 'A closed market; the feed serves its last price',
      value: toPriceRecord(closed, mainnet),
    },
  }
}

function toFeed(network: Network, symbol: string): Feed {
  const feed = findFeed(network, symbol)
  if (feed === undefined) throw new Error(`The registry has no ${symbol} of the ${network}, which is an example.`)
  return feed
}
