import { expect, test, vi } from 'vitest'
import { type PriceRoute, priceRoutes } from '../../api/routes.ts'
import { createStageCache } from '../../local/stage-cache.ts'

const route = priceRoutes.find(({ path }) => path === '/price/{symbol}') as PriceRoute
const requestContext = { domainName: 'prices.example', stage: 'v1' }

test('a request removes the expired entries, and is answered from one that is younger', async () => {
  let nowMs = 0
  using _clock = vi.spyOn(performance, 'now').mockImplementation(() => nowMs)
  using removals = vi.spyOn(Map.prototype, 'delete')
  const handler = vi.fn(async () => ({ statusCode: 200, body: '' }))
  const invoke = createStageCache(handler)
  /** Requests a symbol, and returns whether the handler was invoked. */
  const isInvoked = async (symbol: string) => {
    handler.mockClear()
    await invoke(route, { httpMethod: 'GET', queryStringParameters: null, pathParameters: { symbol }, requestContext })
    return handler.mock.calls.length === 1
  }
  for (const symbol of ['A', 'B', 'C']) expect(await isInvoked(symbol)).toBe(true)
  nowMs = 9_999
  expect(await isInvoked('YOUNGER')).toBe(true)
  expect(await isInvoked('A')).toBe(false)
  expect(removals).toHaveBeenCalledTimes(0)
  nowMs = 10_000
  expect(await isInvoked('YOUNGER')).toBe(false)
  expect(removals).toHaveBeenCalledTimes(3)
  expect(await isInvoked('A')).toBe(true)
})
