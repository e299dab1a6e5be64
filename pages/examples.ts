import { parseUnits } from 'viem/utils'
import { type Network, networkFacts, toQuery } from '../api/networks.ts'
import { type Examples, exampleBaseUrl } from '../api/schemas/openapi.ts'
import type { FeedStatus } from '../api/statuses.ts'
import { toPriceList } from '../lambda/feeds/price-list.ts'
import { type FeedReading, type ReadBlock, toPriceRecord } from '../lambda/feeds/price-record.ts'
import { type Feed, findFeed } from '../lambda/feeds/registry.ts'

/** The examples of the API's description, made of readings as the service makes its responses. */
export function createExamples(): Examples {
  const testnet = toReadBlock('testnet', 12_345_680, '2026-11-20T21:56:34.076Z')
  const readings = [
    toReading('testnet', 'AMD', 'OK', '236.78', '1', '2026-11-20T21:55:55Z'),
    toReading('testnet', 'AMZN', 'Corporate action', '232.14', '1', '2026-11-20T21:45:54Z'),
    toReading('testnet', 'labTSLA', 'Straddle', '430.17', '3', '2026-11-20T21:41:25Z'),
    toReading('testnet', 'NFLX', 'Stale', '110.29', '10', '2026-11-20T19:26:25Z'),
    toReading('testnet', 'PLTR', 'No data', '0', '0', '1970-01-01T00:00:00Z'),
    { feed: toFeed('testnet', 'TSLA'), unreadable: 'latestDetail() reverted or ran out of gas' },
  ]
  const toUrl = ({ symbol }: Feed) => `${exampleBaseUrl}/price/${symbol}${toQuery('testnet')}`
  return {
    PriceList: {
      summary: "The testnet's feeds; one of them cannot be read",
      value: toPriceList(testnet, readings, toUrl),
    },
    PriceRecord: {
      summary: 'A closed market; the feed serves its last price',
      value: toPriceRecord(
        toReading('mainnet', 'CRWD', 'Market closed', '269.975', '4', '2026-10-02T23:36:46Z'),
        toReadBlock('mainnet', 79_242_031, '2026-10-03T22:30:00.789Z'),
      ),
    },
  }
}

/** What a feed returned. It serves its price under `OK` and `Market closed`. */
function toReading(
  network: Network,
  symbol: string,
  status: FeedStatus,
  sharePrice: string,
  multiplier: string,
  observedAt: string,
): FeedReading {
  const detail = {
    status,
    answer: parseUnits(sharePrice, 8) * BigInt(multiplier),
    sharePrice: parseUnits(sharePrice, 8),
    multiplier: parseUnits(multiplier, 18),
    observedAt: Date.parse(observedAt) / 1_000,
  }
  const isServed = ['OK', 'Market closed'].includes(status)
  const roundData = isServed ? { answer: detail.answer } : { reverts: 'FeedUnavailable' }
  return { feed: toFeed(network, symbol), detail, roundData }
}

function toReadBlock(network: Network, block: number, readAt: string): ReadBlock {
  return { chain: networkFacts[network].chain, block, readAt: new Date(readAt) }
}

function toFeed(network: Network, symbol: string): Feed {
  const feed = findFeed(network, symbol)
  if (feed === undefined) throw new Error(`The registry has no ${symbol} of the ${network}, which is an example.`)
  return feed
}
