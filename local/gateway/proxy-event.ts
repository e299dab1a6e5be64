import type { APIGatewayProxyEvent } from 'aws-lambda'
import type { RouteMatch } from './routing.ts'

/** A request to the stage. */
export interface StageRequest {
  readonly httpMethod: string
  /** As sent, with the stage. */
  readonly path: string
  /** As sent, without its question mark. */
  readonly query: string
  /** A name may occur several times. */
  readonly headers: readonly (readonly [name: string, value: string])[]
}

/** The stage that a request is sent to. */
export interface StageAddress {
  readonly stageName: string
  /** The gateway's own name, independent of the request's `Host`. */
  readonly domainName: string
}

type Fields = 'resource' | 'path' | 'httpMethod' | 'headers' | 'queryStringParameters' | 'pathParameters'

/** The fields of an event on which a response may depend (D8). API Gateway sends more. */
export interface ProxyEvent extends Pick<APIGatewayProxyEvent, Fields> {
  readonly requestContext: Pick<APIGatewayProxyEvent['requestContext'], 'domainName' | 'stage'>
}

/**
 * Creates the event that API Gateway sends to a function: payload format version 1.0.
 *
 * Of headers and parameters with one name, the last counts.
 *
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-lambda-proxy-integrations.html#api-gateway-simple-proxy-for-lambda-input-format
 */
export function toProxyEvent(request: StageRequest, match: RouteMatch, stage: StageAddress): ProxyEvent {
  const { stageName, domainName } = stage
  return {
    resource: match.route.resourcePath,
    path: request.path.slice(stageName.length + 1) || '/',
    httpMethod: request.httpMethod,
    headers: Object.fromEntries(request.headers),
    queryStringParameters: parseQuery(request.query),
    pathParameters: match.pathParameters,
    requestContext: { domainName, stage: stageName },
  }
}

/** In API Gateway, a semicolon separates parameters too. Invalid percent-encoding stays as sent. */
function parseQuery(query: string): Record<string, string> | null {
  // `URLSearchParams` removes the first question mark, which is not part of the query.
  const parameters = new URLSearchParams(`?${query.replaceAll(';', '&')}`)
  return parameters.size === 0 ? null : Object.fromEntries(parameters)
}
