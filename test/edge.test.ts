import { get as httpGet, type IncomingMessage } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ofEachNetwork } from '../lambda/networks.ts'
import { type Gateway, startGateway } from '../local/gateway/gateway.ts'
import { type Sandbox, startSandbox } from '../local/sandbox.ts'
import type { Template } from '../local/template/template.ts'
import { createClient } from '../smoke/client.ts'
import { runChecks } from '../smoke/smoke.ts'
import { type FaultyNode, startProxyNode } from './support/chain/faulty-node.ts'
import { expectDocumented } from './support/contract/documented.ts'
import { toRuns } from './support/fuzz/runs.ts'
import { toUnthrottled } from './support/fuzz/unthrottled.ts'
import { createClock } from './support/smoke/clock.ts'

let sandbox: Sandbox
let node: FaultyNode
const gateways: Gateway[] = []

beforeAll(async () => {
  sandbox = await startSandbox(
    ofEachNetwork(() => 'embedded'),
    true,
  )
  node = await startProxyNode(sandbox.chains.mainnet?.rpcUrl ?? '')
  sandbox.parameters.set('/price-lookup/dev/rpc-urls/mainnet', node.url.href)
})

afterAll(async () => {
  for (const gateway of gateways) await gateway.stop()
  await sandbox[Symbol.asyncDispose]()
  await node.stop()
})

/** Starts the gateway of a template, by default with an edge and without a stage cache, on a clock that sleeping moves. */
async function start(change: Partial<Template> = {}) {
  const clock = createClock()
  const template = { ...sandbox.template, cacheCluster: false, ...change }
  const gateway = await startGateway({ ...sandbox, template, host: '127.0.0.1', port: 0, nowMs: clock.nowMs })
  gateways.push(gateway)
  return { clock, baseUrl: gateway.baseUrl, get: (path: string) => get(gateway.baseUrl, path) }
}

async function get(baseUrl: string, path: string, method = 'GET') {
  const response = await fetch(`${baseUrl}${path}`, { method })
  const { status, headers } = response
  const text = await response.text()
  expectDocumented({ method, path, status, headers, text })
  return { status, headers, text }
}

test('all spellings of a price are one read of the chain, and so are requests at once (D27)', async () => {
  const edge = await start()
  const before = node.requests.length
  const paths = ['/price/crwd', '/price/CRWD/', '/price/CrWd?network=', '/price/CRWD?network=mainnet&x=1']
  const responses = await Promise.all([...paths, ...paths, ...paths].map(edge.get))
  expect(node.requests.length - before).toBe(1)
  expect(new Set(responses.map(({ text }) => text)).size).toBe(1)
})

/** Sends a path as it is: `fetch` would resolve its dots. */
async function ask(baseUrl: string, path: string) {
  const { origin, pathname } = new URL(baseUrl)
  const url = `${origin}${pathname}${path}`
  const response = await new Promise<IncomingMessage>((resolve, reject) =>
    httpGet(origin, { path: url.slice(origin.length) }, resolve).on('error', reject),
  )
  const text = await readText(response)
  const isJson = response.headers['content-type']?.includes('json')
  const { type, network, chainId, symbol } = isJson ? JSON.parse(text) : {}
  return { status: response.statusCode, type, network, chainId, symbol }
}

const segments = fc.constantFrom('price', 'NFLX', 'crwd', 'tsla', 'NONE', 'docs', '%70rice', '.', '..', '', '%4eFLX')
const paths = fc.oneof(
  fc.constantFrom('', '/', '/price', '/price/', '/price/CRWD', '/price/tsla/', '/docs', '/openapi.json', '//price'),
  fc.array(segments, { minLength: 1, maxLength: 4 }).map(parts => `/${parts.join('/')}`),
)
const names = fc.constantFrom('network', 'network', 'Network', '%6eetwork', '%256eetwork', 'net+work', 'x', '', '%')
const values = fc.constantFrom('testnet', 'mainnet', '', 'x', '%74estnet', '%2574estnet', 'testnet+', '%', 'a=b', '1;x')
const parameters = fc.oneof(
  fc.tuple(names, values).map(pair => pair.join('=')),
  fc.constantFrom('network', '&', '=testnet', 'network=testnet&network=x', '1;network=testnet', '?network=testnet'),
)
const queries = fc.array(parameters, { maxLength: 3 }).map(all => (all.length === 0 ? '' : `?${all.join('&')}`))

