import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ofEachNetwork } from '../../api/networks.ts'
import registry from '../../lambda/feeds/registry.json' with { type: 'json' }
import { createFunctions, type Functions } from '../../local/functions/runtime.ts'
import { type Gateway, startGateway } from '../../local/gateway/gateway.ts'
import { type Sandbox, startSandbox } from '../../local/sandbox.ts'
import { canary } from '../support/chain/faulty-node.ts'
import { expectDocumented } from '../support/contract/documented.ts'
import { expectNoLeak } from '../support/faults/expectations.ts'
import { exchange, type RawRequest, rawRequests, writeRequest } from '../support/fuzz/requests.ts'
import { createCounter, toRuns, toTimeoutMs } from '../support/fuzz/runs.ts'
import { makeUnreadable } from '../support/local/make-unreadable.ts'

let sandbox: Sandbox
let gateway: Gateway
let functions: Functions
const logged: string[] = []

beforeAll(async () => {
  sandbox = await startSandbox(ofEachNetwork(() => 'embedded'))
  const { template, parameterStore } = sandbox
  const log = ({ text }: { readonly text: string }) => void logged.push(text)
  functions = createFunctions({ ...template, variables: parameterStore.variables, log })
  // The clock of throttling is a second later whenever it is read, so that no request is refused.
  let elapsedMs = 0
  const nowMs = () => (elapsedMs += 1_000)
  gateway = await startGateway({ template, functions, host: '127.0.0.1', port: 0, nowMs })
  await makeUnreadable(sandbox, 'HIMS')
})

afterAll(async () => {
  await gateway.stop()
  await functions.stop()
  await sandbox[Symbol.asyncDispose]()
})

/** A response, parsed and raw. */
interface RawResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly raw: string
}

async function send(request: RawRequest): Promise<RawResponse> {
  const raw = await exchange(Number(new URL(gateway.origin).port), writeRequest(request))
  const end = raw.indexOf('\r\n\r\n')
  const [first = '', ...lines] = raw.slice(0, end).split('\r\n')
  const pairs = lines.map((line): [string, string] => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon), line.slice(colon + 1).trim()]
  })
  return { status: Number(first.split(' ')[1]), headers: new Headers(pairs), text: raw.slice(end + 4), raw }
}

/** Whether the local host redirects a route without its stage to that with it. A deployment has no such response. */
function isRedirect({ target }: RawRequest, { status, headers }: RawResponse): boolean {
  const location = `/v1${target.replace(/^([^?]*)\?$/, '$1')}`
  return status === 307 && !target.startsWith('/v1') && headers.get('location') === location
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

const priceRoute = /^\/v1\/price(?:\/([^/]+))?\/?$/

/** The response to a request by the decisions alone: its status, and what it contains. */
function toExpected(request: RawRequest): string {
  const { method, target } = request
  // Like GET, without a body.
  if (method === 'HEAD') return toExpected({ ...request, method: 'GET' }).slice(0, 3)
  const [path = '', ...queries] = target.split('?')
  const document = documents.get(path.replace(/\/$/, ''))
  const price = priceRoute.exec(path)
  const isRoute = document !== undefined || price !== null
  if (!isRoute || (method !== 'GET' && method !== 'OPTIONS')) return '404 unknown-route'
  const isFixed = method === 'OPTIONS' || document !== undefined
  if (isFixed && isOfAnotherType(request)) return '415'
  if (method === 'OPTIONS') return '204'
  if (document !== undefined) return `200 ${document}`
  // `URLSearchParams` removes the first question mark, which is not part of the query.
  const query = new URLSearchParams(`?${queries.join('?').replaceAll(';', '&')}`)
  const network = query.getAll('network').at(-1) || 'mainnet'
  if (network !== 'mainnet' && network !== 'testnet') return '400 unknown-network'
  const symbol = price?.[1]
  if (symbol === undefined) return `200 ${network} list`
  const feed = registry[network].find(candidate => candidate.symbol.toLowerCase() === symbol.toLowerCase())
  if (feed === undefined) return '404 unknown-symbol'
  return feed.symbol === 'HIMS' ? '502 feed-unreadable' : `200 ${network} ${feed.symbol}`
}

const names = new Map([
  ['Robinhood Chain', 'mainnet'],
  ['Robinhood Chain Testnet', 'testnet'],
])

/** Describes a response in the same words. */
function toActual({ status, text }: RawResponse): string {
  if (status === 415 || text === '') return String(status)
  if (text.startsWith('<')) return `${status} ${text.includes('API reference</title>') ? 'reference' : 'board'}`
  const document = JSON.parse(text)
  if ('type' in document) return `${status} ${document.type.replace('urn:problem-type:price-lookup:', '')}`
  if ('openapi' in document) return `${status} description`
  const network = names.get(document.network) ?? ''
  if (!('feeds' in document)) return `${status} ${network} ${document.symbol}`
  for (const { url, symbol } of document.feeds) {
    expect(url).toBe(`${gateway.baseUrl}/price/${symbol}${network === 'testnet' ? '?network=testnet' : ''}`)
  }
  return `${status} ${network} list`
}

test(
  'every request has a documented response without any text of the request',
  async () => {
    const { count, print } = createCounter()
    const property = fc.asyncProperty(fc.array(rawRequests, { minLength: 1, maxLength: 6 }), async requests => {
      const exchanged = requests.map(async request => ({ request, response: await send(request) }))
      for (const { request, response } of await Promise.all(exchanged)) {
        if (isRedirect(request, response)) continue
        expectDocumented({ ...response, method: request.method, path: toPath(request) })
        const expected = toExpected(request)
        const where = writeRequest(request).slice(0, 500)
        expect(response.headers.get('access-control-allow-credentials'), where).toBeNull()
        expect(response.headers.get('vary'), where).toBeNull()
        expect(response.raw.toLowerCase(), where).not.toContain(canary.toLowerCase())
        expect(toActual(response), where).toBe(expected)
        count(expected.replace(/ (mainnet|testnet).*/, ''))
      }
    })
    await fc.assert(property, toRuns(700))
    expectNoLeak(logged, [])
    print('requests')
  },
  toTimeoutMs(700),
)
