import { once } from 'node:events'
import { get as request } from 'node:http'
import { isIPv4 } from 'node:net'
import { networkInterfaces } from 'node:os'
import { text } from 'node:stream/consumers'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { exampleBaseUrl } from '../../api/schemas/openapi.ts'
import type { ProxyEvent } from '../../lambda/handlers/parse-request.ts'
import { type Server, startServer } from '../../local/server.ts'
import { stopPerformance } from '../support/clock.ts'
import { expectDocumented } from '../support/contract/documented.ts'

const started = new AsyncDisposableStack()
const clock = started.use(stopPerformance())
/** How many invocations the handlers had in a test. */
let served = 0

/** Returns the event and the number of invocations. */
const echo = async (_: unknown, event: unknown) => {
  served += 1
  return { statusCode: 200, headers: { 'X-Number': `${served}` }, body: JSON.stringify({ served, event }) }
}

async function start(invoke: Parameters<typeof startServer>[0]['invoke'], host = '127.0.0.1'): Promise<Server> {
  const server = await startServer({ chains: {}, invoke, host, port: 0 })
  started.defer(server.stop)
  return server
}

const server = await start(echo)

beforeEach(() => {
  served = 0
  // After this time, no response of another test is cached any longer.
  clock.advance(10_000)
})
afterAll(() => started.disposeAsync())

