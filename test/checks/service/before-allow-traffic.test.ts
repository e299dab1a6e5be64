import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Network, networkFacts, networks, toQuery } from '../../../api/networks.ts'
import { Problem } from '../../../api/problems.ts'
import { handler } from '../../../checks/service/before-allow-traffic.ts'
import { variables } from '../../../lambda/settings.ts'
import { functionMs } from '../../../lambda/timing.ts'
import { startFaultyNode } from '../../support/chain/faulty-node.ts'
import { stopClock, until } from '../../support/clock.ts'

interface Invoked {
  readonly status?: number
  readonly headers?: Record<string, string>
  readonly body: string
}

const versions = { '/price': 'arn:aws:lambda:us-east-1:000000000000:function:list:7', '/price/{symbol}': 'price:7' }

type Path = keyof typeof versions

/** Lambda's response to an invocation; undefined for none. */
type Invoke = (path: Path, network: Network) => Invoked | undefined

const pauses = vi.hoisted(() => Array.of<number | undefined>())
// Another file of the worker may have loaded the modules without the mock.
vi.hoisted(() => vi.resetModules())
vi.mock(import('node:timers/promises'), async load => ({
  ...(await load()),
  setTimeout: async (ms, value) => {
    // All other pauses are those between two requests.
    if (ms === 2_000) pauses.push(ms)
    return value as never
  },
}))

let invoke: Invoke
let invocations: { readonly path: Path; readonly event: object }[]
/** The status of CodeDeploy's response to the latest report; undefined for no response. */
let respondToReport: () => number | undefined
let reports: (readonly [target: unknown, body: object])[]

// One server is Lambda and CodeDeploy. It serves all tests, because a client of the SDK reads its endpoint once.
const server = await startFaultyNode((response, text) => {
  // No connection outlives its test.
  response.shouldKeepAlive = false
  const body = JSON.parse(text)
  const url = decodeURIComponent(response.req.url ?? '')
  const path = (['/price', '/price/{symbol}'] as const).find(name => url.includes(`/${versions[name]}/invocations`))
  if (path === undefined) {
    reports.push([response.req.headers['x-amz-target'], body])
    const status = respondToReport()
    if (status !== undefined) response.writeHead(status).end('{}')
    return
  }
  invocations.push({ path, event: body })
  const reply = invoke(path, body.queryStringParameters?.network ?? 'mainnet')
  if (reply !== undefined) response.writeHead(reply.status ?? 200, reply.headers).end(reply.body)
})
afterAll(server.stop)

