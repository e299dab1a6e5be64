import { expect, test } from 'vitest'
import { findRoute } from '../../local/routing.ts'
import type { Route } from '../../local/template/routes.ts'

const route = (resourcePath: string, httpMethod = 'GET'): Route => ({
  resourceId: resourcePath,
  resourcePath,
  httpMethod,
  requestParameters: {},
  integration: { type: 'MOCK', status: 200, headers: {}, body: '', contentTypes: [], passesOthers: true },
  settings: { cacheTtlMs: undefined, throttling: { requestsPerSecond: 1, burst: 1 } },
})

const routes = ['/', '/{a}', '/{a}/{b}', '/{a}/fixed', '/fixed/{b}', '/fixed/fixed'].map(path => route(path))

test.for([
  ['', '/', null],
  ['/', '/', null],
  ['/x', '/{a}', { a: 'x' }],
  ['/x/', '/{a}', { a: 'x' }],
  ['/x/y', '/{a}/{b}', { a: 'x', b: 'y' }],
  ['/x/fixed', '/{a}/fixed', { a: 'x' }],
  ['/fixed/y', '/fixed/{b}', { b: 'y' }],
  ['/fixed/fixed', '/fixed/fixed', null],
  ['/%66ixed/y', '/{a}/{b}', { a: '%66ixed', b: 'y' }],
] as const)('%j matches %s', ([path, resourcePath, pathParameters]) => {
  expect(findRoute(routes, 'GET', path)).toEqual({ route: route(resourcePath), pathParameters })
})

test.for(['//', '/x//', '//x', '/x/y/z'])('%j matches nothing', path => {
  expect(findRoute(routes, 'GET', path)).toBeUndefined()
})

test('a fixed path without the method takes precedence over a parameter with it', () => {
  const some = [route('/fixed', 'OPTIONS'), route('/{a}')]
  expect(findRoute(some, 'GET', '/fixed')).toBeUndefined()
  expect(findRoute(some.toReversed(), 'GET', '/fixed')).toBeUndefined()
})
