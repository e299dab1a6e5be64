import { expect, test } from 'vitest'
import { findRoute } from '../../../local/gateway/routing.ts'
import type { Route } from '../../../local/template/routes.ts'

const route = (resourcePath: string, httpMethod = 'GET'): Route => ({
  resourceId: resourcePath,
  resourcePath,
  httpMethod,
  integration: { type: 'MOCK', reply: { status: 200, headers: [], body: '' } },
  settings: { cacheTtlMs: undefined, throttling: { requestsPerSecond: 1, burst: 1 } },
})

const routes = ['/', '/{a}', '/{a}/{b}', '/a.b', '/fixed/fixed'].map(path => route(path))

test.for([
  ['', '/', null],
  ['/', '/', null],
  ['/x', '/{a}', { a: 'x' }],
  ['/x/', '/{a}', { a: 'x' }],
  ['/x/y', '/{a}/{b}', { a: 'x', b: 'y' }],
  ['/a.b', '/a.b', null],
  ['/aob', '/{a}', { a: 'aob' }],
  ['/fixed/fixed', '/fixed/fixed', null],
  ['/%66ixed/fixed', '/{a}/{b}', { a: '%66ixed', b: 'fixed' }],
] as const)('%j matches %s', ([path, resourcePath, pathParameters]) => {
  expect(findRoute(routes, 'GET', path)).toEqual({ route: route(resourcePath), pathParameters })
})

test.for(['//', '/x//', '//x', '/x/y/z'])('%j matches nothing', path => {
  expect(findRoute(routes, 'GET', path)).toBeUndefined()
})

test('a path without the method takes precedence over a parameter with it', () => {
  expect(findRoute([route('/{a}'), route('/fixed', 'OPTIONS')], 'GET', '/fixed')).toBeUndefined()
})
