import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readOpenApiDocument } from '../infra/openapi-document.ts'
import registry from '../lambda/feeds/registry.json' with { type: 'json' }
import { type Gateway, startGateway } from '../local/gateway.ts'
import { startParameterStore } from '../local/parameter-store.ts'
import { createFunctions } from '../local/runtime.ts'
import { type Sandbox, startSandbox } from '../local/sandbox.ts'
import { misbehave } from '../local/stand-in-feed.ts'
import { type FaultyNode, startFaultyNode, startProxyNode } from './chain/faulty-node.ts'
import { expectDocumented } from './contract/documented.ts'

let sandbox: Sandbox
let gateway: Gateway
let nodes: Record<'mainnet' | 'testnet', FaultyNode>
const parameterNames = { mainnet: '/price-lookup/dev/rpc-urls/mainnet', testnet: '/price-lookup/dev/rpc-urls/testnet' }

beforeAll(async () => {
  sandbox = await startSandbox({ mainnet: 'embedded', testnet: 'embedded' })
  nodes = {
    mainnet: await startProxyNode(sandbox.chains.mainnet?.rpcUrl ?? ''),
    testnet: await startProxyNode(sandbox.chains.testnet?.rpcUrl ?? ''),
  }
  for (const network of ['mainnet', 'testnet'] as const)
    sandbox.parameters.set(parameterNames[network], nodes[network].url.href)
  gateway = await startGateway({ ...sandbox, host: '127.0.0.1', port: 0, nowMs })
}, 60_000)

afterAll(async () => {
  await gateway.stop()
  await sandbox[Symbol.asyncDispose]()
  for (const node of Object.values(nodes)) await node.stop()
})

/** Sends a request to the service, and expects a documented response. */
async function get(path: string, init: RequestInit = {}, baseUrl = gateway.baseUrl) {
  const response = await fetch(`${baseUrl}${path}`, { redirect: 'manual', ...init })
  const { status, headers } = response
  const text = await response.text()
  expectDocumented({ method: init.method ?? 'GET', path, status, headers, text })
  return { status, headers, text, cache: headers.get('x-local-cache') }
}

const requestsTo = (network: 'mainnet' | 'testnet') => nodes[network].requests.length

/** How far the clock of the gateways' caches and throttling is ahead of the real one. */
let aheadMs = 0
const nowMs = () => performance.now() + aheadMs

/** Expires every cached answer: the template's TTL is 10 seconds. */
const expireCache = () => {
  aheadMs += 10_000
}

const problemOf = (slug: string, status: number) => ({
  type: `urn:problem-type:price-lookup:${slug}`,
  title: expect.any(String),
  status,
  detail: expect.any(String),
})

function expectProblem({ status, headers, text }: Awaited<ReturnType<typeof get>>, slug: string, expected: number) {
  expect(status).toBe(expected)
  expect(JSON.parse(text)).toEqual(problemOf(slug, expected))
  expect(headers.get('content-type')).toBe('application/problem+json')
  expect(headers.get('access-control-allow-origin')).toBe('*')
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.get('expires')).toBeNull()
  expect(headers.get('vary')).toBeNull()
}

test.each(['/price/CRWD', '/price', '/price/NONE', '/', '/elsewhere'])(
  'the response to GET %s names the local chains, and has no such header without them (D28)',
  async path => {
    const { mainnet, testnet } = sandbox.chains
    const chains = `mainnet=${mainnet?.rpcUrl} testnet=${testnet?.rpcUrl}`
    expect((await get(path)).headers.get('x-local-chains')).toBe(chains)
    const { template, functions } = sandbox
    const live = await startGateway({ template, functions, host: '127.0.0.1', port: 0 })
    expect((await get(path, {}, live.baseUrl)).headers.get('x-local-chains')).toBeNull()
    await live.stop()
  },
)

