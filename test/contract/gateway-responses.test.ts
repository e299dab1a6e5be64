import { expect, test } from 'vitest'
import { environments } from '../../infra/environments.ts'
import { allOf, synthesise } from '../infra/synthesise.ts'
import { description } from './document.ts'
import { type Answer, expectDocumented } from './documented.ts'

interface GatewayResponse {
  readonly ResponseType: string
  readonly StatusCode?: string
  readonly ResponseParameters: Readonly<Record<string, string>>
  readonly ResponseTemplates: Readonly<Record<string, string>>
}

const template = synthesise(environments.prod)
const responses = allOf(template, 'ApiGateway::GatewayResponse') as unknown as readonly GatewayResponse[]

/** By API Gateway's documentation, the statuses of the types that the stack does not name; 413 cannot be customised. */
const inherited: Record<string, readonly number[]> = { DEFAULT_4XX: [400, 401, 403, 415], DEFAULT_5XX: [500, 504] }

/** A response of the gateway as a client receives it for a path. */
function toAnswers(response: GatewayResponse, path: string): readonly Answer[] {
  const { ResponseType, StatusCode, ResponseParameters, ResponseTemplates } = response
  const headers = Object.entries(ResponseParameters).map(([name, value]) => [
    name.replace('gatewayresponse.header.', ''),
    value.slice(1, -1),
  ])
  const text = ResponseTemplates['application/json'] ?? ''
  const statuses = inherited[ResponseType] ?? [Number(StatusCode)]
  return statuses.map(status => ({ method: 'GET', path, status, headers: Object.fromEntries(headers), text }))
}

test.each(responses)('the gateway’s own response $ResponseType is documented on every path (D19, D20)', response => {
  // A known path is no unknown route.
  const paths = response.StatusCode === '404' ? [] : Object.keys(description.paths)
  for (const answer of ['/nowhere', ...paths].flatMap(path => toAnswers(response, path))) expectDocumented(answer)
})

test('there are ten such responses', () => {
  expect(responses).toHaveLength(10)
})
