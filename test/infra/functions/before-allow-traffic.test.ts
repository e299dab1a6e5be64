import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { handler } from '../../../infra/functions/before-allow-traffic.ts'
import { networks } from '../../../lambda/networks.ts'
import { Problem, type ProblemSlug } from '../../../lambda/problems.ts'
import { stopClock, until } from '../../support/clock.ts'

interface Received {
  readonly path: string
  readonly target: unknown
  readonly body: Record<string, unknown>
}

interface Reply {
  readonly status?: number
  readonly headers?: Record<string, string>
  readonly body: string
}

const pauses = vi.hoisted(() => Array.of<number | undefined>())
vi.mock(import('node:timers/promises'), async load => ({
  ...(await load()),
  setTimeout: async (ms, value) => {
    pauses.push(ms)
    return value as never
  },
}))

const versions = {
  list: 'arn:aws:lambda:us-east-1:000000000000:function:list:7',
  price: 'arn:aws:lambda:us-east-1:000000000000:function:price:7',
}
const readable = { symbol: 'CRWD' }
const unreadable = { symbol: 'AAPL', problem: {} }

let server: Server
let received: Received[]
/** The responses of CodeDeploy to reports. */
let reportStatus: number
/** The response of Lambda to an invocation; undefined for none. */
let invoke: (route: 'list' | 'price', network: string) => Reply | undefined

