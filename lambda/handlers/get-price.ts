import { Problem } from '../../api/problems.ts'
import { toPriceRecord } from '../feeds/price-record.ts'
import type { ChainReading } from '../feeds/reading.ts'
import { findFeed } from '../feeds/registry.ts'
import { toUnknownSymbol } from '../feeds/unknown-symbol.ts'
import { createHandler, type Success } from './http.ts'
import { readChain } from './read-chain.ts'
import { toLogFields } from './request-log.ts'

export const handler = createHandler('GET /price/{symbol}', async ({ network, symbol }, settings) => {
  const feed = findFeed(network, symbol)
  if (feed === undefined) return { result: toUnknownSymbol(network, symbol), log: { network } }
  const { reading, trace } = await readChain(network, [feed], settings)
  const result = reading instanceof Problem ? reading : toSuccess(reading)
  return { result, log: { ...toLogFields(network, reading, trace), symbol: feed.symbol } }
})

function toSuccess(reading: ChainReading): Success | Problem {
  const [feed] = reading.feeds
  if (feed === undefined) throw new Error('A read of one feed returned no feed.')
  if ('unreadable' in feed) return new Problem('feed-unreadable', { reason: feed.unreadable })
  return { body: toPriceRecord(feed, reading), readAt: reading.readAt }
}
