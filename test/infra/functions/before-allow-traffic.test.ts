import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { handler } from '../../../infra/functions/before-allow-traffic.ts'
import { networks } from '../../../lambda/networks.ts'
import { stopClock, until } from '../../support/clock.ts'

interface Received {
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: Record<string, unknown>
}

interface Reply {
  readonly status?: number
  readonly headers?: Record<string, string>
  readonly body: string
}

const versions = ['list-prices', 'get-price'].map(name => `arn:aws:lambda:us-east-1:000000000000:function:${name}:7`)
const toResult = (statusCode: number, body: object) => JSON.stringify({ statusCode, body: JSON.stringify(body) })

let server: Server
let received: Received[]
/** The status of CodeDeploy's response to a report. */
let reportStatus: number
/** The response of Lambda to an invocation, by its path; undefined for none. */
let invoke: (path: string) => Reply | undefined

// One server is Lambda and CodeDeploy. It serves all tests, because a client of the SDK reads its endpoint once.
beforeAll(async () => {
  server = createServer(async (request, response) => {
    const path = decodeURIComponent(request.url ?? '')
    received.push({ path, headers: request.headers, body: JSON.parse(await text(request)) })
    const reply = path === '/' ? { status: reportStatus, body: '{}' } : invoke(path)
    if (reply !== undefined) response.writeHead(reply.status ?? 200, reply.headers).end(reply.body)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
})

afterAll(() => {
  server.close()
})

beforeEach(() => {
  received = []
  reportStatus = 200
  invoke = path => ({ body: toResult(200, path.includes('list') ? { feeds: [{ symbol: 'CRWD' }] } : {}) })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const variables = {
    AWS_ENDPOINT_URL_LAMBDA: url,
    AWS_ENDPOINT_URL_CODEDEPLOY: url,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'id',
    AWS_SECRET_ACCESS_KEY: 'secret',
    AWS_SESSION_TOKEN: 'session',
    LIST_PRICES_VERSION: versions[0],
    GET_PRICE_VERSION: versions[1],
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

const run = () => handler({ DeploymentId: 'd-1', LifecycleEventHookExecutionId: 'hook-1' })
const reports = () => received.filter(({ path }) => path === '/').map(({ body }) => body)
const report = (status: string) => ({ deploymentId: 'd-1', lifecycleEventHookExecutionId: 'hook-1', status })

test('each new version is invoked once per network with a signed request, and their success is reported', async () => {
  await run()
  expect(reports()).toEqual([report('Succeeded')])
  const invocations = received.filter(({ path }) => path !== '/')
  expect(invocations.map(({ path }) => path).sort()).toEqual(
    versions.flatMap(version => networks.map(() => `/2015-03-31/functions/${version}/invocations`)).sort(),
  )
  for (const { path, body } of invocations) {
    const symbol = expect.stringMatching(/^\w+$/)
    expect(body).toMatchObject({ httpMethod: 'GET', pathParameters: path.includes('list') ? null : { symbol } })
  }
  const asked = invocations.map(({ body }) => Object(body['queryStringParameters']).network)
  expect(new Set(asked)).toEqual(new Set(networks))
  for (const { path, headers } of received) {
    const scope = `Credential=id/\\d{8}/us-east-1/${path === '/' ? 'codedeploy' : 'lambda'}/aws4_request`
    expect(headers.authorization).toMatch(new RegExp(`^AWS4-HMAC-SHA256 ${scope}, SignedHeaders=[\\w;-]*host;`))
    expect(headers['x-amz-security-token']).toBe('session')
  }
  expect(received.at(-1)?.headers['x-amz-target']).toBe('CodeDeploy_20141006.PutLifecycleEventHookExecutionStatus')
})

test.each<[what: string, response: Reply]>([
  ['a problem', { body: toResult(503, { title: 'Not configured' }) }],
  ['a list without a readable feed', { body: toResult(200, { feeds: [{ problem: {} }] }) }],
  ['a function that failed', { headers: { 'X-Amz-Function-Error': 'Unhandled' }, body: '{}' }],
  ['a refused invocation', { status: 403, body: '{}' }],
  ['a response that is no result', { body: 'null' }],
])('%s is reported as a failure, and logged', async (_, response) => {
  invoke = () => response
  await run()
  expect(reports()).toEqual([report('Failed')])
  expect(console.warn).toHaveBeenCalledWith({
    check: 'new versions answer before they get traffic',
    detail: expect.stringMatching(/^GET \/price|not checked/),
  })
})

test('an invocation without a response ends, and is reported as a failure while the hook still runs', async () => {
  stopClock()
  invoke = () => undefined
  const running = run()
  await until(() => received.length === 2 * networks.length)
  // The functions that it invokes end after 10 s, the hook after 30 s.
  await vi.advanceTimersByTimeAsync(10_000)
  expect(reports()).toEqual([])
  await vi.advanceTimersByTimeAsync(5_000)
  await running
  expect(reports()).toEqual([report('Failed')])
  expect(console.warn).toHaveBeenCalledWith(expect.objectContaining({ detail: 'not checked: TimeoutError' }))
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
