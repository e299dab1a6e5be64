import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { feedsOf } from '../lambda/feeds/registry.ts'
import { networks, ofEachNetwork, toQuery } from '../lambda/networks.ts'
import { startParameterStore } from '../local/functions/parameter-store.ts'
import { createFunctions } from '../local/functions/runtime.ts'
import { type Gateway, startGateway } from '../local/gateway/gateway.ts'
import { type Sandbox, startSandbox } from '../local/sandbox.ts'
import { type FaultyNode, startProxyNode } from './support/chain/faulty-node.ts'
import { expectDocumented } from './support/contract/documented.ts'
import { onlyOn } from './support/feeds/only-on.ts'

let sandbox: Sandbox
let gateway: Gateway
let nodes: Record<'mainnet' | 'testnet', FaultyNode>
const parameterNames = { mainnet: '/price-lookup/dev/rpc-urls/mainnet', testnet: '/price-lookup/dev/rpc-urls/testnet' }

beforeAll(async () => {
  sandbox = await startSandbox(ofEachNetwork(() => 'embedded'))
  nodes = {
    mainnet: await startProxyNode(sandbox.chains.mainnet?.rpcUrl ?? ''),
    testnet: await startProxyNode(sandbox.chains.testnet?.rpcUrl ?? ''),
  }
  for (const network of ['mainnet', 'testnet'] as const)
    sandbox.parameters.set(parameterNames[network], nodes[network].url.href)
  gateway = await startGateway({ ...sandbox, host: '127.0.0.1', port: 0, nowMs })
})

afterAll(async () => {
  await gateway.stop()
  await sandbox[Symbol.asyncDispose]()
  for (const node of Object.values(nodes)) await node.stop()
})

/** Sends a request to the service, and expects a documented response. */
async function get(path: string, init: RequestInit = {}, baseUrl = gateway.baseUrl) {
  elapsedMs += 50
  const response = await fetch(`${baseUrl}${path}`, { redirect: 'manual', ...init })
  const { status, headers } = response
  const text = await response.text()
  expectDocumented({ method: init.method ?? 'GET', path, status, headers, text })
  return { status, headers, text, cache: headers.get('x-local-cache') }
}

const requestsTo = (network: 'mainnet' | 'testnet') => nodes[network].requests.length

/** The clock of the gateways' caches and throttling. A request takes 50 ms on it, which is the rate that they allow. */
let elapsedMs = 0
const nowMs = () => elapsedMs

/** Expires every cached response: the template's TTL is 10 seconds. */
const expireCache = () => {
  elapsedMs += 10_000
}

test('each response names the local chains, and has no such header without them (D28)', async () => {
  const chains = networks.toSorted().map(network => `${network}=${sandbox.chains[network]?.rpcUrl}`)
  const { template, functions } = sandbox
  const live = await startGateway({ template, functions, host: '127.0.0.1', port: 0 })
  for (const path of ['/price/CRWD', '/price', '/price/NONE', '/', '/elsewhere']) {
    expect((await get(path)).headers.get('x-local-chains'), path).toBe(chains.join(' '))
    expect((await get(path, {}, live.baseUrl)).headers.get('x-local-chains'), path).toBeNull()
  }
  await live.stop()
})

test('GET /price/CRWD returns the feed price record of the specification (D9)', async () => {
  const { status, text } = await get('/price/CRWD')
  expect(status).toBe(200)
  const masked = text
    .replace(/"observedAt":\d+,"observedAtIso":"[\d-]+T[\d:]+\.000Z"/, '"observedAt":…')
    .replace(/"ageSeconds":\d+/, '"ageSeconds":…')
    .replace(/"block":792420\d\d/, '"block":…')
    .replace(/"readAt":"[\d-]+T[\d:]+\.\d{3}Z"/, '"readAt":…')
  expect(masked.replaceAll(',"', ',\n"')).toMatchInlineSnapshot(`
    "{"symbol":"CRWD",
    "network":"Robinhood Chain",
    "chainId":4663,
    "status":"Market closed",
    "servesLatestRoundData":true,
    "price":1079.9,
    "sharePrice":269.975,
    "multiplier":4,
    "observedAt":…,
    "ageSeconds":…,
    "answerRaw":"107990000000",
    "decimals":8,
    "feed":"0x84Ad4c99b6AB003b97943E9c48aF73ba20B5Cc77",
    "token":"0xea72Ecca2d0f6bFA1394DBBCff85b52CD4233931",
    "explorer":{"feed":"https://robinhoodchain.blockscout.com/address/0x84Ad4c99b6AB003b97943E9c48aF73ba20B5Cc77",
    "token":"https://robinhoodchain.blockscout.com/address/0xea72Ecca2d0f6bFA1394DBBCff85b52CD4233931"},
    "block":…,
    "readAt":…}"
  `)
})

