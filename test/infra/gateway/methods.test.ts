import { expect, test } from 'vitest'
import { essentials } from '../../../api/about.ts'
import { documentRoutes } from '../../../api/routes.ts'
import { routes } from '../../support/infra/routes.ts'
import { allOf, prod, resourcesOf, synthesise } from '../../support/infra/synthesise.ts'

interface Method {
  readonly ResourceId: string
  readonly HttpMethod: string
  readonly AuthorizationType: string
  readonly RequestParameters?: Readonly<Record<string, boolean>>
  readonly Integration: Readonly<Record<string, unknown>>
}

const template = synthesise(prod, 'prod')
const methods = allOf<Method>(template, 'ApiGateway::Method')
const resources = resourcesOf<{ ParentId: string; PathPart: string }>(template, 'ApiGateway::Resource')

/** The path of a resource, from a reference to it. That of the root is empty. */
function toPath(reference: string): string {
  const resource = resources[reference.slice(1, -1)]
  return resource === undefined ? '' : `${toPath(resource.ParentId)}/${resource.PathPart}`
}

const toMethod = ({ HttpMethod, ResourceId }: Method) => `${HttpMethod} ${toPath(ResourceId)}`
const functionOf = ({ Integration }: Method) => /<(\w+)Aliaslive>/.exec(String(Integration['Uri']))?.[1]

test('every path has GET, HEAD and a preflight, without authorization; only prices have a function, its alias `live`', () => {
  const found = methods.map(method => [toMethod(method), method.Integration['Type'], functionOf(method)])
  const onPath = (path: string, type: string, id?: string) => [
    [`GET ${path}`, type, id],
    [`HEAD ${path}`, type, id],
    [`OPTIONS ${path}`, 'MOCK', undefined],
  ]
  expect(found).toEqual([
    ...routes.flatMap(({ path, id }) => onPath(path, 'AWS_PROXY', id)),
    ...documentRoutes.flatMap(({ path }) => onPath(path.replace(/\/$/, ''), 'MOCK')),
  ])
  expect(new Set(methods.map(({ AuthorizationType }) => AuthorizationType))).toEqual(new Set(['NONE']))
})

test('the gateway waits for a function until after the function’s own timeout', () => {
  const functions = resourcesOf<{ Timeout: number }>(template, 'Lambda::Function')
  const proxies = methods.filter(({ Integration }) => Integration['Type'] === 'AWS_PROXY')
  const isLonger = (method: Method) =>
    Number(method.Integration['TimeoutInMillis']) > 1_000 * Number(functions[String(functionOf(method))]?.Timeout)
  expect(proxies.map(isLonger)).toEqual(routes.flatMap(() => [true, true]))
})

test('the gateway responds within the time that the reference states', () => {
  const times = methods.flatMap(({ Integration }) => Integration['TimeoutInMillis'] ?? [])
  const [, seconds] = /the gateway responds within (\d+) seconds/.exec(essentials) ?? []
  expect(new Set(times)).toEqual(new Set([1_000 * Number(seconds)]))
})

test('the gateway may invoke a function for requests to its stage alone, not for tests in the console', () => {
  const permissions = allOf<{ SourceArn: string }>(template, 'Lambda::Permission')
  const ofGateway = permissions.flatMap(({ SourceArn }) => SourceArn.match(/(?<=:<Api>\/).*/) ?? [])
  const paths = routes.map(({ path }) => path.replace('{symbol}', '*'))
  expect(ofGateway).toEqual(
    paths.flatMap(path => ['GET', 'HEAD'].map(method => `<ApiDeploymentStagev1>/${method}${path}`)),
  )
})

test('the stage caches GET of a route by all of its parameters, and no HEAD (D8, D21)', () => {
  const keys = methods.map(method => [
    toMethod(method),
    method.Integration['CacheKeyParameters'],
    // A parameter of the key that the method does not declare fails the deployment.
    method.RequestParameters,
  ])
  expect(keys.filter(([, ...key]) => key.some(part => part !== undefined))).toEqual(
    routes.map(({ path, cacheKey }) => [`GET ${path}`, Object.keys(cacheKey), cacheKey]),
  )
})

test('the gateway refuses a body that is not JSON where it answers without a function (415)', () => {
  const withoutFunction = methods.filter(({ Integration }) => Integration['Type'] === 'MOCK')
  for (const method of withoutFunction)
    expect(method.Integration['PassthroughBehavior'], toMethod(method)).toBe('NEVER')
})

test('a preflight is 204, and allows any origin GET with any header', () => {
  const preflights = methods.filter(({ HttpMethod }) => HttpMethod === 'OPTIONS')
  const headers = {
    'method.response.header.Access-Control-Allow-Headers': "'*'",
    'method.response.header.Access-Control-Allow-Origin': "'*'",
    'method.response.header.Access-Control-Allow-Methods': "'GET'",
    'method.response.header.Access-Control-Max-Age': "'600'",
  }
  for (const { Integration } of preflights)
    expect(Integration['IntegrationResponses']).toEqual([{ StatusCode: '204', ResponseParameters: headers }])
})
