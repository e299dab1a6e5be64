import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { description } from './document.ts'
import { type Answer, expectDocumented } from './documented.ts'

interface GatewayResponse {
  readonly ResponseType: string
  readonly StatusCode?: string
  readonly ResponseParameters: Readonly<Record<string, string>>
  readonly ResponseTemplates: Readonly<Record<string, string>>
}

const { Resources } = JSON.parse(readFileSync('test/infra/snapshots/everything-on.template.json', 'utf8')) as {
  Resources: Record<string, { Type: string; Properties: GatewayResponse }>
}
const responses = Object.values(Resources)
  .filter(({ Type }) => Type === 'AWS::ApiGateway::GatewayResponse')
  .map(({ Properties }) => Properties)

/** By API Gateway's documentation, the statuses of the types that the stack does not name; 413 cannot be customised. */
const inherited: Record<string, readonly number[]> = { DEFAULT_4XX: [400, 401, 403, 415], DEFAULT_5XX: [500, 504] }

/** What a response of the gateway looks like to a caller who asked for a path. */
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
  'what the gateway answers by itself is described, wherever it is answered: $ResponseType (D19, D20)',
  response => {
    // A path that is there is no unknown route.
    const paths = response.StatusCode === '404' ? [] : Object.keys(description.paths)
    for (const answer of ['/nowhere', ...paths].flatMap(path => toAnswers(response, path))) expectDocumented(answer)
  },
)

test('there are ten such answers', () => {
  expect(responses).toHaveLength(10)
})
