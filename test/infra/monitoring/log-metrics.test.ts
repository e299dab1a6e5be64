import { readFileSync } from 'node:fs'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { Problem, type ProblemSlug, problemSlugs, problems } from '../../../api/problems.ts'
import { problemExamples } from '../../../api/responses.ts'
import { createHandler } from '../../../lambda/handlers/http.ts'
import { logRequest } from '../../../lambda/handlers/request-log.ts'
import { correct, everyFeed } from '../../support/chain/correct-node.ts'
import { revertingRow } from '../../support/chain/encoding.ts'
import { type Respond, rpcError, startFaultyNode, status } from '../../support/chain/faulty-node.ts'
import { stopClock } from '../../support/clock.ts'
import { captureConsole, contextWith, listEvent, startContainer, startStubbedStore } from '../../support/container.ts'
import { allOf, prod, synthesise } from '../../support/infra/synthesise.ts'

interface MetricFilter {
  readonly LogGroupName: string
  readonly FilterPattern: string
  readonly MetricTransformations: readonly [
    {
      readonly MetricName: string
      readonly Dimensions?: readonly { readonly Value: string }[]
    },
  ]
}

const template = synthesise(prod, 'prod')
const filters = allOf<MetricFilter>(template, 'Logs::MetricFilter')

const parameters = new Map<string, string>()
const store = await startStubbedStore(parameters)
const outside = captureConsole()
beforeAll(stopClock)
afterAll(async () => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
  await store.stop()
})

/** Requests the list from a new container on nodes of the mainnet. Returns the lines of the log. */
async function linesOf(...behaviours: readonly Respond[]): Promise<readonly unknown[]> {
  await using stack = new AsyncDisposableStack()
  const nodes = await Promise.all(behaviours.map(async respond => stack.use(await startFaultyNode(respond))))
  parameters.set('mainnet', nodes.map(({ url }) => url.href).join(' '))
  const { listPrices } = await startContainer()
  return (await listPrices('mainnet')).logged
}

/** Selects a field of a line, as in `$.message.unreadable[0]`. */
const select = (line: unknown, selector: string) =>
  selector.match(/\w+/g)?.reduce<unknown>((value, key) => Object(value)[key], line)

