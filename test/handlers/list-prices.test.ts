import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { feedsOf } from '../../lambda/feeds/registry.ts'
import type { ParameterStore } from '../../local/functions/parameter-store.ts'
import { type KeyedNode, startKeyedNode } from '../support/chain/keyed-node.ts'
import { stopClock } from '../support/clock.ts'
import { contextWith, listEvent, startStubbedStore } from '../support/container.ts'

let node: KeyedNode
let store: ParameterStore
let getPrice: typeof import('../../lambda/handlers/get-price.ts').handler
let listPrices: typeof getPrice

beforeAll(async () => {
  stopClock()
  node = await startKeyedNode('testnet')
  node.accept('KEY')
  store = await startStubbedStore(new Map([['testnet', node.toRpcUrl('KEY')]]))
  vi.resetModules()
  getPrice = (await import('../../lambda/handlers/get-price.ts')).handler
  listPrices = (await import('../../lambda/handlers/list-prices.ts')).handler
})

afterAll(async () => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
  await node.stop()
  await store.stop()
})

test.each([
  ['abc.execute-api.eu-west-1.amazonaws.com', '/v1/price', 'https://abc.execute-api.eu-west-1.amazonaws.com/v1'],
  ['ABC.execute-api.eu-west-1.amazonaws.com', '/v1/price/', 'https://abc.execute-api.eu-west-1.amazonaws.com/v1'],
  ['prices.example', '/price', 'https://prices.example'],
  ['prices.example', '/feeds/v2/price', 'https://prices.example/feeds/v2'],
  ['abc.execute-api.eu-west-1.amazonaws.com:443', '/v1/price', 'https://abc.execute-api.eu-west-1.amazonaws.com/v1'],
  ['127.0.0.1:3000', '/v1/price', 'http://127.0.0.1:3000/v1'],
  ['localhost:3000', '/v1/price', 'http://localhost:3000/v1'],
  ['[::1]:3000', '/v1/price', 'http://[::1]:3000/v1'],
])('at the host %s and the path %s, the URLs of prices begin with %s (D18b)', async (domainName, path, baseUrl) => {
  expect(await listUrls(domainName, path)).toEqual(urlsAt(baseUrl))
})

test.each([
  ['abc.execute-api.eu-west-1.amazonaws.com', '/v1/price/NONE', 'https://abc.execute-api.eu-west-1.amazonaws.com/v1'],
  ['prices.example', '/price/price/', 'https://prices.example'],
  ['127.0.0.1:3000', '/v1/price/%2F', 'http://127.0.0.1:3000/v1'],
])(
  'at the host %s and the path %s, a problem of one price links to the documents of %s (D18b)',
  async (domainName, path, baseUrl) => {
    const requestContext = { ...listEvent.requestContext, domainName, path }
    const request = {
      ...listEvent,
      headers: { Host: 'evil.example' },
      pathParameters: { symbol: 'NONE' },
      requestContext,
    }
    const Link = `<${baseUrl}/openapi.json>; rel="service-desc", <${baseUrl}/docs>; rel="service-doc"`
    expect(await getPrice(request, contextWith())).toMatchObject({ statusCode: 404, headers: { Link } })
  },
)

test('a symbol is compared as it was sent, without decoding (D7)', async () => {
  const request = { ...listEvent, httpMethod: 'HEAD', pathParameters: { symbol: 'AAPL' } }
  expect(await getPrice(request, contextWith())).toMatchObject({ statusCode: 200 })
  for (const symbol of ['%41APL', 'AAP%4C', '%61apl'])
    expect(await getPrice({ ...request, pathParameters: { symbol } }, contextWith())).toMatchObject({ statusCode: 404 })
})

test('where the API has a public URL, nothing in a request changes the URLs of prices (D8, D18b)', async () => {
  vi.stubEnv('PUBLIC_BASE_URL', 'https://prices.example')
  expect(await listUrls('abc.execute-api.eu-west-1.amazonaws.com', '/v1/price')).toEqual(
    urlsAt('https://prices.example'),
  )
  vi.stubEnv('PUBLIC_BASE_URL', '')
  expect(await listUrls('127.0.0.1:3000', '/v1/price')).toEqual(urlsAt('http://127.0.0.1:3000/v1'))
})

const urlsAt = (baseUrl: string) => feedsOf('testnet').map(({ symbol }) => `${baseUrl}/price/${symbol}?network=testnet`)

async function listUrls(domainName: string, path: string): Promise<readonly string[]> {
  const request = {
    ...listEvent,
    headers: { Host: 'evil.example', 'X-Forwarded-Proto': 'gopher' },
    queryStringParameters: { network: 'testnet' },
    requestContext: { ...listEvent.requestContext, domainName, path },
  }
  const { body } = await listPrices(request, contextWith())
  return JSON.parse(body).feeds.map(({ url }: { url: string }) => url)
}
