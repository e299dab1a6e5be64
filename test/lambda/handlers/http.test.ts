import { syncBuiltinESMExports } from 'node:module'
import timers from 'node:timers'
import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Problem } from '../../../api/problems.ts'
import { createHandler, type RouteResult, type Success } from '../../../lambda/handlers/http.ts'
import { earlyResponseMs } from '../../../lambda/timing.ts'
import { stopClock } from '../../support/clock.ts'
import { contextWith, links, listEvent, stubEnvironment } from '../../support/container.ts'

const readAt = new Date('2026-10-03T22:30:00.789Z')

beforeEach(() => stubEnvironment('http://127.0.0.1:1'))
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  syncBuiltinESMExports()
  vi.unstubAllEnvs()
})

const respond = (route: () => Promise<RouteResult>, remainingMs?: number) =>
  createHandler('GET /test', route)(listEvent, contextWith(remainingMs)) as Promise<unknown>
const respondWith = (route: () => Promise<Success | Problem>, remainingMs?: number) =>
  respond(async () => ({ result: await route(), log: {} }), remainingMs)
const unreadable = new Problem('feed-unreadable', { reason: 'it is a test' })

test('a success is JSON with its headers (D21)', async () => {
  expect(await respondWith(async () => ({ body: { price: JSON.rawJSON('1.000566080061092436') }, readAt }))).toEqual({
    statusCode: 200,
    headers: {
      'Content-Type': 'application/json',
      'Cache-Control': 'public, must-revalidate, stale-if-error=0',
      Expires: 'Sat, 03 Oct 2026 22:30:10 GMT',
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Expose-Headers': 'Retry-After, Date, Age, x-amzn-RequestId',
      Link: links,
    },
    body: '{"price":1.000566080061092436}',
  })
})

test('a problem is JSON with its headers (D21)', async () => {
  for (const problem of [() => Promise.resolve(unreadable), () => Promise.reject(unreadable)]) {
    expect(await respondWith(problem)).toEqual({
      statusCode: 502,
      headers: {
        'Content-Type': 'application/problem+json',
        'Cache-Control': 'no-store',
        'Access-Control-Allow-Origin': '*',
        'Access-Control-Expose-Headers': 'Retry-After, Date, Age, x-amzn-RequestId',
        Link: links,
      },
      body: JSON.stringify({
        type: 'urn:problem-type:price-lookup:feed-unreadable',
        title: 'Feed unreadable',
        status: 502,
        detail: 'The chain answered, but this feed cannot be read: it is a test.',
      }),
    })
  }
})

test('the response to HEAD is that to GET without its body (D26)', async () => {
  for (const result of [{ body: {}, readAt }, unreadable]) {
    const handler = createHandler('GET /test', async () => ({ result, log: {} }))
    const { body, ...response } = await handler(listEvent, contextWith())
    expect(body).not.toBe('')
    const toHead = await handler({ ...listEvent, httpMethod: 'HEAD' }, contextWith())
    expect(toHead).toEqual({ ...response, body: '' })
  }
})

test('an error that is no problem is 500, and its class and stack frames alone are logged (D25)', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  const response = await respondWith(() => Promise.reject(new TypeError('SECRET https://node.test/KEY')))
  expect(response).toMatchObject({ statusCode: 500, headers: { 'Access-Control-Allow-Origin': '*' } })
  const frames = expect.arrayContaining([expect.stringMatching(/^ {4}at .*http\.test\.ts:\d+:\d+\)?$/)])
  expect(log).toHaveBeenCalledExactlyOnceWith({ outcome: 'internal', error: 'TypeError', frames })
  expect(JSON.stringify([response, log.mock.calls])).not.toMatch(/SECRET|KEY|node\.test/)
})

test.each([
  ['deployment', { caller: 'deployment' }],
  ['another', {}],
])('the caller %j of an event is in the log: %j', async (caller, fields) => {
  const info = vi.spyOn(console, 'info').mockImplementation(() => {})
  const handler = createHandler('GET /test', async () => ({ result: { body: {}, readAt }, log: {} }))
  await handler({ ...listEvent, caller } as typeof listEvent, contextWith())
  expect(info.mock.calls).toEqual([[{ route: 'GET /test', outcome: 'ok', ...fields }]])
})

test('a route too slow for Lambda’s timeout is 503 with one line in the log (D24)', async () => {
  const lines = [vi.spyOn(console, 'info'), vi.spyOn(console, 'warn')].map(log => log.mockImplementation(() => {}))
  const { promise: late, resolve } = Promise.withResolvers<RouteResult>()
  stopClock()
  // Middy imports `setTimeout` from this module.
  vi.spyOn(timers, 'setTimeout').mockImplementation(setTimeout)
  syncBuiltinESMExports()
  const ended = vi.fn()
  const response = respond(() => late, earlyResponseMs + 1_000).finally(ended)
  await vi.advanceTimersByTimeAsync(999)
  expect(ended).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(ended).toHaveBeenCalledOnce()
  expect(await response).toMatchObject({ statusCode: 503 })
  resolve({ result: { body: {}, readAt }, log: {} })
  await turn()
  expect(lines.map(({ mock }) => mock.calls)).toEqual([
    [],
    [[{ route: 'GET /test', outcome: 'chain-unavailable', network: 'mainnet' }]],
  ])
})
