import type { APIGatewayProxyResult } from 'aws-lambda'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type PriceRoute, priceRoutes } from '../../api/routes.ts'
import { createStageCache } from '../../local/stage-cache.ts'

const route = priceRoutes.find(({ path }) => path === '/price/{symbol}') as PriceRoute

/** What `performance.now` returns. */
let nowMs = 0
/** Completes the invocations of the handler, the first one first. */
let complete: (() => void)[] = []
let get: (symbol: string) => Promise<unknown>

beforeEach(() => {
  nowMs = 0
  complete = []
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs)
  const requestContext = { domainName: 'prices.example', stage: 'v1' }
  const invoke = createStageCache(() => {
    const { promise, resolve } = Promise.withResolvers<APIGatewayProxyResult>()
    complete.push(() => resolve({ statusCode: 200, body: '' }))
    return promise
  })
  get = symbol =>
    invoke(route, { httpMethod: 'GET', queryStringParameters: null, pathParameters: { symbol }, requestContext })
})
afterEach(() => vi.restoreAllMocks())

/** Requests a symbol, and returns whether the handler was invoked. */
async function isInvoked(symbol: string): Promise<boolean> {
  const response = get(symbol)
  const invoked = complete.shift()
  invoked?.()
  await response
  return invoked !== undefined
}

const symbols = Array.from({ length: 1_000 }, (_, index) => `S${index}`)

test('a request looks at one entry that stays, however many there are', async () => {
  for (const symbol of symbols) expect(await isInvoked(symbol)).toBe(true)
  vi.mocked(performance.now).mockClear()
  expect(await isInvoked('ANOTHER')).toBe(true)
  // The clock is read twice: for that entry, and to store the response.
  expect(performance.now).toHaveBeenCalledTimes(2)
})

test('expired entries are removed, also behind a key that was stored again', async () => {
  const responses = [get('TWICE'), get('TWICE')]
  const [first, second] = complete.splice(0)
  first?.()
  await responses[0]
  for (const symbol of symbols) await isInvoked(symbol)
  nowMs = 9_000
  second?.()
  await responses[1]
  nowMs = 11_000
  using removals = vi.spyOn(Map.prototype, 'delete')
  expect(await isInvoked('TWICE')).toBe(false)
  expect(removals).toHaveBeenCalledTimes(symbols.length)
})

test('an entry that expires while others are removed is not returned', async () => {
  expect(await isInvoked('LATE')).toBe(true)
  vi.mocked(performance.now).mockReturnValueOnce(9_999).mockReturnValueOnce(10_000)
  expect(await isInvoked('LATE')).toBe(true)
})
