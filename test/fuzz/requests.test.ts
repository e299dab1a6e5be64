import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import registry from '../../lambda/feeds/registry.json' with { type: 'json' }
import { ofEachNetwork } from '../../lambda/networks.ts'
import { setReverts } from '../../local/chains/stand-in-feed.ts'
import { type ParameterStore, startParameterStore } from '../../local/functions/parameter-store.ts'
import { createFunctions, type Functions } from '../../local/functions/runtime.ts'
import { type Gateway, startGateway } from '../../local/gateway/gateway.ts'
import { type Sandbox, startSandbox } from '../../local/sandbox.ts'
import { canary } from '../support/chain/faulty-node.ts'
import { expectDocumented } from '../support/contract/documented.ts'
import { exchange, type RawRequest, rawRequests, writeRequest } from '../support/fuzz/requests.ts'
import { createCounter, toRuns, toTimeoutMs } from '../support/fuzz/runs.ts'
import { toUnthrottled } from '../support/fuzz/unthrottled.ts'

let sandbox: Sandbox
let gateway: Gateway
let functions: Functions
const logged: string[] = []
const leaks = new RegExp(`internal|${canary}|KEY|127\\.0\\.0\\.1`, 'i')

beforeAll(async () => {
  sandbox = await startSandbox(ofEachNetwork(() => 'embedded'))
  functions = startFunctions(sandbox.parameterStore)
  gateway = await startGateway({ template: toUnthrottled(sandbox.template), functions, host: '127.0.0.1', port: 0 })
  const hims = registry.mainnet.find(({ symbol }) => symbol === 'HIMS')
  const rpcUrl = sandbox.chains.mainnet?.rpcUrl ?? ''
  await setReverts(rpcUrl, hims?.address as `0x${string}`, 'latestDetail()', true)
})

afterAll(async () => {
  await gateway.stop()
  await functions.stop()
  await sandbox[Symbol.asyncDispose]()
})

function startFunctions({ variables }: ParameterStore): Functions {
  return createFunctions({
    functions: sandbox.template.functions,
    variables,
    log: ({ text }) => void logged.push(text),
  })
}

/** A response, parsed and raw. */
interface RawResponse {
  readonly status: number
  readonly headers: Headers
  readonly body: string
  readonly raw: string
}

async function send({ origin }: Gateway, request: RawRequest): Promise<RawResponse> {
  const raw = await exchange(Number(new URL(origin).port), writeRequest(request))
  const end = raw.indexOf('\r\n\r\n')
  const [first = '', ...lines] = raw.slice(0, end).split('\r\n')
  const pairs = lines.map((line): [string, string] => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon), line.slice(colon + 1).trim()]
  })
  const response = { status: Number(first.split(' ')[1]), headers: new Headers(pairs), body: raw.slice(end + 4), raw }
  if (!isRedirect(request, response))
    expectDocumented({ ...response, method: request.method, path: toPath(request), text: response.body })
  return response
}

/** Whether the local host redirects a route without its stage to that with it. A deployment has no such response. */
function isRedirect({ target }: RawRequest, { status, headers }: Pick<RawResponse, 'status' | 'headers'>): boolean {
  return (
    status === 307 &&
    !target.startsWith('/v1') &&
    headers.get('location') === `/v1${target.replace(/^([^?]*)\?$/, '$1')}`
  )
}

/** The path below the stage. A path outside of the stage is no path of the API. */
function toPath({ target }: RawRequest): string {
  return /^\/v1(?=[/?]|$)/.test(target) ? target.slice('/v1'.length) : '/beside'
}

/** The documents, by their paths. */
const documents = new Map([
  ['/v1', 'board'],
  ['/v1/docs', 'reference'],
  ['/v1/openapi.json', 'description'],
])

/** Whether the request's content type is not JSON. */
function isOfAnotherType({ headers }: RawRequest): boolean {
  const [, announced = ''] = headers.findLast(([name]) => name === 'Content-Type') ?? []
  return !/^\s*(application\/json\s*)?(;|$)/i.test(announced)
}

/** The response to a request by the decisions alone: its status, and what it contains. */
function toExpected(request: RawRequest): string {
  const { method, target } = request
  // Like GET, without a body.
  if (method === 'HEAD') return toExpected({ ...request, method: 'GET' }).slice(0, 3)
  const mark = target.indexOf('?')
  const path = mark < 0 ? target : target.slice(0, mark)
  const document = documents.get(path.replace(/\/$/, ''))
  const isRoute = document !== undefined || /^\/v1\/price(\/[^/]+)?\/?$/.test(path)
  const isFixed = method === 'OPTIONS' || (method === 'GET' && document !== undefined)
  if (isRoute && isFixed && isOfAnotherType(request)) return '415'
  if (document !== undefined && method === 'GET') return `200 ${document}`
  if (document !== undefined && method === 'OPTIONS') return '204'
  const [, symbol] = /^\/v1\/price(?:\/([^/]+))?\/?$/.exec(path) ?? []
  const isKnown = /^\/v1\/price(\/[^/]+)?\/?$/.test(path)
  if (!isKnown || (method !== 'GET' && method !== 'OPTIONS')) return '404 unknown-route'
  if (method === 'OPTIONS') return '204'
  const query = new URLSearchParams(mark < 0 ? '' : target.slice(mark + 1).replaceAll(';', '&'))
  const network = query.getAll('network').at(-1) || 'mainnet'
  if (network !== 'mainnet' && network !== 'testnet') return '400 unknown-network'
  if (symbol === undefined) return `200 ${network} list`
  const feed = registry[network].find(one => one.symbol.toLowerCase() === symbol.toLowerCase())
  if (feed === undefined) return '404 unknown-symbol'
  return feed.symbol === 'HIMS' ? '502 feed-unreadable' : `200 ${network} ${feed.symbol}`
}

