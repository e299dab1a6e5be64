import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { handler as getPrice } from '../../lambda/handlers/get-price.ts'
import { handler as listPrices } from '../../lambda/handlers/list-prices.ts'
import { contextWith, links, listEvent, stubEnvironment } from '../support/container.ts'

// No Parameter Store and no chain: a read would fail.
beforeAll(() => stubEnvironment('http://127.0.0.1:9'))
afterAll(() => vi.unstubAllEnvs())
afterEach(() => vi.restoreAllMocks())

const head = (handler: typeof getPrice, parameters: { symbol?: string; network?: string }) => {
  const { symbol, network } = parameters
  const event = {
    ...listEvent,
    httpMethod: 'HEAD',
    pathParameters: symbol === undefined ? null : { symbol },
    queryStringParameters: network === undefined ? null : { network },
  }
  return handler(event, contextWith())
}
const sharedHeaders = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'Retry-After, Date, Age',
  Link: links,
}

test('HEAD has a success’s headers but Expires, and no body, without Parameter Store and chain (D8b)', async () => {
  const log = vi.spyOn(console, 'info').mockImplementation(() => {})
  const headers = {
    'Content-Type': 'application/json',
    'Cache-Control': 'public, must-revalidate, stale-if-error=0',
    ...sharedHeaders,
  }
  expect(await head(listPrices, { network: 'testnet' })).toEqual({ statusCode: 200, headers, body: '' })
  expect(await head(getPrice, { symbol: 'crwd' })).toEqual({ statusCode: 200, headers, body: '' })
  expect(log.mock.calls).toEqual([
    [{ route: 'HEAD /price', outcome: 'ok', network: 'testnet' }],
    [{ route: 'HEAD /price/{symbol}', outcome: 'ok', network: 'mainnet', symbol: 'CRWD' }],
  ])
})

test.each([
  [400, listPrices, { network: 'x' }],
  [400, getPrice, { symbol: 'CRWD', network: 'x' }],
  [404, getPrice, { symbol: 'NOPE' }],
])('the problem %i to HEAD has the headers of GET, and no body (D8b)', async (statusCode, handler, parameters) => {
  const headers = { 'Content-Type': 'application/problem+json', 'Cache-Control': 'no-store', ...sharedHeaders }
  expect(await head(handler, parameters)).toEqual({ statusCode, headers, body: '' })
})
