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

/** By API Gateway's documentation, the statuses of responses without one. Without an authorizer, there is no 401; 413 cannot be customised. */
const inherited: Record<string, readonly number[]> = {
  DEFAULT_4XX: [400, 403],
  DEFAULT_5XX: [500],
  UNSUPPORTED_MEDIA_TYPE: [415],
}

/** The paths that can have a response of the gateway. */
function pathsOf({ ResponseType, StatusCode }: GatewayResponse): readonly string[] {
  const paths = Object.keys(description.paths)
  // A known path is no unknown route.
  if (StatusCode === '404') return ['/nowhere']
  // Functions fail and take any body. Documents do neither.
  if (ResponseType.startsWith('INTEGRATION_')) return paths.filter(path => path.startsWith('/price'))
  if (ResponseType === 'UNSUPPORTED_MEDIA_TYPE') return paths.filter(path => !path.startsWith('/price'))
  return ['/nowhere', ...paths]
}

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

test.each(responses)(
  'the gateway’s own response $ResponseType is documented where it can occur (D19, D20)',
  response => {
    for (const answer of pathsOf(response).flatMap(path => toAnswers(response, path))) expectDocumented(answer)
  },
)

test('there are eleven such responses', () => {
  expect(responses).toHaveLength(11)
})