test('every registered feed is in the list, with the URL of its record (D9, D17)', async () => {
  for (const network of networks) {
    const query = toQuery(network)
    const list = JSON.parse((await get(`/price${query}`)).text)
    const symbols = list.feeds.map(({ symbol }: { symbol: string }) => symbol)
    expect(symbols).toEqual(feedsOf(network).map(({ symbol }) => symbol))
    for (const { url, ...entry } of list.feeds) {
      expect(url).toBe(`${gateway.baseUrl}/price/${entry.symbol}${query}`)
      expect(entry).toMatchObject({ block: list.block, readAt: list.readAt })
      const record = JSON.parse((await get(url.slice(gateway.baseUrl.length))).text)
      const changing = { block: expect.any(Number), readAt: expect.any(String) }
      const ageSeconds = entry.observedAt === null ? null : expect.any(Number)
      expect(record).toEqual({ ...entry, ageSeconds, ...changing })
    }
  }
})

test('the feeds have all seven statuses, and serve only when OK or the market is closed (D12, D13)', async () => {
  const { feeds } = JSON.parse((await get('/price')).text)
  const seen = feeds.map(
    (feed: { status: string; servesLatestRoundData: boolean; latestRoundDataReverts?: string }) =>
      `${feed.status}: ${feed.servesLatestRoundData ? 'served' : feed.latestRoundDataReverts}`,
  )
  expect([...new Set(seen)].sort()).toEqual([
    'Corporate action: FeedUnavailable',
    'Market closed: FeedUnavailable',
    'Market closed: served',
    'No data: FeedUnavailable',
    'OK: served',
    'Oracle paused: FeedUnavailable',
    'Stale: FeedUnavailable',
    'Straddle: FeedUnavailable',
  ])
})

test.each(['/price/NFLX', '/price'])(
  'requests for %s share one read until it is 10 seconds old, and so does its expiry (D21)',
  async path => {
    expireCache()
    const before = requestsTo('mainnet')
    const { headers, ...first } = await get(path)
    expect(first.cache).toBe('miss')
    const hit = await get(path)
    expect(hit).toMatchObject({ text: first.text, cache: 'hit' })
    expect(hit.headers.get('expires')).toBe(headers.get('expires'))
    expect(requestsTo('mainnet') - before).toBe(1)
    expireCache()
    const later = await get(path)
    expect(later.text).not.toBe(first.text)
    expect(requestsTo('mainnet') - before).toBe(2)
    for (const { headers, text } of [hit, later]) {
      const freshMs = Date.parse(headers.get('expires') ?? '') - Date.parse(JSON.parse(text).readAt)
      // A date has whole seconds.
      expect(freshMs).toBeLessThanOrEqual(10_000)
      expect(freshMs).toBeGreaterThan(9_000)
      expect(headers.get('vary')).toBeNull()
    }
  },
)

test('a container asks Parameter Store once, and neither it nor a node for a bad request (D6, D7, D22)', async () => {
  await using service = await startServiceOn({ mainnet: nodes.mainnet.url.href, testnet: nodes.testnet.url.href })
  const before = requestsTo('mainnet') + requestsTo('testnet')
  for (const path of ['/price/NOPE', `/price/${onlyOn('testnet')}`, '/price/%00', '/price/__proto__', '/price/%43RWD'])
    expect((await service.get(path)).status).toBe(404)
  for (const path of ['/price/CRWD?network=moon', '/price?network=%20', '/price?network=testnet&network=x'])
    expect((await service.get(path)).status).toBe(400)
  expect(service.parameterStore.requests).toEqual([])
  expect(requestsTo('mainnet') + requestsTo('testnet')).toBe(before)
  for (const path of ['/price/CRWD', '/price/IBM', '/price/TSLA?network=testnet']) await service.get(path)
  expect(service.parameterStore.requests).toEqual(['AmazonSSM.GetParameters'])
  for (const path of ['/price', '/price?network=testnet']) await service.get(path)
  expect(service.parameterStore.requests).toEqual(['AmazonSSM.GetParameters', 'AmazonSSM.GetParameters'])
})

