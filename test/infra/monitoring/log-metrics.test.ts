import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Problem, problemSlugs } from '../../../api/problems.ts'
import { faultKinds } from '../../../lambda/faults.ts'
import { createHandler } from '../../../lambda/handlers/http.ts'
import { type LogFields, logRequest } from '../../../lambda/handlers/request-log.ts'
import { contextWith, listEvent, stubEnvironment } from '../../support/container.ts'
import { eventsOf, healthy, matches, select, selectorsOf } from '../../support/infra/monitoring/log-events.ts'
import { allOf, prod, synthesise } from '../../support/infra/synthesise.ts'

const template = synthesise(prod, 'prod')
const filters = allOf<Filter>(template, 'Logs::MetricFilter')

interface Filter {
  readonly LogGroupName: string
  readonly FilterPattern: string
  readonly MetricTransformations: readonly [
    {
      readonly MetricName: string
      readonly MetricNamespace: string
      readonly MetricValue: string
      readonly Dimensions?: readonly { readonly Key: string; readonly Value: string }[]
      readonly Unit: string
      readonly DefaultValue?: number
    },
  ]
}

beforeEach(() => stubEnvironment('http://127.0.0.1:1'))
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
})

/** Returns the values of the metrics of some events of a log group, by name and dimensions. */
function measureEvents(logGroup: string, events: readonly object[]): Record<string, number> {
  const values: Record<string, number> = {}
  for (const event of events) {
    for (const { LogGroupName, FilterPattern, MetricTransformations } of filters) {
      if (LogGroupName !== logGroup || !matches(FilterPattern, event)) continue
      const [{ MetricName, MetricValue, Dimensions = [] }] = MetricTransformations
      const name = [MetricName, ...Dimensions.map(({ Value }) => select(Value, event))].join(' ')
      values[name] = (values[name] ?? 0) + Number(MetricValue === '1' ? 1 : select(MetricValue, event))
    }
  }
  return values
}

const measure = async (work: () => unknown) => measureEvents('<RequestLog>', await eventsOf(work))
const measureRequest = (problem?: Problem, fields: LogFields = {}) =>
  measure(() => logRequest('GET /price', problem, fields))

test('a successful request is measured by network, and counts as no problem', async () => {
  expect(await measureRequest(undefined, healthy)).toEqual({
    'outcome ok': 1,
    'rpcMs mainnet': 120,
    'headAgeSeconds mainnet': 0,
    'firstEndpointFaults mainnet': 0,
  })
})

test.each(faultKinds)('every fault %s is counted by its kind and network, with or without an endpoint', async kind => {
  const faults = [{ endpoint: 'rpc-1', kind }, { endpoint: 'rpc-2', kind }, { kind }]
  expect(await measureRequest(undefined, { network: 'testnet', faults })).toEqual({
    'outcome ok': 1,
    [`faults ${kind} testnet`]: 3,
  })
})

test.each<[string, LogFields]>([
  ['lastResort mainnet', { lastResort: true }],
  ['unreadable', { unreadable: ['CRWD', 'labTSLA'] }],
])('a request is counted once as %s', async (metric, fields) => {
  expect(await measureRequest(undefined, { ...healthy, ...fields })).toEqual({
    ...(await measureRequest(undefined, healthy)),
    [metric]: 1,
  })
})

test.each(problemSlugs)('a request that ends in %s is counted', async slug => {
  const ofNetwork = slug === 'chain-unavailable' ? { 'unavailable testnet': 1 } : {}
  const expected = { [`outcome ${slug}`]: 1, ...ofNetwork }
  expect(await measureRequest(new Problem(slug), { network: 'testnet' })).toEqual(expected)
})

test('an unexpected error is counted once, although it writes two lines', async () => {
  const handler = createHandler('GET /price', () => Promise.reject(new TypeError('test')))
  expect(await eventsOf(() => handler(listEvent, contextWith()))).toHaveLength(2)
  expect(await measure(() => handler(listEvent, contextWith()))).toEqual({ 'outcome internal': 1 })
})

