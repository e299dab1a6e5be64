import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect, isIPv4 } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { exampleBaseUrl } from '../../../api/openapi.ts'
import { createFunctions, type Functions } from '../../../local/functions/runtime.ts'
import { type Gateway, startGateway } from '../../../local/gateway/gateway.ts'
import type { ProxyEvent } from '../../../local/gateway/proxy-event.ts'
import type { LogLine } from '../../../local/log.ts'
import { synthesise } from '../../../local/synthesise.ts'
import type { Route } from '../../../local/template/routes.ts'
import { readTemplate, type Template } from '../../../local/template/template.ts'
import { expectDocumented } from '../../support/contract/documented.ts'

/** Returns the event and the number of invocations. */
const echo = `let served = 0
exports.handler = async event => ({
  statusCode: 200,
  headers: { 'Content-Type': 'application/json', 'X-Number': '1' },
  body: JSON.stringify({ served: ++served, event }),
})`

/** Returns or fails in the way that the symbol names. */
const faulty = `const json = { 'Content-Type': 'application/json' }
const ways = {
  throw: () => { throw new Error('thrown') },
  exit: () => process.exit(1),
  hang: () => new Promise(() => {}),
  nothing: () => undefined,
  object: () => ({ statusCode: 200, headers: json, body: {} }),
  extra: () => ({ statusCode: 200, headers: json, body: '', message: 'x' }),
  switching: () => ({ statusCode: 101, headers: json, body: '' }),
  header: () => ({ statusCode: 200, headers: { ...json, 'X-A': 'a\\r\\nX-B: b' }, body: '' }),
  renamed: () => ({ statusCode: 200, headers: { ...json, date: 'never' }, body: '' }),
  typeless: () => ({ statusCode: 200, headers: {}, body: '' }),
  unavailable: () => ({ statusCode: 503, headers: json, body: 'in vain' }),
  good: () => ({ statusCode: 200, headers: json, body: '{}' }),
}
exports.handler = async ({ pathParameters: { symbol } }) => ways[symbol]()`

let folder: string
let template: Template
/** Gateways of the real template, with other functions. Every test finds their caches expired and their throttles full. */
let echoing: Gateway & { functions: Functions }
let failing: Gateway & { functions: Functions }
const stops: (() => Promise<void>)[] = []
let shared: typeof stops
let lines: LogLine[] = []
let nowMs = 0

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'price-lookup-gateway-'))
  template = await readTemplate(await synthesise(folder))
  echoing = await startWith({ GetPrice: echo, ListPrices: echo })
  failing = await startWith({ GetPrice: faulty, ListPrices: echo })
  shared = stops.splice(0)
})

beforeEach(() => {
  nowMs += 10_000
  lines = []
})

afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

afterAll(async () => {
  for (const stop of shared) await stop()
  await rm(folder, { recursive: true })
})

async function start(changed: Template, functions: Functions, host = '127.0.0.1'): Promise<Gateway> {
  const log = (line: LogLine) => lines.push(line)
  const gateway = await startGateway({ template: changed, functions, host, port: 0, log, nowMs: () => nowMs })
  stops.push(gateway.stop)
  return gateway
}

/** Creates functions of the template from the texts of their bundles. */
async function create(bundles: Record<string, string>): Promise<Functions> {
  const written = [...template.functions].map(async ([id, fn]) => {
    const entry = join(folder, `${Math.random()}.cjs`)
    await writeFile(entry, bundles[fn.name] ?? '')
    return [id, { ...fn, entry }] as const
  })
  const functions = createFunctions({ functions: new Map(await Promise.all(written)), log: line => lines.push(line) })
  stops.push(functions.stop)
  return functions
}

async function startWith(bundles: Record<string, string>) {
  const functions = await create(bundles)
  return { ...(await start(template, functions)), functions }
}

/** The template with other routes. */
function changeRoutes(change: (route: Route) => Route): Template {
  return { ...template, routes: template.routes.map(change) }
}

async function get(url: string, init?: RequestInit) {
  const response = await fetch(url, init)
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, cache: response.headers.get('x-local-cache') }
}

async function echoed(url: string, init?: RequestInit) {
  const { text, cache } = await get(url, init)
  const { served, event }: { served: number; event: ProxyEvent } = JSON.parse(text)
  return { served, event, cache }
}

/** Expects the response to a price to be a documented problem of this status. */
function expectProblem(response: Awaited<ReturnType<typeof get>>, status: number) {
  expect(response.status).toBe(status)
  expectDocumented({ ...response, method: 'GET', path: '/price/CRWD' })
}