test('every spelling of a path and a query gets the response of the API itself, or 400 (D27)', async () => {
  // The clock stands still, and with it the throttle of the template, which would refuse all but its first requests.
  const { routes } = toUnthrottled(sandbox.template)
  const [edge, api] = [await start({ routes }), await start({ routes, edge: undefined })]
  const compare = async (path: string, query: string) => {
    const [actual, expected] = [await ask(edge.baseUrl, path + query), await ask(api.baseUrl, path + query)]
    // CloudFront and API Gateway read these queries differently.
    const isAmbiguous = /;|[?&][^=&]*[%+]/.test(query)
    if (isAmbiguous && /^\/price(\/[^/]+)?\/?$/.test(path)) expect(actual.status, path + query).toBe(400)
    else expect(actual, path + query).toEqual(expected)
  }
  await fc.assert(fc.asyncProperty(paths, queries, compare), {
    ...toRuns(200),
    examples: [
      ['/price/TSLA', '?x=1;network=testnet'],
      ['/price/TSLA', '?network=%2574estnet'],
      ['/price/TSLA', '?%6eetwork=testnet'],
      ['/%70rice/NFLX', ''],
      ['/price/./NFLX', '?network=testnet'],
      ['/docs/../price/NFLX', '?network=testnet'],
    ],
  })
})

test('a price is cached until it expires, and replaces no error after that (D21)', async () => {
  const { clock, get } = await start()
  const first = await get('/price/CRWD')
  await clock.sleep(5_000)
  const hit = await get('/price/crwd')
  expect(hit.text).toBe(first.text)
  expect(hit.headers.get('age')).toBe('5')
  expect(hit.headers.get('date')).toBe(first.headers.get('date'))
  await clock.sleep(5_000)
  await node.stop()
  expect((await get('/price/crwd')).status).toBe(503)
  await node.restart()
  // The error was not cached.
  expect((await get('/price/crwd')).status).toBe(200)
})

test('every response through the edge is documented: prices, problems, documents, HEAD, preflights', async () => {
  const { baseUrl } = await start()
  const requests: readonly (readonly [string, string, number])[] = [
    ['GET', '/price?network=testnet', 200],
    ['GET', '/price?x=1', 200],
    ['GET', '/', 200],
    ['GET', '/openapi.json', 200],
    ['GET', '/docs/?network=x', 200],
    ['HEAD', '/docs', 200],
    ['GET', '/price/NONE', 404],
    ['GET', '/price?network=x', 400],
    ['GET', '/prices', 404],
    ['POST', '/price', 404],
    ['HEAD', '/price/crwd', 200],
    ['HEAD', '/price/NONE', 404],
    ['OPTIONS', '/price/crwd', 204],
  ]
  for (const [method, path, status] of requests) expect((await get(baseUrl, path, method)).status, path).toBe(status)
})

test.each([
  ['gzip, br', 'br'],
  ['gzip', 'gzip'],
  ['identity', undefined],
])('the list is sent to a client that accepts %s as %s', async (accepted, encoding) => {
  const { baseUrl } = await start()
  const response = await new Promise<IncomingMessage>(resolve =>
    httpGet(`${baseUrl}/price`, { headers: { 'Accept-Encoding': accepted } }, resolve),
  )
  expect(response.headers['content-encoding']).toBe(encoding)
  response.destroy()
})

async function smoke(change: Partial<Template>) {
  const { baseUrl, clock } = await start(change)
  const checks = await runChecks(createClient(baseUrl, clock), 'edge')
  return checks.filter(({ outcome }) => outcome === 'failed').map(({ name }) => name)
}

test.each([true, false])('the smoke test passes through the edge, with a stage cache: %s', async cacheCluster => {
  expect(await smoke({ cacheCluster })).toEqual([])
})

const noSharing = ['all spellings of a price are one read', 'all spellings of the list are one read']

test('the smoke test notices that the edge is missing, or keys on spellings', async () => {
  expect(await smoke({ cacheCluster: true, edge: undefined })).toEqual([...noSharing, 'the list is compressed'])
  const functionCode = 'function handler(event) { return event.request }'
  const { edge } = sandbox.template
  expect(await smoke({ edge: edge && { ...edge, functionCode } })).toEqual(expect.arrayContaining(noSharing))
})
