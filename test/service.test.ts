import { afterAll, expect, test, vi } from 'vitest'
import { type Network, networks, toQuery } from '../api/networks.ts'
import { priceRoutes } from '../api/routes.ts'
import { feedsOf } from '../lambda/feeds/registry.ts'
import { variables } from '../lambda/settings.ts'
import { startServer } from '../local/server.ts'
import { type FaultyNode, startProxyNode } from './support/chain/faulty-node.ts'
import { expectDocumented } from './support/contract/documented.ts'
import { missingOn } from './support/feeds.ts'
import { startService } from './support/service.ts'

const started = new AsyncDisposableStack()
afterAll(async () => {
  await started.disposeAsync()
  vi.unstubAllEnvs()
})

vi.stubEnv(variables.publicBaseUrl, 'https://prices.example/v1')
const service = started.use(await startService())
const nodes: FaultyNode[] = []
for (const network of networks) {
  const node = started.use(await startProxyNode(service.chains[network]?.rpcUrl ?? ''))
  service.parameters.set(network, node.url.href)
  nodes.push(node)
}

/** Sends a request to the service, and expects a documented response. */
async function get(path: string, baseUrl = service.baseUrl) {
  const response = await fetch(`${baseUrl}${path}`)
  const { status, headers } = response
  const text = await response.text()
  expectDocumented({ method: 'GET', path, status, headers, text })
  return { status, headers, text }
}

test('a container asks Parameter Store once per network, and no upstream before its first good request (D22)', async () => {
  using loads = vi.spyOn(service.parameters, 'get')
  const count = () => [loads.mock.calls, ...nodes.map(node => node.requests)].map(({ length }) => length)
  for (const symbol of ['X'.repeat(10_000), missingOn('mainnet', 'testnet'), '%43RWD'])
    expect((await get(`/price/${symbol}`)).status).toBe(404)
  for (const path of ['/price/CRWD?network=moon', '/price?network=testnet&network=x'])
    expect((await get(path)).status).toBe(400)
  expect(count()).toEqual([0, ...networks.map(() => 0)])
  const twoOf = (network: Network) => feedsOf(network).slice(0, 2)
  for (const network of networks)
    for (const { symbol } of twoOf(network)) await get(`/price/${symbol}${toQuery(network)}`)
  expect(count()).toEqual([networks.length, ...networks.map(network => twoOf(network).length)])
})

test('a response names the local chains exactly where there are some (D28)', async () => {
  const named = networks.toSorted().map(network => `${network}=${service.chains[network]?.rpcUrl}`)
  const live = await startServer({ ...service, chains: {}, host: '127.0.0.1', port: 0 })
  for (const path of ['/price/CRWD', '/price', '/price/NONE', '/', '/elsewhere']) {
    expect((await get(path)).headers.get('x-local-chains'), path).toBe(named.join(' '))
    expect((await get(path, live.baseUrl)).headers.get('x-local-chains'), path).toBeNull()
  }
  await live.stop()
})

test('links have the URL of the local run, also in a shell that has another one in PUBLIC_BASE_URL (D18b)', async () => {
  const { headers, text } = await get('/price')
  expect(headers.get('link')).toContain(`<${service.baseUrl}/`)
  const { feeds }: { feeds: { symbol: string; url: string }[] } = JSON.parse(text)
  expect(feeds.map(({ url }) => url)).toEqual(feeds.map(({ symbol }) => `${service.baseUrl}/price/${symbol}`))
})

test('nothing outside of the cache key changes a response (D8)', async () => {
  const plain = {
    httpMethod: 'GET',
    queryStringParameters: null,
    pathParameters: { symbol: 'CRWD' },
    requestContext: { domainName: 'prices.example', stage: 'v1' },
  }
  const identity = { sourceIp: '203.0.113.9', userAgent: 'another' }
  const another = { requestId: 'another', extendedRequestId: 'another', requestTimeEpoch: 1, identity }
  const variations: object[] = [
    { headers: { Host: 'evil.example', Origin: 'https://evil.example', 'X-Forwarded-Proto': 'gopher' } },
    { headers: null, multiValueHeaders: null },
    { headers: { Accept: 'text/html', 'User-Agent': 'x'.repeat(5_000), 'Accept-Language': '*', Cookie: 'a=b' } },
    { queryStringParameters: { callback: 'alert', _: '1', Network: 'testnet', symbol: 'AAPL' } },
    { body: 'ignored', isBase64Encoded: true, stageVariables: { network: 'testnet' } },
    { requestContext: { ...plain.requestContext, ...another } },
  ]
  for (const route of priceRoutes) {
    const invoke = async (change: object) => {
      const { headers, ...result } = await service.invoke(route, { ...plain, ...change })
      const body = result.body.replaceAll(/"(ageSeconds|block|readAt)":(\d+|"[^"]+")/g, '$1')
      return { ...result, headers: { ...headers, Expires: '' }, body }
    }
    const expected = await invoke({})
    expect(expected.statusCode).toBe(200)
    for (const change of variations) expect(await invoke(change), route.path).toEqual(expected)
  }
})