test('a function receives the fields of the event that a response may depend on', async () => {
  const { origin, baseUrl } = echoing
  const { event } = await echoed(`${baseUrl}/price/a%2Fb?network=mainnet&network=testnet&x=%C3%A9+1&y`, {
    headers: { 'User-Agent': 'test', 'X-One': '1' },
  })
  expect(event).toEqual({
    resource: '/price/{symbol}',
    path: '/price/a%2Fb',
    httpMethod: 'GET',
    headers: expect.objectContaining({ 'User-Agent': 'test', 'X-One': '1' }),
    queryStringParameters: { network: 'testnet', x: 'é 1', y: '' },
    pathParameters: { symbol: 'a%2Fb' },
    requestContext: { domainName: origin.slice('http://'.length), stage: 'v1' },
  })
})

test('maps without an entry are null, also of a path with a slash at its end', async () => {
  for (const path of ['/price', '/price/', '/price?', '/price/?&']) {
    nowMs += 10_000
    const { event } = await echoed(echoing.baseUrl + path)
    expect(event).toMatchObject({
      resource: '/price',
      path: path.split('?')[0],
      queryStringParameters: null,
      pathParameters: null,
    })
  }
})

test('a gateway at a wildcard address has the domain name that another machine uses', async () => {
  const { origin } = await start(template, echoing.functions, '0.0.0.0')
  const { hostname, host, port } = new URL(origin)
  const addresses = Object.values(networkInterfaces()).flatMap((addresses = []) => addresses)
  const external = addresses.filter(({ internal }) => !internal).map(({ address }) => address)
  expect(external.some(address => isIPv4(address)) ? external : ['localhost']).toContain(hostname)
  const { event } = await echoed(`http://127.0.0.1:${port}/v1/price`)
  expect(event.requestContext.domainName).toBe(host)
})

test('a gateway at a name has its address as domain name, because a name would get https (D18b)', async () => {
  const { origin } = await start(template, echoing.functions, 'localhost')
  expect(origin).toMatch(/^http:\/\/(127[.\d]+|\[::1\]):\d+$/)
})

test.each([
  ['POST', '/price'],
  ['GET', '/v1/openapi+json'],
  ['GET', '/v1x/price'],
  ['GET', '/v1/%70rice'],
  ['HEAD', '/v1/prices'],
])('%s %s is an unknown route', async (method, path) => {
  const response = await get(echoing.origin + path, { method })
  expect(response.status).toBe(404)
  expectDocumented({ ...response, method, path: '/nowhere' })
})

test.each([
  ['OPTIONS', '/price', '', 204],
  ['OPTIONS', '/price', 'Application/JSON; charset=utf-8', 204],
  ['OPTIONS', '/price', 'application/*', 415],
  ['GET', '/docs', 'application/json', 200],
  ['GET', '/docs', 'application/x-www-form-urlencoded; charset=utf-8', 415],
])('%s %s with the content type “%s” is %i (D26)', async (method, path, type, status) => {
  const response = await get(echoing.baseUrl + path, { method, headers: { 'Content-Type': type } })
  expect(response.status).toBe(status)
  expectDocumented({ ...response, method, path })
})

test('a response is cached completely, for its TTL', async () => {
  const url = `${echoing.baseUrl}/price/CRWD`
  const first = await get(url)
  const second = await get(url)
  expect([first.cache, second.cache]).toEqual(['miss', 'hit'])
  expect(second.text).toBe(first.text)
  expect(second.headers.get('x-number')).toBe('1')
  expect(second.headers.get('x-amzn-requestid')).not.toBe(first.headers.get('x-amzn-requestid'))
  nowMs += 9_999
  expect(await get(url)).toMatchObject({ text: first.text, cache: 'hit' })
  nowMs += 1
  expect(await echoed(url)).toMatchObject({ served: JSON.parse(first.text).served + 1, cache: 'miss' })
})

test('the cache key has the symbol and the network, an empty one too, and nothing else', async () => {
  const cacheOf = async (path: string, init?: RequestInit) => (await get(echoing.baseUrl + path, init)).cache
  for (const path of ['/price/CRWD', '/price/crwd', '/price/CRWD?network=', '/price/CRWD?network=testnet'])
    expect(await cacheOf(path), path).toBe('miss')
  expect(await cacheOf('/price/CRWD?network=mainnet&network=testnet')).toBe('hit')
  const headers = { Accept: 'text/html', 'Cache-Control': 'max-age=0' }
  expect(await cacheOf('/price/CRWD/?other=1', { headers })).toBe('hit')
  for (const path of ['/price?network=testnet', '/price/testnet']) expect(await cacheOf(path), path).toBe('miss')
})

