import type { APIGatewayProxyEvent } from 'aws-lambda'
import type { RouteMatch } from './routing.ts'

export type Header = readonly [name: string, value: string]

/** A request to the stage. */
export interface StageRequest {
  readonly requestId: string
  readonly httpMethod: string
  /** As sent, with the stage. */
  readonly path: string
  /** As sent, without its question mark. */
  readonly query: string
  /** A name may occur several times. */
  readonly headers: readonly Header[]
  readonly sourceIp: string
  readonly protocol: string
}

/** The stage that a request is sent to. */
export interface StageAddress {
  readonly apiId: string
  readonly stageName: string
  /** The gateway's own name, independent of the request's `Host`. */
  readonly domainName: string
}

/**
 * Creates the event that API Gateway sends to a function: payload format version 1.0, without the body of a request and
 * without what else it has of the request's id, time and domain.
 *
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-lambda-proxy-integrations.html#api-gateway-simple-proxy-for-lambda-input-format
 */
export function toProxyEvent(request: StageRequest, match: RouteMatch, stage: StageAddress): APIGatewayProxyEvent {
  const { httpMethod, path } = request
  const { resourcePath } = match.route
  const headers = group(request.headers)
  const query = request.query === '' ? null : parseQuery(request.query)
  return {
    resource: resourcePath,
    path: path.slice(stage.stageName.length + 1) || '/',
    httpMethod,
    headers: toLast(headers),
    multiValueHeaders: headers,
    queryStringParameters: query && toLast(query),
    multiValueQueryStringParameters: query,
    pathParameters: match.pathParameters,
    stageVariables: null,
    requestContext: toRequestContext(request, match, stage),
    body: null,
    isBase64Encoded: false,
  }
}

function toRequestContext(
  { requestId, httpMethod, path, headers, sourceIp, protocol }: StageRequest,
  { route: { resourceId, resourcePath } }: RouteMatch,
  { apiId, stageName, domainName }: StageAddress,
): APIGatewayProxyEvent['requestContext'] {
  return {
    accountId: '000000000000',
    apiId,
    authorizer: undefined,
    resourceId,
    resourcePath,
    httpMethod,
    path,
    stage: stageName,
    domainName,
    protocol,
    requestId,
    requestTimeEpoch: Date.now(),
    identity: {
      ...anonymous,
      sourceIp,
      userAgent: headers.findLast(([name]) => name.toLowerCase() === 'user-agent')?.[1] ?? null,
    },
  }
}

const anonymous = {
  accessKey: null,
  accountId: null,
  apiKey: null,
  apiKeyId: null,
  caller: null,
  clientCert: null,
  cognitoAuthenticationProvider: null,
  cognitoAuthenticationType: null,
  cognitoIdentityId: null,
  cognitoIdentityPoolId: null,
  principalOrgId: null,
  user: null,
  userArn: null,
}

/** In API Gateway, a semicolon separates parameters too. Invalid percent-encoding stays as sent. */
function parseQuery(query: string): Record<string, string[]> | null {
  // `URLSearchParams` removes the first question mark, which is not part of the query.
  const entries = [...new URLSearchParams(`?${query.replaceAll(';', '&')}`)]
  return entries.length === 0 ? null : group(entries)
}

function group(entries: readonly Header[]): Record<string, string[]> {
  const groups = Object.entries(Object.groupBy(entries, ([name]) => name))
  return Object.fromEntries(groups.map(([name, group = []]) => [name, group.map(([, value]) => value)]))
}

function toLast(groups: Record<string, string[]>): Record<string, string> {
  return Object.fromEntries(Object.entries(groups).map(([name, values]) => [name, values.at(-1) ?? '']))
}