test('GET /price/CRWD returns the feed price record of the specification (D9)', async () => {
  const { status, text } = await get('/price/CRWD')
  expect(status).toBe(200)
  const masked = text
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
    "observedAt":1790984206,
    "observedAtIso":"2026-10-02T23:36:46.000Z",
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

/** The specification's table of fields. */
const fields =
  'symbol network chainId status servesLatestRoundData latestRoundDataReverts price sharePrice multiplier observedAt ' +
  'observedAtIso ageSeconds answerRaw decimals feed token explorer block readAt'

test('every registered feed is in the list, with the URL of its record (D9, D17)', async () => {
  for (const network of ['mainnet', 'testnet'] as const) {
    const query = network === 'mainnet' ? '' : '?network=testnet'
    const list = JSON.parse((await get(`/price${query}`)).text)
    expect(Object.keys(list)).toEqual(['network', 'chainId', 'block', 'readAt', 'feeds'])
    const symbols = list.feeds.map(({ symbol }: { symbol: string }) => symbol)
    expect(symbols).toEqual(registry[network].map(({ symbol }) => symbol))
    for (const { url, ...entry } of list.feeds) {
      expect(url).toBe(`${gateway.baseUrl}/price/${entry.symbol}${query}`)
      expect(entry).toMatchObject({ block: list.block, readAt: list.readAt })
      const record = JSON.parse((await get(url.slice(gateway.baseUrl.length))).text)
      const changing = { block: expect.any(Number), readAt: expect.any(String) }
      const ageSeconds = entry.observedAt === null ? null : expect.any(Number)
      expect(record).toEqual({ ...entry, ageSeconds, ...changing })
      expect(Object.keys(record)).toEqual(fields.split(' ').filter(field => field in entry))
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

test('every digit of a multiplier is in the body, and the price is the feed’s own, not the product (D3, D4)', async () => {
  const { text } = await get('/price/AAPL')
  expect(text).toContain('"multiplier":1.000566080061092436,')
  const { answerRaw, sharePrice } = JSON.parse(text)
  const product = (BigInt(Math.round(sharePrice * 1e8)) * 1_000_566_080_061_092_436n) / 10n ** 18n
  expect(BigInt(answerRaw) - product).toBe(1n)
  expect(text).toContain(`"price":${answerRaw.slice(0, -8)}.${answerRaw.slice(-8)},`)
})

test('requests within 10 seconds share one read of the same network and symbol (D21)', async () => {
  expireCache()
  const before = { mainnet: requestsTo('mainnet'), testnet: requestsTo('testnet') }
  const first = await get('/price/NFLX')
  expect(await get('/price/NFLX')).toMatchObject({ text: first.text, cache: 'hit' })
  expect(first.cache).toBe('miss')
  expect(requestsTo('mainnet') - before.mainnet).toBe(1)
  expect((await get('/price/NFLX?network=testnet')).cache).toBe('miss')
  expect(requestsTo('testnet') - before.testnet).toBe(1)
  expect((await get('/price/IBM')).cache).toBe('miss')
  expect((await get('/price')).cache).toBe('miss')
  expect((await get('/price')).cache).toBe('hit')
  expect(requestsTo('mainnet') - before.mainnet).toBe(3)
  expireCache()
  const later = await get('/price/NFLX')
  expect(later.cache).toBe('miss')
  expect(later.text).not.toBe(first.text)
  expect(requestsTo('mainnet') - before.mainnet).toBe(4)
})

test('a response expires 10 seconds after its read, also when it comes from the cache (D21)', async () => {
  for (const path of ['/price/COST', '/price', '/price/COST', '/price']) {
    const { headers, text } = await get(path)
    const freshMs = Date.parse(headers.get('expires') ?? '') - Date.parse(JSON.parse(text).readAt)
    expect(freshMs).toBeLessThanOrEqual(10_000)
    expect(freshMs).toBeGreaterThan(9_000)
    expect(headers.get('cache-control')).toBe('public, must-revalidate, stale-if-error=0')
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('content-type')).toBe('application/json')
    expect(headers.get('vary')).toBeNull()
  }
})

test('a container asks Parameter Store once, and not for a bad request (D7, D22)', async () => {
  await using service = await startServiceOn({ mainnet: nodes.mainnet.url.href, testnet: nodes.testnet.url.href })
  await service.get('/price/NOPE')
  await service.get('/price/CRWD?network=moon')
  await service.get('/price?network=%20')
  expect(service.parameterStore.requests).toEqual([])
  for (const path of ['/price/CRWD', '/price/IBM', '/price/TSLA?network=testnet']) await service.get(path)
  expect(service.parameterStore.requests).toEqual(['AmazonSSM.GetParameters'])
  for (const path of ['/price', '/price?network=testnet']) await service.get(path)
  expect(service.parameterStore.requests).toEqual(['AmazonSSM.GetParameters', 'AmazonSSM.GetParameters'])
})

test.each(['crwd', 'Crwd', 'CRWD'])('/price/%s is CRWD (D7)', async symbol => {
  expect(JSON.parse((await get(`/price/${symbol}`)).text)).toMatchObject({ symbol: 'CRWD' })
})

test.each(['NOPE', 'TSLA', '%43RWD', 'CRWD%20', 'CRWD%2F', '..%2Fprice', '%00', '%', '__proto__', 'x'.repeat(10_000)])(
  '/price/%s is 404 without a request to a node (D7)',
  async symbol => {
    const before = requestsTo('mainnet')
    const answer = await get(`/price/${symbol}`)
    expectProblem(answer, 'unknown-symbol', 404)
    expect(answer.text).toContain('The mainnet has no feed of that symbol. GET /price lists its feeds.')
    expect(requestsTo('mainnet')).toBe(before)
  },
)

test.each([
  ['/price/nope', 'The mainnet has no feed of that symbol. GET /price lists its feeds.'],
  [
    '/price/LabTsla',
    'The mainnet has no feed of that symbol. GET /price lists its feeds. The testnet has one: GET /price/labTSLA?network=testnet reads it.',
  ],
  [
    '/price/crwd?network=testnet',
    'The testnet has no feed of that symbol. GET /price?network=testnet lists its feeds. The mainnet has one: GET /price/CRWD reads it.',
  ],
])('the 404 of %s names its network, and the other if that has the symbol (D7)', async (path, detail) => {
  expect(JSON.parse((await get(path)).text)).toMatchObject({ status: 404, detail })
})

test.each(['?network=Testnet', '?network=mainnet%20', '?network=__proto__', '?network=testnet&network=x'])(
  '/price%s is 400 without a request to a node (D6)',
  async query => {
    const before = requestsTo('mainnet') + requestsTo('testnet')
    for (const path of ['/price', '/price/CRWD']) expectProblem(await get(`${path}${query}`), 'unknown-network', 400)
    expect(requestsTo('mainnet') + requestsTo('testnet')).toBe(before)
  },
)

test.each(['?network=', '?network', '?network=testnet&network='])(
  '/price/CRWD%s reads the mainnet (D6)',
  async query => {
    expect(JSON.parse((await get(`/price/CRWD${query}`)).text)).toMatchObject({ chainId: 4663 })
  },
)

test('the last of repeated networks counts (D6)', async () => {
  const { text } = await get('/price/TSLA?network=mainnet&network=testnet')
  expect(JSON.parse(text)).toMatchObject({ chainId: 46630 })
})

test.each([
  ['', 'Price Lookup'],
  ['/', 'Price Lookup'],
  ['/docs', 'Price Lookup: API reference'],
])('GET %j is the page “%s”, for any origin (D20, D26)', async (path, title) => {
  const { status, headers, text, cache } = await get(path)
  expect([status, headers.get('content-type'), cache]).toEqual([200, 'text/html; charset=utf-8', null])
  expect(headers.get('access-control-allow-origin')).toBe('*')
  expect(headers.get('cache-control')).toBe('public, max-age=300')
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('referrer-policy')).toBe('no-referrer')
  expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'sha256-/)
  expect(text).toContain(`<title>${title}</title>`)
})

test('GET /openapi.json is the description of the API, for any origin (D20, D26)', async () => {
  const { status, headers, text, cache } = await get('/openapi.json')
  expect([status, headers.get('content-type'), cache]).toEqual([200, 'application/json', null])
  expect(headers.get('access-control-allow-origin')).toBe('*')
  expect(headers.get('cache-control')).toBe('public, max-age=300')
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(text).toBe(readOpenApiDocument())
})

test('a document is 415 for a request with another content type than JSON, which is not cached (D26)', async () => {
  for (const path of ['/', '/docs', '/openapi.json']) {
    const refused = await get(path, { headers: { 'Content-Type': 'text/plain; charset=utf-8' } })
    expect([refused.status, refused.headers.get('cache-control')]).toEqual([415, 'no-store'])
    expect(JSON.parse(refused.text)).toMatchObject({ title: 'Unsupported media type', status: 415 })
    expect((await get(path, { headers: { 'Content-Type': 'application/json' } })).status).toBe(200)
  }
  expect((await get('/price/CRWD', { headers: { 'Content-Type': 'text/plain' } })).status).toBe(200)
})

test.each([
  ['POST', '/'],
  ['GET', '/openapi.yaml'],
  ['GET', '/prices'],
  ['GET', '/price/CRWD/'.concat('more')],
  ['GET', '//price'],
  ['POST', '/price'],
  ['DELETE', '/price/CRWD'],
])('%s %s is an unknown route (D19)', async (method, path) => {
  expectProblem(await get(path, { method }), 'unknown-route', 404)
})

test('a trailing slash changes nothing, including the list’s URLs', async () => {
  expect((await get('/price/?network=testnet')).text).toBe((await get('/price?network=testnet')).text)
})

test.each(['/', '/docs', '/openapi.json', '/price', '/price/CRWD'])(
  'a preflight of %s allows GET from any origin (D20)',
  async path => {
    const headers = { Origin: 'https://app.example', 'Access-Control-Request-Method': 'GET' }
    const answer = await get(path, { method: 'OPTIONS', headers })
    expect(answer.status).toBe(204)
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(answer.headers.get('access-control-allow-methods')).toBe('GET')
    expect(answer.headers.get('access-control-allow-headers')).toBe('*')
  },
)

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

test('an unreadable feed is 502, and an entry with a problem in the list (D18, D19)', async () => {
  const rpcUrl = sandbox.chains.mainnet?.rpcUrl ?? ''
  const pfe = registry.mainnet.find(({ symbol }) => symbol === 'PFE')
  await misbehave(rpcUrl, pfe?.address as `0x${string}`, 'latestDetail()', { revert: '0x' })
  expireCache()
  expectProblem(await get('/price/PFE'), 'feed-unreadable', 502)
  const { feeds } = JSON.parse((await get('/price')).text)
  const { problem, ...entry } = feeds.find(({ symbol }: { symbol: string }) => symbol === 'PFE')
  expect(problem).toEqual(problemOf('feed-unreadable', 502))
  expect(Object.keys(entry)).toEqual(['symbol', 'feed', 'token', 'explorer', 'url'])
  expect(feeds.filter((feed: object) => 'problem' in feed)).toHaveLength(1)
  await misbehave(rpcUrl, pfe?.address as `0x${string}`, 'latestDetail()', 'behave')
}, 20_000)

/** Starts new containers and a gateway for other RPC URLs. */
async function startServiceOn(rpcUrls: Partial<Record<'mainnet' | 'testnet', string>>) {
  const entries = Object.entries(rpcUrls).map(([network, url]) => [parameterNames[network as 'mainnet'], url] as const)
  const store = await startParameterStore(new Map(entries))
  const functions = createFunctions({ ...sandbox.template, variables: { AWS_ENDPOINT_URL_SSM: store.url } })
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

test('while the node is down, the list and a price are 503 without a statement about a feed (D2, D19)', async () => {
  await using down = await startFaultyNode(response => response.writeHead(502).end('<html>SECRET</html>'))
  await using service = await startServiceOn({ mainnet: down.url.href })
  for (const path of ['/price', '/price/CRWD']) {
    const answer = await service.get(path)
    expectProblem(answer, 'chain-unavailable', 503)
    expect(answer.headers.get('retry-after')).toBe('10')
    expect(answer.text + JSON.stringify([...answer.headers])).not.toMatch(/SECRET|KEY/)
  }
})

test('a network without a parameter is 500, and the other is served (D19)', async () => {
  await using service = await startServiceOn({ testnet: nodes.testnet.url.href })
  expectProblem(await service.get('/price/CRWD'), 'not-configured', 500)
  expect((await service.get('/price/TSLA?network=testnet')).status).toBe(200)
})
