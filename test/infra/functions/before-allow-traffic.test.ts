import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import { networks } from '../../../api/networks.ts'
import { Problem, type ProblemSlug } from '../../../api/problems.ts'
import { handler } from '../../../infra/functions/before-allow-traffic.ts'
import { functionMs } from '../../../lambda/timing.ts'
import { startFaultyNode } from '../../support/chain/faulty-node.ts'
import { stopClock, until } from '../../support/clock.ts'

interface Invoked {
  readonly status?: number
  readonly headers?: Record<string, string>
  readonly body: string
}

/** Two routes like those of today, and one without a path parameter. */
const paths = { list: '/price', price: '/price/{symbol}', added: '/feeds' } as const

type InvokedRoute = keyof typeof paths

/** Lambda's response to an invocation, of any route and network unless it depends on them; undefined for none. */
type Invoke = (route: InvokedRoute, network: string) => Invoked | undefined

const pauses = vi.hoisted(() => Array.of<number | undefined>())
vi.mock(import('node:timers/promises'), async load => ({
  ...(await load()),
  setTimeout: async (ms, value) => {
    pauses.push(ms)
    return value as never
  },
}))

let invoke: Invoke
let invocations: { readonly route: InvokedRoute; readonly event: object }[]
/** The status of CodeDeploy's response to a report. */
let reportStatus: number
/** How many reports CodeDeploy does not respond to. */
let silentReports: number
let reports: (readonly [target: unknown, body: object])[]

const routes = ['price', 'added', 'list'] as const
const toVersion = (route: InvokedRoute) => `arn:aws:lambda:us-east-1:000000000000:function:${route}:7`

// One server is Lambda and CodeDeploy. It serves all tests, because a client of the SDK reads its endpoint once.
const server = await startFaultyNode((response, text) => {
  // No connection outlives its test.
  response.shouldKeepAlive = false
  const body = JSON.parse(text)
  const path = decodeURIComponent(response.req.url ?? '')
  const route = routes.find(name => path === `/2015-03-31/functions/${toVersion(name)}/invocations`)
  if (route === undefined) {
    reports.push([response.req.headers['x-amz-target'], body])
    if (reports.length > silentReports) response.writeHead(reportStatus).end('{}')
    return
  }
  invocations.push({ route, event: body })
  const reply = invoke(route, body.queryStringParameters.network)
  if (reply !== undefined) response.writeHead(reply.status ?? 200, reply.headers).end(reply.body)
})
afterAll(server.stop)

