import type { APIGatewayEventRequestContext } from 'aws-lambda'
import { toPriceList } from '../feeds/price-list.ts'
import { feedsOf } from '../feeds/registry.ts'
import { createHandler, parseNetwork } from './http.ts'
import { readChain } from './read-chain.ts'

/** Answers `GET /price`: every feed of the network, each with the URL of its price. */
export const handler = createHandler('GET /price', async (event, context, notes) => {
  const network = parseNetwork(event)
  const { head, reads } = await readChain(network, feedsOf(network), context, notes)
  const baseUrl = toBaseUrl(event.requestContext)
  const query = network === 'mainnet' ? '' : `?network=${network}`
  const listed = reads.map(({ feed, reading }) => ({ feed, reading, url: `${baseUrl}/price/${feed.symbol}${query}` }))
  return { body: toPriceList(head, listed), readAt: head.readAt }
})

/**
 * Gives the API's public address, from what the gateway itself says of it and nothing that a caller sends (D18b).
 *
 * API Gateway serves https on its default port alone, under a name; an address and a port are a gateway's on a developer's machine.
 */
function toBaseUrl({ domainName = '', path }: APIGatewayEventRequestContext): string {
  const isLocal = /^(localhost|[\d.]+|\[[\d:a-f]+\])(:\d+)?$/.test(domainName)
  const origin = isLocal ? `http://${domainName}` : `https://${domainName.toLowerCase().replace(/:\d+$/, '')}`
  return origin + path.replace(/\/+[^/]*\/*$/, '')
}