async function get(url: string, init?: RequestInit) {
  const response = await fetch(url, { redirect: 'manual', ...init })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

/** Requests a path that a handler answers. Returns its event, and the number of its invocation. */
async function echoed(path: string, init?: RequestInit): Promise<{ served: number; event: ProxyEvent }> {
  return JSON.parse((await get(server.baseUrl + path, init)).text)
}

test('a handler receives the fields of the event that a response may depend on', async () => {
  const { event } = await echoed('/price/a%2Fb??z&network=mainnet&network=testnet&x=%C3%A9+1;y')
  expect(event).toEqual({
    httpMethod: 'GET',
    queryStringParameters: { '?z': '', network: 'testnet', x: 'é 1', y: '' },
    pathParameters: { symbol: 'a%2Fb' },
    requestContext: { domainName: new URL(server.baseUrl).host, stage: 'v1' },
  })
})

/** Sends a request line with this target. */
async function getTarget(target: string) {
  const [response] = await once(request(server.baseUrl, { path: target }), 'response')
  return { status: response.statusCode, location: response.headers.location, text: await text(response) }
}

test('the authority of a target in absolute form is ignored (D8)', async () => {
  const { host } = new URL(server.baseUrl)
  for (const authority of [`http://${host}`, 'HTTPS://prices.example']) {
    const { status, text } = await getTarget(`${authority}/v1/price/CRWD??z&network=testnet`)
    expect(status).toBe(200)
    expect(JSON.parse(text).event).toEqual({
      httpMethod: 'GET',
      queryStringParameters: { '?z': '', network: 'testnet' },
      pathParameters: { symbol: 'CRWD' },
      requestContext: { domainName: host, stage: 'v1' },
    })
    expect(await getTarget(`${authority}?network=testnet`)).toMatchObject({ location: '/v1/?network=testnet' })
    expect(await getTarget(authority)).toMatchObject({ status: 307, location: '/v1/' })
    expect(await getTarget(`${authority}/price`)).toMatchObject({ status: 404 })
  }
})

test('maps without an entry are null, also of a path with a slash at its end', async () => {
  for (const path of ['/price', '/price/', '/price?', '/price/?&']) {
    expect((await echoed(path)).event).toMatchObject({ queryStringParameters: null, pathParameters: null })
  }
})

test('at a wildcard address, the domain name is the one that another machine uses', async () => {
  const { baseUrl } = await start(echo, '0.0.0.0')
  const { hostname, host, port } = new URL(baseUrl)
  const addresses = Object.values(networkInterfaces()).flatMap((addresses = []) => addresses)
  const external = addresses.filter(({ internal }) => !internal).map(({ address }) => address)
  expect(external.some(address => isIPv4(address)) ? external : ['localhost']).toContain(hostname)
  const { text } = await get(`http://127.0.0.1:${port}/v1/price`)
  expect(JSON.parse(text).event.requestContext.domainName).toBe(host)
})

test('at a name, the domain name is its address, because a name would get https (D18b)', async () => {
  const { baseUrl } = await start(echo, 'localhost')
  expect(new URL(baseUrl).origin).toMatch(/^http:\/\/(127[.\d]+|\[::1\]):\d+$/)
})

test.each(['/openapi+json', '//'])('GET %s below the stage is an unknown route', async path => {
  const response = await get(server.baseUrl + path)
  expect(response.status).toBe(404)
  expectDocumented({ ...response, method: 'GET', path: '/nowhere' })
})

test('outside of the stage only / leads to it, and everything else is 404 with the base URL', async () => {
  const { origin } = new URL(server.baseUrl)
  const { status, headers } = await get(`${origin}/?network=testnet`)
  expect([status, headers.get('location')]).toEqual([307, '/v1/?network=testnet'])
  for (const path of ['/price/AAPL', '/v1x/price', '/docs']) {
    const { headers, ...rest } = await get(origin + path)
    expect(rest).toMatchObject({ status: 404, text: `The base URL is ${server.baseUrl}\n` })
    expect(headers.get('content-length')).toBe(String(rest.text.length))
  }
})

test('a preflight and a document, with and without a slash at the end, need no handler (D26)', async () => {
  for (const path of ['', '/', '/docs', '/docs/', '/openapi.json']) {
    for (const method of ['GET', 'HEAD', 'OPTIONS']) {
      const response = await get(server.baseUrl + path, { method })
      expectDocumented({ ...response, method, path })
      expect(response.status).toBe(method === 'OPTIONS' ? 204 : 200)
    }
  }
  expect(served).toBe(0)
})

test.each([
  ['application/jsonx', 415],
  ['Application/JSON ; charset=utf-8', 200],
])(
  'to a request with the media type %s, a document is %i, and to a preflight 415 or 204 (D26)',
  async (type, status) => {
    const statusOf = async (method: string, path: string) => {
      const response = await get(server.baseUrl + path, { method, headers: { 'Content-Type': type } })
      expectDocumented({ ...response, method, path })
      return response.status
    }
    for (const path of ['/', '/docs', '/openapi.json'])
      for (const method of ['GET', 'HEAD']) expect(await statusOf(method, path)).toBe(status)
    for (const path of ['/', '/price']) expect(await statusOf('OPTIONS', path)).toBe(status === 200 ? 204 : 415)
    expect(served).toBe(0)
    expect((await get(`${server.baseUrl}/price`, { headers: { 'Content-Type': type } })).status).toBe(200)
    expect(await statusOf('GET', '/nowhere')).toBe(404)
  },
)

test('an idle connection has no limit, which Node would send', async () => {
  expect((await get(`${server.baseUrl}/docs`)).headers.get('keep-alive')).toBeNull()
})

test('a response is cached completely, for 10 s (D21)', async () => {
  const url = `${server.baseUrl}/price/CRWD`
  const first = await get(url)
  clock.advance(9_000)
  const second = await get(url)
  expect([second.text, second.headers.get('x-number')]).toEqual([first.text, '1'])
  clock.advance(1_000)
  expect(await echoed('/price/CRWD')).toMatchObject({ served: 2 })
})

test('HEAD is not cached (D8b)', async () => {
  for (const _ of [1, 2]) await get(`${server.baseUrl}/price`, { method: 'HEAD' })
  expect(served).toBe(2)
})

test('a problem of a handler is cached; a handler that throws is 500 with its error, and is not', async () => {
  using error = vi.spyOn(console, 'error').mockReturnValue()
  let invoked = 0
  const failing = await start(async () => {
    invoked += 1
    if (invoked <= 2) throw new Error('thrown')
    return { statusCode: 503, headers: {}, body: 'in vain' }
  })
  for (const _ of [1, 2]) {
    const response = await get(`${failing.baseUrl}/price`)
    expect(response.status).toBe(500)
    expectDocumented({ ...response, method: 'GET', path: '/price' })
  }
  expect(error.mock.calls).toEqual([[new Error('thrown')], [new Error('thrown')]])
  for (const _ of [3, 4]) expect(await get(`${failing.baseUrl}/price`)).toMatchObject({ status: 503, text: 'in vain' })
  expect(invoked).toBe(3)
})

test('the documents name the URL of the server in place of the deployment’s (D18b)', async () => {
  for (const path of ['/docs', '/openapi.json']) {
    const { text } = await get(server.baseUrl + path)
    expect(text).toContain(`${server.baseUrl}/price/`)
    expect(text).not.toContain(exampleBaseUrl)
  }
})