beforeEach(() => {
  pauses.length = 0
  invoke = succeed
  invocations = []
  reportStatus = 200
  silentReports = 0
  reports = []
  const variables = {
    AWS_ENDPOINT_URL_LAMBDA: server.url.origin,
    AWS_ENDPOINT_URL_CODEDEPLOY: server.url.origin,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'id',
    AWS_SECRET_ACCESS_KEY: 'secret',
    ROUTES: JSON.stringify(routes.map(route => ({ path: paths[route], version: toVersion(route) }))),
  }
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value)
  vi.spyOn(console, 'warn').mockImplementation(() => {})
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

const unreadable = { symbol: 'AAPL', problem: {} }
const list = { feeds: [unreadable, { symbol: 'CRWD' }] }
const toReply = (statusCode: number, body: object) => ({
  body: JSON.stringify({ statusCode, body: JSON.stringify(body) }),
})
const few = toReply(200, { feeds: [...list.feeds, unreadable] })
const succeed: Invoke = route => toReply(200, route === 'list' ? list : {})
const toProblem = (slug: ProblemSlug) => {
  const { document } = new Problem(slug)
  return toReply(document.status, document)
}

const run = () => handler({ DeploymentId: 'd-1', LifecycleEventHookExecutionId: 'hook-1' })
const report = (status: string) => [
  'CodeDeploy_20141006.PutLifecycleEventHookExecutionStatus',
  { deploymentId: 'd-1', lifecycleEventHookExecutionId: 'hook-1', status },
]
const details = () => vi.mocked(console.warn).mock.calls.map(([{ detail }]) => detail)

test('without the variable of its routes, the hook reports the failure with its name', async () => {
  vi.stubEnv('ROUTES', undefined)
  await run()
  expect([reports, details()]).toEqual([[report('Failed')], ['Missing the environment variable ROUTES.']])
})

test('the new version of each route is invoked once per network, with a feed that can be read, and success is reported', async () => {
  await run()
  const toEvent = (network: string, pathParameters: object | null) => ({
    caller: 'deployment',
    httpMethod: 'GET',
    queryStringParameters: { network },
    pathParameters,
    requestContext: { domainName: 'before-allow-traffic.invalid', stage: 'v1' },
  })
  expect(invocations).toHaveLength(3 * networks.length)
  for (const network of networks) {
    expect(invocations).toContainEqual({ route: 'list', event: toEvent(network, null) })
    expect(invocations).toContainEqual({ route: 'price', event: toEvent(network, { symbol: 'CRWD' }) })
    expect(invocations).toContainEqual({ route: 'added', event: toEvent(network, null) })
  }
  expect([details(), pauses, reports]).toEqual([[], [], [report('Succeeded')]])
})

test.each<[what: string, reply: Invoked, reason: string]>([
  ['a problem', toProblem('not-configured'), '500 Not configured'],
  ['a chain that is unavailable', toProblem('chain-unavailable'), '503 Chain unavailable'],
  ['a list without a readable feed', toReply(200, { feeds: [unreadable] }), '0 of 1 feeds could be read'],
  ['a list without feeds', toReply(200, { feeds: [] }), '0 of 0 feeds could be read'],
  ['a list with fewer records than problems', few, '1 of 3 feeds could be read'],
  ['a list with a symbol that is no text', toReply(200, { feeds: [{ symbol: {} }] }), '0 of 1 feeds could be read'],
  ['a function that failed', { headers: { 'X-Amz-Function-Error': 'Unhandled' }, body: '{}' }, 'the function failed'],
  [
    'a refused invocation',
    { status: 403, headers: { 'X-Amzn-ErrorType': 'AccessDeniedException' }, body: '{}' },
    'not invoked, or no response: AccessDeniedException',
  ],
  ['a response that is no result', { body: 'null' }, 'not invoked, or no response: SyntaxError'],
])('%s, twice and two seconds apart, is logged, and reported as a failure', async (_, reply, reason) => {
  invoke = (route, network) => (network === 'mainnet' ? reply : succeed(route, network))
  await run()
  expect([pauses, details()]).toEqual([[2_000], [`GET /price of the mainnet: ${reason}`]])
  expect(reports).toEqual([report('Failed')])
})

test.each<[route: InvokedRoute, path: string]>([
  ['price', '/price/CRWD'],
  ['added', '/feeds'],
])('a failure of the route %s alone is logged with the path %s, and reported', async (failing, path) => {
  invoke = (route, network) => (route === failing ? toProblem('internal') : succeed(route, network))
  await run()
  expect(details()).toEqual(networks.map(network => `GET ${path} of the ${network}: 500 Internal error`))
  expect(reports).toEqual([report('Failed')])
})

test('a failure that passes within two seconds is none', async () => {
  invoke = (route, network) => (pauses.length === 0 ? toProblem('chain-unavailable') : succeed(route, network))
  await run()
  expect([details(), reports]).toEqual([[], [report('Succeeded')]])
})

test.each<[what: string, reply: Invoked, reason: string, status: string]>([
  ['a chain that is unavailable', toProblem('chain-unavailable'), '503 Chain unavailable', 'Succeeded'],
  ['a missing setting', toProblem('not-configured'), '500 Not configured', 'Failed'],
  ['a list without a readable feed', toReply(200, { feeds: [unreadable] }), '0 of 1 feeds could be read', 'Succeeded'],
  ['a list without feeds', toReply(200, {}), '0 of 0 feeds could be read', 'Failed'],
])('on another network than the default, %s is logged', async (_, reply, reason, status) => {
  invoke = (route, network) => (network === 'testnet' ? reply : succeed(route, network))
  await run()
  expect(details()).toEqual([`GET /price of the testnet: ${reason}`])
  expect(reports).toEqual([report(status)])
})

test('a price of another network is requested where fewer than half of its list are records, too', async () => {
  invoke = (route, network) => {
    if (network !== 'testnet') return succeed(route, network)
    return route === 'list' ? few : route === 'price' ? toProblem('internal') : succeed(route, network)
  }
  await run()
  expect(details()).toEqual([
    'GET /price of the testnet: 1 of 3 feeds could be read',
    'GET /price/CRWD of the testnet: 500 Internal error',
  ])
  expect(reports).toEqual([report('Failed')])
})

test('an invocation without a response ends, and the failure is reported while the hook still runs', async () => {
  stopClock()
  invoke = () => undefined
  const running = run()
  for (const checks of [1, 2]) {
    await until(() => invocations.length === checks * networks.length)
    await vi.advanceTimersByTimeAsync(functionMs)
    expect(invocations).toHaveLength(checks * networks.length)
    await vi.advanceTimersByTimeAsync(2_000)
  }
  await running
  expect(details()).toEqual(
    networks.map(network => `GET /price of the ${network}: not invoked, or no response: TimeoutError`),
  )
  expect(reports).toEqual([report('Failed')])
})

test('a report without a response is sent again after two seconds', async () => {
  stopClock()
  silentReports = 1
  const running = run()
  await until(() => reports.length === 1)
  await vi.advanceTimersByTimeAsync(2_000)
  // The pause of the client between two attempts.
  await vi.advanceTimersByTimeAsync(1_000)
  await until(() => reports.length === 2)
  await running
  expect(reports).toEqual([report('Succeeded'), report('Succeeded')])
})

test('a report that CodeDeploy refuses fails the hook', async () => {
  reportStatus = 400
  await expect(run()).rejects.toMatchObject({ $metadata: { httpStatusCode: 400 } })
})
