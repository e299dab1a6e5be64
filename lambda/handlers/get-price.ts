import type { APIGatewayProxyEvent } from 'aws-lambda'
import { toPriceRecord } from '../feeds/price-record.ts'
import { type Feed, findFeed, type Network } from '../feeds/registry.ts'
import { Internal, Problem, UnknownSymbol } from '../problems.ts'
import { createHandler, parseNetwork } from './http.ts'
import { readChain } from './read-chain.ts'

/** Answers `GET /price/{symbol}`: one feed price record. */
export const handler = createHandler('GET /price/{symbol}', async (event, context, notes) => {
  const network = parseNetwork(event)
  const feed = parseFeed(network, event)
  notes.symbol = feed.symbol
  const { head, reads } = await readChain(network, [feed], context, notes)
  const [read] = reads
  if (read === undefined || read.reading instanceof Problem) throw read?.reading ?? new Internal()
  return { body: toPriceRecord(feed, read.reading, head), readAt: head.readAt }
})

/** @throws {UnknownSymbol} when no feed of the network has the symbol in the path (D7). */
function parseFeed(network: Network, { pathParameters }: APIGatewayProxyEvent): Feed {
  const feed = findFeed(network, pathParameters?.['symbol'] ?? '')
  if (feed === undefined) throw new UnknownSymbol(network === 'mainnet' ? '/price' : '/price?network=testnet')
  return feed
}
