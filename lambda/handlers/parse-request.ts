import type { APIGatewayProxyEvent } from 'aws-lambda'
import { defaultNetwork, formatNetworks, type Network, networks } from '../../api/networks.ts'
import { Problem } from '../../api/problems.ts'
import { stageName } from '../../api/routes.ts'
import type { Settings } from '../settings.ts'

/** The fields of API Gateway's event that {@link parseEvent} reads. */
export interface ProxyEvent
  extends Pick<APIGatewayProxyEvent, 'httpMethod' | 'queryStringParameters' | 'pathParameters'> {
  readonly requestContext: { readonly domainName: string; readonly stage: string }
  /**
   * `deployment` marks a request that a deployment itself sent. A caller of the API cannot add this field to an event.
   */
  readonly caller?: unknown
}

/** What a function takes of an event. No other field of the event changes a response (D8). */
export interface GatewayRequest {
  readonly method: string
  /** The parameter `network`. API Gateway sends a text, or none. */
  readonly network: unknown
  /** The symbol as it is in the path; empty for the list. */
  readonly symbol: string
  /** The host of the API; empty if the event has none. */
  readonly host: string
  readonly stage: string
  readonly isOfDeployment: boolean
}

/** What a route gets. */
export interface RouteRequest {
  readonly network: Network
  /** The symbol as it is in the path; empty for the list. */
  readonly symbol: string
  /** The URL above the routes, without a slash at its end. */
  readonly baseUrl: string
}

/**
 * Parses an event. Accepts any JSON value, because a function can be invoked with any: another field than `network` that
 * is missing or is no text counts as empty. AWS's own sample of an event of API Gateway, for example, has no host.
 */
export function parseEvent(event: unknown): GatewayRequest {
  const { httpMethod, queryStringParameters, pathParameters, requestContext, caller } = fieldsOf(event)
  const { domainName, stage } = fieldsOf(requestContext)
  return {
    method: toText(httpMethod),
    network: fieldsOf(queryStringParameters)['network'],
    symbol: toText(fieldsOf(pathParameters)['symbol']),
    host: toText(domainName),
    stage: toText(stage) || stageName,
    isOfDeployment: caller === 'deployment',
  }
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' ? { ...value } : {}
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** @throws {Problem} `unknown-network` */
export function parseRequest(request: GatewayRequest, settings: Settings): RouteRequest {
  const network = findNetwork(request)
  if (network === undefined) throw new Problem('unknown-network', { networks: formatNetworks() })
  return { network, symbol: request.symbol, baseUrl: toBaseUrl(request, settings) }
}

/** Finds the network of a request; absent or empty means the default (D6). */
export function findNetwork({ network }: GatewayRequest): Network | undefined {
  const wanted = (network ?? '') === '' ? defaultNetwork : network
  return networks.find(known => known === wanted)
}

/**
 * Returns the URL above the routes, without a slash at its end. Without a public URL it is that of the stage, taken
 * from the gateway's own request context, never from a header (D18b). If the event has no host, it is the path of the
 * stage.
 */
export function toBaseUrl({ host, stage }: GatewayRequest, { publicBaseUrl }: Settings): string {
  return publicBaseUrl ?? `${host === '' ? '' : toOrigin(host)}/${stage}`
}

/**
 * API Gateway serves https on the default port under a name, which may have a dot at its end. The local service serves
 * http, under an IP address or `localhost`.
 */
function toOrigin(host: string): string {
  const isLocal = /^(localhost|[\d.]+|\[[\d:a-f]+\])(:\d+)?$/.test(host)
  return isLocal ? `http://${host}` : `https://${host.toLowerCase().replace(/\.?(:\d+)?$/, '')}`
}