const names = new Map([
  ['Robinhood Chain', 'mainnet'],
  ['Robinhood Chain Testnet', 'testnet'],
])

/** Describes a response in the same words. */
function toActual({ status, headers, body }: RawResponse): string {
  if (status === 204 || status === 415 || body === '') return String(status)
  if (headers.get('content-type') === 'text/html; charset=utf-8')
    return `${status} ${body.includes('API reference</title>') ? 'reference' : 'board'}`
  const document = JSON.parse(body)
  if (headers.get('content-type') === 'application/problem+json') {
    expect(Object.keys(document)).toEqual(['type', 'title', 'status', 'detail'])
    expect(document.status).toBe(status)
    return `${status} ${document.type.replace('urn:problem-type:price-lookup:', '')}`
  }
  expect(headers.get('content-type')).toBe('application/json')
  if ('openapi' in document) return `${status} description`
  const network = names.get(document.network) ?? ''
  if (!('feeds' in document)) return `${status} ${network} ${document.symbol}`
  for (const { url, symbol } of document.feeds) {
    expect(url).toBe(`${gateway.baseUrl}/price/${symbol}${network === 'testnet' ? '?network=testnet' : ''}`)
  }
  return `${status} ${network} list`
}

test(
  'every request has a documented response without any text of the request (D6 to D8, D19, D20)',
  async () => {
    const { count, print } = createCounter()
    const property = fc.asyncProperty(fc.array(rawRequests, { minLength: 1, maxLength: 6 }), async requests => {
      const responses = await Promise.all(requests.map(request => send(gateway, request)))
      for (const [index, request] of requests.entries()) {
        const response = responses[index]
        if (response === undefined) throw new Error('A request has no response')
        if (isRedirect(request, response)) continue
        const expected = toExpected(request)
        const where = writeRequest(request).slice(0, 500)
        expect(response.headers.get('access-control-allow-origin'), where).toBe('*')
        expect(response.headers.get('access-control-allow-credentials'), where).toBeNull()
        expect(response.headers.get('vary'), where).toBeNull()
        expect(response.raw.toLowerCase(), where).not.toContain(canary.toLowerCase())
        expect(toActual(response), where).toBe(expected)
        count(expected.replace(/ (mainnet|testnet).*/, ''))
      }
    })
    await fc.assert(property, toRuns(700))
    expect(logged.filter(line => leaks.test(line))).toEqual([])
    print('requests')
  },
  toTimeoutMs(700),
)

test(
  'while no chain can be read, every request has a documented response (D7, D19, D20)',
  async () => {
    const { count, print } = createCounter()
    const parameters = [...sandbox.parameters.keys()].map(name => [name, 'http://127.0.0.1:9/KEY'] as const)
    await using stack = new AsyncDisposableStack()
    const store = await startParameterStore(new Map(parameters))
    stack.defer(store.stop)
    const functions = startFunctions(store)
    stack.defer(functions.stop)
    const unavailable = await startGateway({
      template: toUnthrottled(sandbox.template),
      functions,
      host: '127.0.0.1',
      port: 0,
    })
    stack.defer(unavailable.stop)
    const property = fc.asyncProperty(rawRequests, async request => {
      const response = await send(unavailable, request)
      if (isRedirect(request, response)) return
      const isHead = request.method === 'HEAD'
      const ofGet = toExpected(isHead ? { ...request, method: 'GET' } : request)
      const unread = ofGet.replace(/^(200 (mainnet|testnet)|502) .*/, '503 chain-unavailable')
      const expected = isHead ? unread.slice(0, 3) : unread
      expect(response.headers.get('access-control-allow-origin')).toBe('*')
      expect(response.raw.toLowerCase()).not.toContain(canary.toLowerCase())
      // The gateway's own URL is in its links.
      expect(response.raw.replaceAll(unavailable.origin, '')).not.toMatch(/KEY|127\.0\.0\.1/)
      expect(toActual(response)).toBe(expected)
      count(expected)
    })
    await fc.assert(property, toRuns(300))
    expect(logged.filter(line => leaks.test(line))).toEqual([])
    print('requests without a chain')
  },
  toTimeoutMs(300),
)
