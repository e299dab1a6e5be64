import { randomBytes } from 'node:crypto'
import type { APIGatewayProxyEvent } from 'aws-lambda'
import { accountId } from './place.ts'
import type { Header } from './reply.ts'
import type { Found } from './routing.ts'

/** A request as it came. */
export interface StageRequest {
  readonly requestId: string
  readonly httpMethod: string
  /** The path as sent, with the stage. */
  readonly path: string
  /** The query as sent, without its question mark. */
  readonly query: string
  readonly headers: readonly Header[]
  /** As text; empty where there is none. */
  readonly body: string
  readonly sourceIp: string
  readonly protocol: string
}

/** The place that a request came to. */
export interface StagePlace {
  readonly apiId: string
  readonly stageName: string
  /** The gateway's own name, whatever name the request says. */
  readonly domainName: string
}

/** Makes the event that API Gateway hands to a function: version 1.0 of its payload. */
export function toProxyEvent(request: StageRequest, found: Found, place: StagePlace): APIGatewayProxyEvent {
  const { httpMethod, path } = request
  const { resourcePath } = found.route
  const headers = group(request.headers)
  const query = request.query === '' ? null : parseQuery(request.query)
  return {
    resource: resourcePath,
    path: path.slice(place.stageName.length + 1) || '/',
    httpMethod,
    headers: toLast(headers),
    multiValueHeaders: headers,
    queryStringParameters: query && toLast(query),
    multiValueQueryStringParameters: query,
    pathParameters: found.pathParameters,
    stageVariables: null,
    requestContext: toRequestContext(request, found, place),
    body: request.body === '' ? null : request.body,
    isBase64Encoded: false,
  }
}

function toRequestContext(
  { requestId, httpMethod, path, headers, sourceIp, protocol }: StageRequest,
  { route: { resourceId, resourcePath } }: Found,
  { apiId, stageName, domainName }: StagePlace,
): APIGatewayProxyEvent['requestContext'] {
  const now = new Date()
  return {
    accountId,
    apiId,
    authorizer: undefined,
    resourceId,
    resourcePath,
    httpMethod,
    path,
    stage: stageName,
    domainName,
    domainPrefix: domainName.split('.')[0],
    protocol,
    requestId,
    extendedRequestId: randomBytes(11).toString('base64'),
    requestTime: toLogTime(now),
    requestTimeEpoch: now.getTime(),
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

/** API Gateway takes a semicolon for the end of a parameter. What is not percent-encoded as it should be stays as it is. */
function parseQuery(query: string): Record<string, string[]> | null {
  const entries = [...new URLSearchParams(query.replaceAll(';', '&'))]
  return entries.length === 0 ? null : group(entries)
}

function group(entries: readonly Header[]): Record<string, string[]> {
  const groups = Object.entries(Object.groupBy(entries, ([name]) => name))
  return Object.fromEntries(groups.map(([name, group = []]) => [name, group.map(([, value]) => value)]))
}

function toLast(groups: Record<string, string[]>): Record<string, string> {
  return Object.fromEntries(Object.entries(groups).map(([name, values]) => [name, values.at(-1) ?? '']))
}

/** Writes a time as web servers' logs do: `09/Apr/2015:12:34:56 +0000`. */
function toLogTime(time: Date): string {
  const [, day, month, year, clock] = time.toUTCString().split(' ')
  return `${day}/${month}/${year}:${clock} +0000`
}
