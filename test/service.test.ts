import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { networks } from '../api/networks.ts'
import { createFunctions } from '../local/functions/runtime.ts'
import { startGateway } from '../local/gateway/gateway.ts'
import { type FaultyNode, startProxyNode } from './support/chain/faulty-node.ts'
import { expectDocumented } from './support/contract/documented.ts'
import { onlyOn } from './support/feeds/only-on.ts'
import { type Service, startService } from './support/service.ts'

let service: Service
let nodes: FaultyNode[]

/** The clock of the gateway's cache and throttling. A request takes 50 ms on it, which is the rate that they allow. */
let elapsedMs = 0
const nowMs = () => elapsedMs

beforeAll(async () => {
  service = await startService({ nowMs })
  const { chains, parameters } = service.sandbox
  const starting = networks.map(async network => {
    const node = await startProxyNode(chains[network]?.rpcUrl ?? '')
    parameters.set(`/price-lookup/dev/rpc-urls/${network}`, node.url.href)
    return node
  })
  nodes = await Promise.all(starting)
})

afterAll(async () => {
  await service[Symbol.asyncDispose]()
  for (const node of nodes) await node.stop()
})

/** Sends a request to the service, and expects a documented response. */
async function get(path: string, baseUrl = service.gateway.baseUrl) {
  elapsedMs += 50
  const response = await fetch(`${baseUrl}${path}`)
  const { status, headers } = response
  const text = await response.text()
  expectDocumented({ method: 'GET', path, status, headers, text })
  return { status, headers, text }
}

test('a container asks Parameter Store once per network, and no upstream before its first good request (D22)', async () => {
  const { template, parameterStore } = service.sandbox
  const functions = createFunctions({ ...template, variables: parameterStore.variables })
  const { baseUrl, stop } = await startGateway({ template, functions, host: '127.0.0.1', port: 0, nowMs })
  const count = () => [parameterStore.requests, ...nodes.map(node => node.requests)].map(({ length }) => length)
  const before = count()
  for (const path of ['/price/NOPE', `/price/${onlyOn('testnet')}`, '/price/%43RWD'])
    expect((await get(path, baseUrl)).status).toBe(404)
  for (const path of ['/price/CRWD?network=moon', '/price?network=testnet&network=x'])
    expect((await get(path, baseUrl)).status).toBe(400)
  expect(count()).toEqual(before)
  for (const path of ['/price/CRWD', '/price/IBM', '/price/TSLA?network=testnet']) await get(path, baseUrl)
  // Parameter Store, the mainnet and the testnet.
  const expected = [2, 2, 1]
  expect(count()).toEqual(before.map((number, index) => number + (expected[index] ?? 0)))
  await stop()
  await functions.stop()
})

test('a response names the local chains exactly where there are some (D28)', async () => {
  const { template, functions, chains } = service.sandbox
  const named = networks.toSorted().map(network => `${network}=${chains[network]?.rpcUrl}`)
  const live = await startGateway({ template, functions, host: '127.0.0.1', port: 0 })
  for (const path of ['/price/CRWD', '/price', '/price/NONE', '/', '/elsewhere']) {
    expect((await get(path)).headers.get('x-local-chains'), path).toBe(named.join(' '))
    expect((await get(path, live.baseUrl)).headers.get('x-local-chains'), path).toBeNull()
  }
  await live.stop()
})

test('nothing outside of the cache key changes a response (D8)', async () => {
  const { template, functions } = service.sandbox
  const plain = JSON.parse(readFileSync('local/events/list-prices.json', 'utf8'))
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
  for (const { integration, resourcePath } of template.routes) {
    if (integration.type !== 'AWS_PROXY') continue
    const invoke = async (change: object) => {
      const event = { ...plain, pathParameters: { symbol: 'CRWD' }, ...change }
      const result = await functions.invoke(integration.functionId, event)
      return result
        .replaceAll(/\\"(ageSeconds|block|readAt)\\":(\d+|\\"[^"\\]+\\")/g, '$1')
        .replace(/"Expires":"[^"]+"/, 'Expires')
    }
    const expected = await invoke({})
    expect(expected).toContain('"statusCode":200')
    for (const change of variations) expect(await invoke(change), resourcePath).toBe(expected)
  }
})
