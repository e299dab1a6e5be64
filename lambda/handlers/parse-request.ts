import type { APIGatewayProxyEvent } from 'aws-lambda'
import { defaultNetwork, formatNetworks, isNetwork, type Network } from '../../api/networks.ts'
import { Problem } from '../../api/problems.ts'
import type { Settings } from '../settings.ts'

/** The fields of API Gateway's event that the functions read. No other field changes a response (D8). */
export interface ProxyEvent
  extends Pick<APIGatewayProxyEvent, 'httpMethod' | 'queryStringParameters' | 'pathParameters'> {
  readonly requestContext: { readonly domainName: string; readonly stage: string }
  /**
   * `deployment` marks a request that a deployment itself sent. A caller of the API cannot add this field to an event.
   */
  readonly caller?: unknown
}

export interface RouteRequest {
  readonly network: Network
  /** The symbol as it is in the path; empty for the list. */
  readonly symbol: string
}

/** @throws {Problem} `unknown-network` */
export function parseRequest(event: ProxyEvent): RouteRequest {
  const network = findNetwork(event)
  if (network === undefined) throw new Problem('unknown-network', { networks: formatNetworks() })
  return { network, symbol: event.pathParameters?.['symbol'] ?? '' }
}

/** Finds the network of a request; absent or empty means the default (D6). */
export function findNetwork({ queryStringParameters }: ProxyEvent): Network | undefined {
  const text = queryStringParameters?.['network'] || defaultNetwork
  return isNetwork(text) ? text : undefined
}

/**
 * Returns the URL above the routes, without a slash at its end. Without a public URL it is that of the stage, taken
 * from the gateway's own request context, never from a header (D18b).
 *
 * API Gateway serves https on the default port under a name, which may have a dot at its end. The local service serves
 * http, under an IP address or `localhost`.
 */
export function toBaseUrl({ requestContext }: ProxyEvent, { publicBaseUrl }: Settings): string {
  const { domainName, stage } = requestContext
  const isLocal = /^(localhost|[\d.]+|\[[\d:a-f]+\])(:\d+)?$/.test(domainName)
  const origin = isLocal ? `http://${domainName}` : `https://${domainName.toLowerCase().replace(/\.?(:\d+)?$/, '')}`
  return publicBaseUrl ?? `${origin}/${stage}`
}
