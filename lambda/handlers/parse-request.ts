import type { APIGatewayProxyEvent } from 'aws-lambda'
import { defaultNetwork, formatNetworks, isNetwork, type Network } from '../../api/networks.ts'
import { Problem } from '../../api/problems.ts'
import type { Settings } from '../settings.ts'

/** What a route needs of a request. */
export interface RouteRequest {
  readonly network: Network
  /** As it is in the path; empty for the list. */
  readonly symbol: string
  /** The URL above the routes, without a slash at its end. */
  readonly baseUrl: string
}

/** What the functions read of an event of API Gateway. Nothing else of it changes a response (D8). */
interface ParsedRequest extends Omit<RouteRequest, 'network'> {
  readonly method: string
  /** The problem is `unknown-network`. */
  readonly network: Network | Problem
  /** The mark of a deployment's own request, which a caller of the API cannot add to an event. */
  readonly caller: 'deployment' | undefined
}

/** Parses an event of API Gateway. */
export function parseRequest(event: APIGatewayProxyEvent, settings: Settings): ParsedRequest {
  return {
    method: event.httpMethod,
    network: parseNetwork(event),
    symbol: event.pathParameters?.['symbol'] ?? '',
    baseUrl: settings.publicBaseUrl ?? toStageUrl(event),
    caller: 'caller' in event && event.caller === 'deployment' ? 'deployment' : undefined,
  }
}

/** Parses the network; absent or empty means the default (D6). */
function parseNetwork({ queryStringParameters }: APIGatewayProxyEvent): Network | Problem {
  const text = queryStringParameters?.['network'] || defaultNetwork
  return isNetwork(text) ? text : new Problem('unknown-network', { networks: formatNetworks() })
}

/**
 * Returns the URL of the stage, taken from the gateway's own request context, never from a header (D18b).
 *
 * API Gateway serves https on the default port under a name. An IP address or `localhost` is the local gateway's, which
 * serves http.
 */
function toStageUrl({ requestContext: { domainName = '', stage } }: APIGatewayProxyEvent): string {
  const isLocal = /^(localhost|[\d.]+|\[[\d:a-f]+\])(:\d+)?$/.test(domainName)
  const origin = isLocal ? `http://${domainName}` : `https://${domainName.toLowerCase().replace(/:\d+$/, '')}`
  return `${origin}/${stage}`
}