/** Whether a filter pattern matches a line, as CloudWatch evaluates those of the stack. */
function isMatch(pattern: string, line: unknown): boolean {
  const condition = /(\$\.[\w.[\]]+) (?:(NOT EXISTS)|(!?=) (\*|"[^"]*"))/g
  const evaluated = pattern.slice(1, -1).replaceAll(condition, (_, selector, absent, operator, operand) => {
    const value = select(line, selector)
    if (absent !== undefined) return String(value === undefined)
    // A selector matches no object and no array.
    if (operand === '*') return String(['string', 'number', 'boolean'].includes(typeof value))
    return String((operator === '=') === (JSON.stringify(value) === operand))
  })
  return runInNewContext(evaluated)
}

/** What the metrics of a log count of a line: each name with the values of its dimensions. */
function metricsOf(logGroup: string, line: unknown): readonly string[] {
  const matching = filters.filter(filter => filter.LogGroupName === logGroup && isMatch(filter.FilterPattern, line))
  return matching.map(({ MetricTransformations: [{ MetricName, Dimensions }] }) =>
    [MetricName, ...(Dimensions ?? []).map(({ Value }) => select(line, Value))].join(' '),
  )
}

/** Lambda nests what a function logs in `message`. */
const metricsOfRequest = (line: unknown) => metricsOf('<RequestLog>', { message: line })

const broken = status(500)

test.each<[what: string, nodes: readonly Respond[], counted: readonly (readonly string[])[]]>([
  [
    'served by the second endpoint, after a fault of the first',
    [broken, correct],
    [['served rpc-2 mainnet'], ['faults http-status mainnet', 'failed rpc-1 mainnet']],
  ],
  ['with unreadable feeds', [everyFeed(revertingRow)], [['served rpc-1 mainnet', 'unreadable']]],
  [
    'that no endpoint serves',
    [broken],
    [
      ['unavailable mainnet'],
      ['faults http-status mainnet', 'failed rpc-1 mainnet'],
      ['faults http-status mainnet', 'failed rpc-1 mainnet'],
    ],
  ],
  ['without RPC URLs', [], [['outcome not-configured']]],
])('the lines of a request %s count once each', async (_, nodes, counted) => {
  expect((await linesOf(...nodes)).map(metricsOfRequest)).toEqual(counted)
})

/** What the metrics count of each line that is written outside of a container. */
async function countedOf(write: () => unknown) {
  const before = outside.length
  await write()
  return outside.slice(before).map(metricsOfRequest)
}

test('no line of a request of a deployment counts', async () => {
  const upstreamFaults = [{ endpoint: 'rpc-1', kind: 'slow' }] as const
  const fields = { network: 'mainnet', endpoint: 'rpc-2', unreadable: ['AAPL'], upstreamFaults } as const
  const counted = [
    ['served rpc-2 mainnet', 'unreadable'],
    ['faults slow mainnet', 'failed rpc-1 mainnet'],
  ]
  expect(await countedOf(() => logRequest('GET /price', undefined, fields))).toEqual(counted)
  const deployment = { ...fields, caller: 'deployment' } as const
  expect(await countedOf(() => logRequest('GET /price', undefined, deployment))).toEqual([[], []])
  const problem = new Problem('not-configured')
  expect(await countedOf(() => logRequest('GET /price', problem, {}))).toEqual([['outcome not-configured']])
  expect(await countedOf(() => logRequest('GET /price', problem, { caller: 'deployment' }))).toEqual([[]])
})

test.each<ProblemSlug>(['unknown-symbol', 'unknown-network'])(
  'the outcome %s, which any caller can cause, creates no metric',
  async slug => {
    const problem = problemExamples.find(example => example.slug === slug)
    expect(problem?.slug).toBe(slug)
    expect(await countedOf(() => logRequest('GET /price', problem, { network: 'mainnet' }))).toEqual([[]])
  },
)

test('a fault of Parameter Store is no failed attempt at an endpoint', async () => {
  const fields = { network: 'mainnet', upstreamFaults: [{ kind: 'parameter-store' }] } as const
  const counted = [[], ['faults parameter-store mainnet']]
  expect(await countedOf(() => logRequest('GET /price', undefined, fields))).toEqual(counted)
})

test('an unexpected error counts once, although it writes a line of its own', async () => {
  const handler = createHandler('GET /price', () => Promise.reject(new Error('It is a test.')))
  expect(await countedOf(() => handler(listEvent, contextWith()))).toEqual([[], ['outcome internal']])
})

test('a metric adds up the lines, and has no value without one, for which it would be billed', () => {
  for (const { MetricTransformations } of filters) {
    expect(MetricTransformations).toMatchObject([{ MetricValue: '1' }])
    expect(MetricTransformations[0]).not.toHaveProperty('DefaultValue')
  }
})

test.each([
  ['429', {}, ['tooManyRequests']],
  ['429', { wafResponseCode: 'WAF_BLOCK' }, []],
  ['500', {}, ['serverErrors']],
  ['504', {}, ['serverErrors']],
  ['502', {}, []],
  ['503', {}, []],
  ['502', { 'error.responseType': 'INTEGRATION_FAILURE' }, ['serverErrors']],
])('of a response with the status %s and %o, the access log counts %j', (code, variables, counted) => {
  const [stage] = allOf<{ AccessLogSetting: { Format: string } }>(template, 'ApiGateway::Stage')
  const values = new Map<string, string>(Object.entries({ status: code, ...variables }))
  const line = stage?.AccessLogSetting.Format.replaceAll(/\$context\.([\w.]+)/g, (_, name) => values.get(name) ?? '-')
  expect(metricsOf('<AccessLog>', JSON.parse(String(line)))).toEqual(counted)
})

test('a line of the access log has the id with which the function logs the request', () => {
  const [stage] = allOf<{ AccessLogSetting: { Format: string } }>(template, 'ApiGateway::Stage')
  expect(JSON.parse(String(stage?.AccessLogSetting.Format))).toMatchObject({
    requestId: '$context.requestId',
    integrationRequestId: '$context.awsEndpointRequestId',
  })
})

test('the problems with a status that counts only if the gateway made it are those with alarms of their own', () => {
  const slugs = problemSlugs.filter(slug => [502, 503].includes(problems[slug].status))
  expect(slugs).toEqual(['feed-unreadable', 'chain-unavailable'])
})

test('every field that a command of the runbook or a table of the dashboard selects is in a line of the request log', async () => {
  const [dashboard] = allOf<{ DashboardBody: string }>(template, 'CloudWatch::Dashboard')
  const tables = String(dashboard?.DashboardBody)
  const selected = [readFileSync('docs/operations.md', 'utf8'), tables].map(text =>
    Array.from(text.matchAll(/\bmessage\.(\w+)/g), ([, field = '']) => field),
  )
  for (const fields of selected) expect(fields).not.toEqual([])
  const served = await linesOf(broken, rpcError(-32_000), everyFeed(revertingRow))
  const before = outside.length
  logRequest('GET /price/{symbol}', undefined, { caller: 'deployment', symbol: 'AAPL' })
  await createHandler('GET /price', () => Promise.reject(new Error('It is a test.')))(listEvent, contextWith())
  const logged = [...served, ...outside.slice(before)]
  // `check` and `detail` are in the lines of the probe.
  const fields = new Set([...logged.flatMap(line => Object.keys(Object(line))), 'check', 'detail'])
  expect(selected.flat().filter(field => !fields.has(field))).toEqual([])
})