// One server is Lambda and CodeDeploy. It serves all tests, because a client of the SDK reads its endpoint once.
beforeAll(async () => {
  server = createServer(async (request, response) => {
    const path = decodeURIComponent(request.url ?? '')
    const body = JSON.parse(await text(request))
    received.push({ path, target: request.headers['x-amz-target'], body })
    const route = path.includes(versions.list) ? 'list' : 'price'
    const reply =
      path === '/' ? { status: reportStatus, body: '{}' } : invoke(route, body.queryStringParameters.network)
    // No connection outlives its test.
    response.shouldKeepAlive = false
    if (reply !== undefined) response.writeHead(reply.status ?? 200, reply.headers).end(reply.body)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
})

afterAll(() => {
  server.close()
})

beforeEach(() => {
  received = []
  pauses.length = 0
  reportStatus = 200
  invoke = succeed
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const variables = {
    AWS_ENDPOINT_URL_LAMBDA: url,
    AWS_ENDPOINT_URL_CODEDEPLOY: url,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'id',
    AWS_SECRET_ACCESS_KEY: 'secret',
    LIST_PRICES_VERSION: versions.list,
    GET_PRICE_VERSION: versions.price,
  }
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value)
  vi.spyOn(console, 'warn').mockImplementation(() => {})
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
  server.closeAllConnections()
})

const toReply = (statusCode: number, body: object): Reply => ({
  body: JSON.stringify({ statusCode, body: JSON.stringify(body) }),
})
const toProblem = (slug: ProblemSlug): Reply => {
  const { document } = new Problem(slug)
  return toReply(document.status, document)
}
const succeed: typeof invoke = route => toReply(200, route === 'list' ? { feeds: [unreadable, readable] } : readable)

const run = () => handler({ DeploymentId: 'd-1', LifecycleEventHookExecutionId: 'hook-1' })
const reports = () => received.filter(({ path }) => path === '/').map(({ target, body }) => ({ target, body }))
const report = (status: string) => ({
  target: 'CodeDeploy_20141006.PutLifecycleEventHookExecutionStatus',
  body: { deploymentId: 'd-1', lifecycleEventHookExecutionId: 'hook-1', status },
})
const details = () => vi.mocked(console.warn).mock.calls.map(([{ detail }]) => detail)

test('each new version is invoked once per network, with a feed that can be read, and success is reported', async () => {
  await run()
  const invocation = (version: string, network: string, pathParameters: object | null) => ({
    path: `/2015-03-31/functions/${version}/invocations`,
    body: expect.objectContaining({
      caller: 'deployment',
      httpMethod: 'GET',
      queryStringParameters: { network },
      pathParameters,
    }),
  })
  const expected = networks.flatMap(network => [
    invocation(versions.list, network, null),
    invocation(versions.price, network, { symbol: 'CRWD' }),
  ])
  expect(received).toHaveLength(expected.length + 1)
  expect(received).toMatchObject(expect.arrayContaining(expected.map(one => expect.objectContaining(one))))
  expect(reports()).toEqual([report('Succeeded')])
  expect([details(), pauses]).toEqual([[], []])
})

test.each<[what: string, reply: Reply, detail: string]>([
  ['a problem', toProblem('not-configured'), 'GET /price of the mainnet: 500 Not configured'],
  ['a chain that is unavailable', toProblem('chain-unavailable'), 'GET /price of the mainnet: 503 Chain unavailable'],
  [
    'a list without a readable feed',
    toReply(200, { feeds: [unreadable] }),
    'GET /price of the mainnet: no feed could be read',
  ],
  [
    'a function that failed',
    { headers: { 'X-Amz-Function-Error': 'Unhandled' }, body: '{}' },
    'GET /price of the mainnet: the function failed',
  ],
  [
    'a refused invocation',
    { status: 403, headers: { 'X-Amzn-ErrorType': 'AccessDeniedException' }, body: '{}' },
    'GET /price of the mainnet: not invoked, or no response: AccessDeniedException',
  ],
  [
    'a response that is no result',
    { body: 'null' },
    'GET /price of the mainnet: not invoked, or no response: SyntaxError',
  ],
])('%s, twice and two seconds apart, is reported as a failure, and logged', async (_, reply, detail) => {
  invoke = (route, network) => (network === 'mainnet' ? reply : succeed(route, network))
  await run()
  expect(pauses).toEqual([2_000])
  expect(details()).toEqual([detail])
  expect(reports()).toEqual([report('Failed')])
})

test('a failure of one price is reported with its symbol', async () => {
  invoke = (route, network) => (route === 'price' ? toProblem('internal') : succeed(route, network))
  await run()
  expect(details()).toEqual(networks.map(network => `GET /price/CRWD of the ${network}: 500 Internal error`))
  expect(reports()).toEqual([report('Failed')])
})

test('a failure that passes within two seconds is none', async () => {
  let count = 0
  invoke = (...request) => (count++ === 0 ? toProblem('chain-unavailable') : succeed(...request))
  await run()
  expect([pauses, details(), reports()]).toEqual([[2_000], [], [report('Succeeded')]])
})

test.each<[ProblemSlug, string]>([
  ['chain-unavailable', 'Succeeded'],
  ['not-configured', 'Failed'],
])('%s on another network than the default is logged, and reported as %s', async (slug, status) => {
  invoke = (route, network) => (network === 'testnet' ? toProblem(slug) : succeed(route, network))
  await run()
  expect(details()).toEqual([expect.stringMatching(/^GET \/price of the testnet: 50/)])
  expect(reports()).toEqual([report(status)])
})

test('an invocation without a response ends; a failure is reported while the hook still runs', async () => {
  stopClock()
  invoke = () => undefined
  const running = run()
  for (const checks of [1, 2]) {
    await until(() => received.length === checks * networks.length)
    // A function ends after 10 s.
    await vi.advanceTimersByTimeAsync(10_000)
    expect(received).toHaveLength(checks * networks.length)
    await vi.advanceTimersByTimeAsync(2_000)
  }
  await running
  expect(reports()).toEqual([report('Failed')])
  expect(details()).toEqual(
    networks.map(network => `GET /price of the ${network}: not invoked, or no response: TimeoutError`),
  )
})

test('a report that CodeDeploy refuses fails the hook', async () => {
  reportStatus = 400
  await expect(run()).rejects.toMatchObject({ $metadata: { httpStatusCode: 400 } })
})

test('without its variables the hook reports a failure, so that CodeDeploy does not wait for an hour', async () => {
  vi.stubEnv('GET_PRICE_VERSION', undefined)
  await run()
  expect(reports()).toEqual([report('Failed')])
})