beforeEach(() => {
  stopClock()
  pauses.length = 0
  invoke = succeed()
  invocations = []
  respondToReport = () => 200
  reports = []
  vi.stubEnv('AWS_ENDPOINT_URL_LAMBDA', server.url.origin)
  vi.stubEnv('AWS_ENDPOINT_URL_CODEDEPLOY', server.url.origin)
  vi.stubEnv('AWS_REGION', 'us-east-1')
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'id')
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret')
  vi.stubEnv('VERSIONS', JSON.stringify(versions))
  vi.spyOn(console, 'warn').mockImplementation(() => {})
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

const toReply = (statusCode: number, body: object) => ({
  body: JSON.stringify({ statusCode, body: JSON.stringify(body) }),
})
/** Succeeds, with links to a base URL in the list. */
const succeed =
  (baseUrl = 'https://before-allow-traffic.invalid/v1'): Invoke =>
  (path, network) => {
    const { name, id } = networkFacts[network].chain
    const read = { network: name, chainId: id, readAt: '' }
    const feeds = [{ symbol: 'CRWD', url: `${baseUrl}/price/CRWD${toQuery(network)}` }]
    return toReply(200, path === '/price' ? { ...read, feeds } : { ...read, symbol: 'CRWD' })
  }
const toProblem = (slug: 'chain-unavailable' | 'not-configured') => {
  const { body } = new Problem(slug)
  return toReply(body.status, body)
}

const run = () => handler({ DeploymentId: 'd-1', LifecycleEventHookExecutionId: 'hook-1' })
const report = (status: string) => [
  'CodeDeploy_20141006.PutLifecycleEventHookExecutionStatus',
  { deploymentId: 'd-1', lifecycleEventHookExecutionId: 'hook-1', status },
]
const details = () => vi.mocked(console.warn).mock.calls.map(([{ detail }]) => detail)
const toDetail = (network: Network, reason: string) =>
  `${network}: the list, and its feeds at their URLs: GET /price${toQuery(network)}: ${reason}`

test('the list of each network and one feed of it are read by the new versions, and success is reported', async () => {
  await run()
  const toEvent = (network: Network, pathParameters: object | null) => ({
    caller: 'deployment',
    httpMethod: 'GET',
    queryStringParameters: network === 'mainnet' ? null : { network },
    pathParameters,
    requestContext: { domainName: 'before-allow-traffic.invalid', stage: 'v1' },
  })
  expect(invocations).toEqual(
    networks.flatMap(network => [
      { path: '/price', event: toEvent(network, null) },
      { path: '/price/{symbol}', event: toEvent(network, { symbol: 'CRWD' }) },
    ]),
  )
  expect([details(), pauses, reports]).toEqual([[], [], [report('Succeeded')]])
})

test('where the functions have a public URL, their links are expected to have it', async () => {
  vi.stubEnv(variables.publicBaseUrl, 'https://prices.example')
  invoke = succeed('https://prices.example')
  await run()
  expect([details(), reports]).toEqual([[], [report('Succeeded')]])
})

test.each<[what: string, reply: Invoked, reason: string]>([
  [
    'a function that failed',
    { headers: { 'X-Amz-Function-Error': 'Unhandled' }, body: '{}' },
    'no response (the function failed), not a success',
  ],
  [
    'a refused invocation',
    { status: 403, headers: { 'X-Amzn-ErrorType': 'AccessDeniedException' }, body: '{}' },
    'no response (not invoked: AccessDeniedException), not a success',
  ],
])('%s, twice and two seconds apart, is logged, and reported as a failure', async (_, reply, reason) => {
  invoke = (path, network) => (network === 'mainnet' ? reply : succeed()(path, network))
  await run()
  expect([pauses, details()]).toEqual([[2_000], [toDetail('mainnet', reason)]])
  expect(reports).toEqual([report('Failed')])
})

test('a failure that passes within two seconds is none', async () => {
  invoke = (path, network) => (pauses.length === 0 ? toProblem('chain-unavailable') : succeed()(path, network))
  await run()
  expect([details(), reports]).toEqual([[], [report('Succeeded')]])
})

test.each<[slug: Parameters<typeof toProblem>[0], reason: string, status: string]>([
  ['chain-unavailable', '503 "Chain unavailable"', 'Succeeded'],
  ['not-configured', '500 "Not configured", not a success', 'Failed'],
])('the problem %s of another network than the default is logged', async (slug, reason, status) => {
  invoke = (path, network) => (network === 'testnet' ? toProblem(slug) : succeed()(path, network))
  await run()
  expect(details()).toEqual([toDetail('testnet', reason)])
  expect(reports).toEqual([report(status)])
})

test('an invocation without a response ends, and the failure is reported while the hook still runs', async () => {
  invoke = () => undefined
  const running = run()
  for (let lists = 1; lists <= 2 * networks.length; lists += 1) {
    await until(() => invocations.length === lists)
    await vi.advanceTimersByTimeAsync(functionMs)
    expect(invocations).toHaveLength(lists)
    await vi.advanceTimersByTimeAsync(2_000)
  }
  await running
  expect(details()).toContainEqual(toDetail('mainnet', 'no response (not invoked: TimeoutError), not a success'))
  expect(reports).toEqual([report('Failed')])
})

test('a report without a response is sent again after two seconds', async () => {
  respondToReport = () => (reports.length === 1 ? undefined : 200)
  const ended = vi.fn()
  void run().then(() => ended('reported'), ended)
  await until(() => reports.length === 1)
  await vi.advanceTimersByTimeAsync(2_000)
  // CodeDeploy's client pauses between two attempts.
  await vi.advanceTimersByTimeAsync(1_000)
  await until(() => ended.mock.calls.length > 0)
  expect(ended.mock.calls).toEqual([['reported']])
  expect(reports).toEqual([report('Succeeded'), report('Succeeded')])
})

test('a report that CodeDeploy refuses fails the hook', async () => {
  respondToReport = () => 400
  await expect(run()).rejects.toMatchObject({ $metadata: { httpStatusCode: 400 } })
})
