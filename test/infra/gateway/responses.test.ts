import { expect, test } from 'vitest'
import { documentRoutes, priceRoutes } from '../../../api/routes.ts'
import { type AnyResponse, expectDocumented } from '../../support/contract/documented.ts'
import { allOf, prod, synthesise } from '../../support/infra/synthesise.ts'

interface GatewayResponse {
  readonly ResponseType: string
  readonly StatusCode?: string
  readonly ResponseParameters: Readonly<Record<string, string>>
  readonly ResponseTemplates: Readonly<Record<string, string>>
}

const template = synthesise(prod, 'prod')
const responses = allOf<GatewayResponse>(template, 'ApiGateway::GatewayResponse')

/**
 * The statuses of responses without one, by API Gateway's documentation. A 401 needs an authorizer, and a 413 cannot be
 * customised.
 *
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/supported-gateway-response-types.html
 */
const inherited: Record<string, readonly number[]> = {
  DEFAULT_4XX: [400, 403],
  DEFAULT_5XX: [500],
  UNSUPPORTED_MEDIA_TYPE: [415],
}

/** The requests that can have a response of the gateway. */
function requestsOf({ ResponseType, StatusCode }: GatewayResponse) {
  const prices = priceRoutes.map(({ path }) => ({ method: 'GET', path }))
  const documents = documentRoutes.map(({ path }) => ({ method: 'GET', path }))
  const preflights = [...prices, ...documents].map(({ path }) => ({ method: 'OPTIONS', path }))
  const unknown = { method: 'GET', path: '/nowhere' }
  // The response for an unknown route is never that of a known path.
  if (StatusCode === '404') return [unknown]
  // Only a function can fail. Only a function accepts any body, so documents and preflights alone respond with 415.
  if (ResponseType.startsWith('INTEGRATION_')) return prices
  if (ResponseType === 'UNSUPPORTED_MEDIA_TYPE') return [...documents, ...preflights]
  return [unknown, ...prices, ...documents, ...preflights]
}

/** A response of the gateway as a client receives it for a request. */
function toReplies(response: GatewayResponse, request: Pick<AnyResponse, 'method' | 'path'>): readonly AnyResponse[] {
  const { ResponseType, StatusCode, ResponseParameters, ResponseTemplates } = response
  const headers = Object.entries(ResponseParameters).map(([name, value]) => [
    name.replace('gatewayresponse.header.', ''),
    value.slice(1, -1),
  ])
  const text = String(ResponseTemplates['application/json'])
  const statuses = inherited[ResponseType] ?? [Number(StatusCode)]
  return statuses.map(status => ({ ...request, status, headers: Object.fromEntries(headers), text }))
}

test.each(responses)('the gateway’s own response $ResponseType is documented where it can occur (D19)', response => {
  for (const reply of requestsOf(response).flatMap(request => toReplies(response, request))) expectDocumented(reply)
})

test('these are the gateway’s own responses, with their statuses, and scripts may read their headers (D20)', () => {
  expect(responses.map(({ ResponseType, StatusCode }) => [ResponseType, StatusCode])).toEqual([
    ['MISSING_AUTHENTICATION_TOKEN', '404'],
    ['INVALID_SIGNATURE', '404'],
    ['RESOURCE_NOT_FOUND', '404'],
    ['THROTTLED', '429'],
    ['WAF_FILTERED', '429'],
    ['INTEGRATION_FAILURE', '502'],
    ['INTEGRATION_TIMEOUT', '504'],
    // These have no status code: it would replace that of every other type.
    ['DEFAULT_4XX', undefined],
    ['DEFAULT_5XX', undefined],
    ['UNSUPPORTED_MEDIA_TYPE', undefined],
  ])
  const exposed = {
    'gatewayresponse.header.Access-Control-Expose-Headers': "'Retry-After, Date, Age, x-amzn-RequestId'",
  }
  for (const { ResponseType, ResponseParameters } of responses)
    expect(ResponseParameters, ResponseType).toMatchObject(exposed)
})