test.each([
  ['/price/nope', 'The mainnet has no feed of that symbol. GET /price lists its feeds.'],
  [
    `/price/${onlyOn('testnet').toLowerCase()}`,
    `The mainnet has no feed of that symbol. GET /price lists its feeds. The testnet has one: GET /price/${onlyOn('testnet')}?network=testnet reads it.`,
  ],
  [
    `/price/${onlyOn('mainnet').toLowerCase()}?network=testnet`,
    `The testnet has no feed of that symbol. GET /price?network=testnet lists its feeds. The mainnet has one: GET /price/${onlyOn('mainnet')} reads it.`,
  ],
])('the 404 of %s names its network, and the other if that has the symbol (D7)', async (path, detail) => {
  expect(JSON.parse((await get(path)).text)).toMatchObject({ status: 404, detail })
})

test('nothing outside of the cache key changes a response (D8)', async () => {
  const routes = sandbox.template.routes.filter(({ integration }) => integration.type === 'AWS_PROXY')
  const plain = JSON.parse(readFileSync('local/events/list-prices.json', 'utf8'))
  const variations: object[] = [
    { headers: { Host: 'evil.example', Origin: 'https://evil.example', 'X-Forwarded-Proto': 'gopher' } },
    { headers: null, multiValueHeaders: null },
    { headers: { Accept: 'text/html', 'User-Agent': 'x'.repeat(5_000), 'Accept-Language': '*', Cookie: 'a=b' } },
    { queryStringParameters: { callback: 'alert', _: '1', Network: 'testnet', symbol: 'AAPL' } },
    { body: 'ignored', isBase64Encoded: true, stageVariables: { network: 'testnet' } },
    {
      requestContext: {
        ...plain.requestContext,
        requestId: 'another',
        extendedRequestId: 'another',
        requestTimeEpoch: 1,
        identity: { sourceIp: '203.0.113.9', userAgent: 'another' },
      },
    },
  ]
  for (const { integration, resourcePath } of routes) {
    if (integration.type !== 'AWS_PROXY') throw new Error('A route has no function')
    const invoke = (change: object) =>
      sandbox.functions.invoke(integration.functionId, { ...plain, pathParameters: { symbol: 'CRWD' }, ...change })
    const masked = (result: string) =>
      result
        .replaceAll(/\\"(ageSeconds|block|readAt)\\":(\d+|\\"[^"\\]+\\")/g, '$1')
        .replace(/"Expires":"[^"]+"/, 'Expires')
    const expected = masked(await invoke({}))
    expect(expected).toContain('"statusCode":200')
    for (const change of variations) expect(masked(await invoke(change)), resourcePath).toBe(expected)
  }
})

/** Starts new containers and a gateway for other RPC URLs. */
async function startServiceOn(rpcUrls: Partial<Record<'mainnet' | 'testnet', string>>) {
  const entries = Object.entries(rpcUrls).map(([network, url]) => [parameterNames[network as 'mainnet'], url] as const)
  const store = await startParameterStore(new Map(entries))
  const functions = createFunctions({ ...sandbox.template, variables: store.variables })
  const other = await startGateway({ template: sandbox.template, functions, host: '127.0.0.1', port: 0, nowMs })
  return {
    get: (path: string) => get(path, {}, other.baseUrl),
    parameterStore: store,
    [Symbol.asyncDispose]: async () => {
      await other.stop()
      await functions.stop()
      await store.stop()
    },
  }
}

test('a network without a parameter is 500, and the other is served (D19)', async () => {
  await using service = await startServiceOn({ testnet: nodes.testnet.url.href })
  const { status, text } = await service.get('/price/CRWD')
  expect([status, JSON.parse(text).type]).toEqual([500, 'urn:problem-type:price-lookup:not-configured'])
  expect((await service.get('/price/TSLA?network=testnet')).status).toBe(200)
})
