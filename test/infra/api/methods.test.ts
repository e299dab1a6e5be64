import { expect, test } from 'vitest'
import { allOf, prod, resourcesOf, synthesise } from '../../support/infra/synthesise.ts'

const template = synthesise(prod, 'prod')
const methods = allOf(template, 'ApiGateway::Method')
const resources = resourcesOf<{ ParentId: string; PathPart: string }>(template, 'ApiGateway::Resource')

/** The path of a resource, from a reference to it. That of the root is empty. */
function toPath(reference: string): string {
  const resource = resources[reference.slice(1, -1)]
  return resource === undefined ? '' : `${toPath(resource.ParentId)}/${resource.PathPart}`
}

test('every path has GET, HEAD and a preflight, which need no authorization; only prices have a function', () => {
  const described = methods.map(({ ResourceId, HttpMethod, AuthorizationType, Integration }) => [
    HttpMethod,
    toPath(String(ResourceId)),
    AuthorizationType,
    Object(Integration).Type,
  ])
  const methodsOf = (path: string, type: string) => [
    ['GET', path, 'NONE', type],
    ['HEAD', path, 'NONE', type],
    ['OPTIONS', path, 'NONE', 'MOCK'],
  ]
  expect(described).toEqual([
    ...methodsOf('/price', 'AWS_PROXY'),
    ...methodsOf('/price/{symbol}', 'AWS_PROXY'),
    ...methodsOf('', 'MOCK'),
    ...methodsOf('/openapi.json', 'MOCK'),
    ...methodsOf('/docs', 'MOCK'),
  ])
})

test('a preflight is 204 with its headers, or 415 if it announces a body that is not JSON', () => {
  const preflights = methods.filter(({ HttpMethod }) => HttpMethod === 'OPTIONS')
  const headers = {
    'method.response.header.Access-Control-Allow-Headers': "'*'",
    'method.response.header.Access-Control-Allow-Origin': "'*'",
    'method.response.header.Access-Control-Allow-Methods': "'GET'",
    'method.response.header.Access-Control-Max-Age': "'600'",
  }
  const declared = Object.fromEntries(Object.keys(headers).map(name => [name, true]))
  for (const preflight of preflights)
    expect(preflight).toEqual({
      RestApiId: '<Api>',
      ResourceId: preflight['ResourceId'],
      HttpMethod: 'OPTIONS',
      AuthorizationType: 'NONE',
      Integration: {
        Type: 'MOCK',
        // A request with another content type gets UNSUPPORTED_MEDIA_TYPE (415).
        PassthroughBehavior: 'NEVER',
        RequestTemplates: { 'application/json': '{"statusCode":200}' },
        IntegrationResponses: [{ StatusCode: '204', ResponseParameters: headers }],
      },
      MethodResponses: [{ StatusCode: '204', ResponseParameters: declared }],
    })
})
