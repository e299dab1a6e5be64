import type { APIGatewayProxyEvent } from 'aws-lambda'
import type { Reading } from '../chain/read-call.ts'
import { toPriceRecord } from '../feeds/price-record.ts'
import { type Feed, findFeed } from '../feeds/registry.ts'
import { toHint, toUnknownSymbol } from '../feeds/unknown-symbol.ts'
import { type Network, networks } from '../networks.ts'
import { Problem } from '../problems.ts'
import { type Answer, createHandler, isHead, parseNetwork } from './http.ts'
import { readChain } from './read-chain.ts'

/** Answers `GET /price/{symbol}`: one feed price record. */
export const handler = createHandler('GET /price/{symbol}', async (event, context) => {
  const network = parseNetwork(event)
  const feed = parseFeed(network, event)
  if (isHead(event)) return { answer: undefined, log: { network, symbol: feed.symbol } }
  const { reading, log } = await readChain(network, [feed], context)
  return { answer: reading instanceof Problem ? reading : toAnswer(reading), log: { ...log, symbol: feed.symbol } }
})

function toAnswer({ head, reads: [read] }: Reading): Answer | Problem {
  if (read === undefined) return new Problem('internal')
  if ('unreadable' in read.reading) return new Problem('feed-unreadable', { reason: read.reading.unreadable })
  return { body: toPriceRecord(read.feed, read.reading, head), readAt: head.readAt }
}

/** @throws {Problem} `unknown-symbol` when no feed of the network has the symbol in the path (D7) */
function parseFeed(network: Network, { pathParameters }: APIGatewayProxyEvent): Feed {
  const symbol = pathParameters?.['symbol'] ?? ''
  const feed = findFeed(network, symbol)
  if (feed !== undefined) return feed
  const hints = networks.map(other => {
    const found = findFeed(other, symbol)
    return found === undefined ? '' : toHint(other, found.symbol)
  })
  throw toUnknownSymbol(network, hints.join(''))
}
