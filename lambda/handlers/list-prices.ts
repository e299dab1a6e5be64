import type { APIGatewayEventRequestContext } from 'aws-lambda'
import { toPriceList } from '../feeds/price-list.ts'
import { feedsOf } from '../feeds/registry.ts'
import { toQuery } from '../networks.ts'
import { Problem } from '../problems.ts'
import { findPublicBaseUrl } from '../settings.ts'
import { createHandler, isHead, parseNetwork } from './http.ts'
import { readChain } from './read-chain.ts'
import { toLogFields } from './request-log.ts'

/** Answers `GET /price`: every feed of the network, each with the URL of its price. */
export const handler = createHandler('GET /price', async (event, context) => {
  const network = parseNetwork(event)
  if (isHead(event)) return { result: undefined, log: { network } }
  const { reading, trace } = await readChain(network, feedsOf(network), context)
  const log = toLogFields(network, reading, trace)
  if (reading instanceof Problem) return { result: reading, log }
  const { head, feeds } = reading
  const baseUrl = findPublicBaseUrl() ?? toBaseUrl(event.requestContext)
  const body = toPriceList(head, feeds, ({ symbol }) => `${baseUrl}/price/${symbol}${toQuery(network)}`)
  return { result: { body, readAt: head.readAt }, log }
})

/**
 * Gives the URL of the stage that a request came to from the gateway's own request context, never from a header (D18b).
 *
 * API Gateway serves https on the default port under a name. An IP address or `localhost` is the local gateway's, which serves http.
 */
function toBaseUrl({ domainName = '', path }: APIGatewayEventRequestContext): string {
  const isLocal = /^(localhost|[\d.]+|\[[\d:a-f]+\])(:\d+)?$/.test(domainName)
  const origin = isLocal ? `http://${domainName}` : `https://${domainName.toLowerCase().replace(/:\d+$/, '')}`
  return origin + path.replace(/\/+[^/]*\/*$/, '')
}