test('nothing is cached without a cache cluster, nor HEAD with one', async () => {
  const { baseUrl } = await start({ ...template, cacheCluster: false }, echoing.functions)
  const { served } = await echoed(`${baseUrl}/price`)
  expect(await echoed(`${baseUrl}/price`)).toMatchObject({ served: served + 1, cache: null })
  expect(await get(`${echoing.baseUrl}/price`, { method: 'HEAD' })).toMatchObject({ status: 200, cache: null })
})

test('a response of a function alone is cached, at any status', async () => {
  const url = `${failing.baseUrl}/price/unavailable`
  expect(await get(url)).toMatchObject({ status: 503, cache: 'miss', text: 'in vain' })
  expect(await get(url)).toMatchObject({ status: 503, cache: 'hit', text: 'in vain' })
  for (const _ of ['first', 'second']) expect((await get(`${failing.baseUrl}/price/throw`)).cache).toBe('miss')
})

test.each(['throw', 'exit', 'nothing', 'object', 'extra', 'switching', 'header', 'renamed', 'typeless'])(
  'a result that is not a response (%s) is a 502 with a log line',
  async symbol => {
    expectProblem(await get(`${failing.baseUrl}/price/${symbol}`), 502)
    expect(lines).toMatchObject([{ level: 'error' }])
    expect((await get(`${failing.baseUrl}/price/good`)).status).toBe(200)
  },
)

test('a timeout of the integration is a 504', async () => {
  const changed = changeRoutes(route => ({ ...route, integration: { ...route.integration, timeoutMs: 200 } }))
  const slow = await start(changed, await create({ GetPrice: faulty }))
  expectProblem(await get(`${slow.baseUrl}/price/hang`), 504)
})

test('requests above the burst of a method are 429 until time adds tokens', async () => {
  const throttling = { requestsPerSecond: 20, burst: 3 }
  const changed = changeRoutes(route => ({ ...route, settings: { ...route.settings, throttling } }))
  const { baseUrl } = await start(changed, echoing.functions)
  const statusesOf = async (length: number) => {
    const responses = await Promise.all(Array.from({ length }, () => get(`${baseUrl}/price`)))
    return responses.map(({ status }) => status).toSorted()
  }
  expect(await statusesOf(5)).toEqual([200, 200, 200, 429, 429])
  expectProblem(await get(`${baseUrl}/price`), 429)
  nowMs += 50
  expect(await statusesOf(5)).toEqual([200, 429, 429, 429, 429])
  nowMs += 3_600_000
  expect(await statusesOf(5)).toEqual([200, 200, 200, 429, 429])
  expect((await get(`${baseUrl}/price/CRWD`)).status).toBe(200)
})

test.each([
  ['GET', '/', '/v1/'],
  ['GET', '/price?network=testnet&x', '/v1/price?network=testnet&x'],
  ['HEAD', '/price/CRWD/', '/v1/price/CRWD/'],
])('%s %s of the host redirects to the stage', async (method, path, location) => {
  const { status, headers } = await fetch(echoing.origin + path, { method, redirect: 'manual' })
  expect([status, headers.get('location'), headers.get('access-control-allow-origin')]).toEqual([307, location, '*'])
})

test('the description and the problems name the URL of the gateway in place of the deployment’s (D18b)', async () => {
  const { baseUrl } = echoing
  const { text } = await get(`${baseUrl}/openapi.json`)
  expect(JSON.parse(text).servers[0].url).toBe(baseUrl)
  expect(text).toContain(`"url":"${baseUrl}/price/AMD?network=testnet"`)
  expect(text).not.toContain(exampleBaseUrl)
  const { headers } = await get(`${baseUrl}/prices`)
  expect(headers.get('link')).toBe(
    `<${baseUrl}/openapi.json>; rel="service-desc", <${baseUrl}/docs>; rel="service-doc"`,
  )
})

test('an aborted request causes no error', async () => {
  for (const request of [
    'GET /v1/price/good HTTP/1.1\r\nHost: x\r\n\r\n',
    'POST /v1/price HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nx',
  ]) {
    const socket = connect(Number(new URL(failing.origin).port), '127.0.0.1')
    await once(socket, 'connect')
    await new Promise(resolve => socket.write(request, resolve))
    socket.destroy()
  }
  expect((await get(`${failing.baseUrl}/price/good`)).status).toBe(200)
  expect(lines).toEqual([])
})