test('a request of a deployment is logged, and counts in no metric', async () => {
  const log: LogFields = { ...healthy, unreadable: ['CRWD'], lastResort: true, faults: [{ kind: 'disagreement' }] }
  const handler = createHandler('GET /price', async () => ({ result: new Problem('chain-unavailable'), log }))
  const ofDeployment = { ...listEvent, caller: 'deployment' }
  const ofLog = filters.filter(({ LogGroupName }) => LogGroupName === '<RequestLog>')
  expect(Object.keys(await measure(() => handler(listEvent, contextWith())))).toHaveLength(ofLog.length)
  expect(await eventsOf(() => handler(ofDeployment, contextWith()))).toHaveLength(2)
  expect(await measure(() => handler(ofDeployment, contextWith()))).toEqual({})
})

test.each([
  ['200', '-', 'WAF_ALLOW', {}],
  ['404', 'MISSING_AUTHENTICATION_TOKEN', '-', {}],
  ['429', 'THROTTLED', '-', { tooManyRequests: 1 }],
  ['429', 'THROTTLED', 'WAF_ALLOW', { tooManyRequests: 1 }],
  ['429', 'WAF_FILTERED', 'WAF_BLOCK', {}],
  ['500', '-', '-', { serverErrors: 1 }],
  ['500', 'API_CONFIGURATION_ERROR', '-', { serverErrors: 1 }],
  ['502', '-', '-', {}],
  ['502', 'INTEGRATION_FAILURE', '-', { serverErrors: 1 }],
  ['503', '-', '-', {}],
  ['503', 'INTEGRATION_FAILURE', '-', { serverErrors: 1 }],
  ['504', 'INTEGRATION_TIMEOUT', '-', { serverErrors: 1 }],
])(
  '%s, the type of error %s and the web ACL’s %s count as %j',
  (status, errorResponseType, wafResponseCode, expected) => {
    const [{ AccessLogSetting } = {}] = allOf(template, 'ApiGateway::Stage')
    // A cached response: API Gateway writes a hyphen for every field of the integration.
    const format: object = JSON.parse(Object(AccessLogSetting).Format)
    const used = { status: 'status', errorResponseType: 'error.responseType', wafResponseCode: 'wafResponseCode' }
    for (const [name, variable] of Object.entries(used)) expect(format).toHaveProperty(name, `$context.${variable}`)
    const line = Object.fromEntries(Object.keys(format).map(name => [name, '-']))
    const event = { ...line, status, errorResponseType, wafResponseCode }
    expect(measureEvents('<AccessLog>', [event])).toEqual(expected)
  },
)

test('the problems with a status that counts only if the gateway made it are those with alarms of their own', () => {
  const slugs = problemSlugs.filter(slug => [502, 503].includes(new Problem(slug).document.status))
  expect(slugs).toEqual(['feed-unreadable', 'chain-unavailable'])
})

test('there are at most ten filters; each takes its values from its pattern, and writes none without a line', () => {
  expect(filters.length).toBeLessThanOrEqual(10)
  for (const { FilterPattern, MetricTransformations } of filters) {
    const [{ MetricName, MetricNamespace, MetricValue, Dimensions = [], Unit, ...rest }] = MetricTransformations
    expect(MetricNamespace).toBe('PriceLookup/prod')
    expect(Unit).toBe({ rpcMs: 'Milliseconds', headAgeSeconds: 'Seconds' }[MetricName] ?? 'Count')
    expect(rest).not.toHaveProperty('DefaultValue')
    const values = [MetricValue, ...Dimensions.map(({ Value }) => Value)].filter(value => value !== '1')
    expect(selectorsOf(FilterPattern)).toEqual(expect.arrayContaining(values))
  }
})
