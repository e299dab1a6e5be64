import { toQuery } from '../../api/networks.ts'
import { Problem } from '../../api/problems.ts'
import { toPriceList } from '../feeds/price-list.ts'
import { feedsOf } from '../feeds/registry.ts'
import { createHandler } from './http.ts'
import { readChain } from './read-chain.ts'
import { toLogFields } from './request-log.ts'

export const handler = createHandler('GET /price', async ({ network, baseUrl }, settings) => {
  const { reading, trace } = await readChain(network, feedsOf(network), settings)
  const log = toLogFields(network, reading, trace)
  if (reading instanceof Problem) return { result: reading, log }
  const body = toPriceList(reading, reading.feeds, ({ symbol }) => `${baseUrl}/price/${symbol}${toQuery(network)}`)
  return { result: { body, readAt: reading.readAt }, log }
})
