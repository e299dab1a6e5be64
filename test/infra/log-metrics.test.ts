import { readFileSync } from 'node:fs'
import type { APIGatewayProxyEvent, Context } from 'aws-lambda'
import { afterEach, expect, test, vi } from 'vitest'
import { environments } from '../../infra/environments.ts'
import { faultKinds } from '../../lambda/faults.ts'
import { createHandler } from '../../lambda/handlers/http.ts'
import { type LogFields, logRequest } from '../../lambda/handlers/request-log.ts'
import { Problem } from '../../lambda/problems.ts'
import { matches, select, selectorsOf } from './filter-pattern.ts'
import { eventsOf, healthy } from './log-events.ts'
import { allOf, synthesise } from './synthesise.ts'

const template = synthesise(environments.prod, 'prod')
const filters = allOf(template, 'Logs::MetricFilter') as unknown as Filter[]
const logGroups = ['<ListPricesLog>', '<GetPriceLog>']

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

afterEach(() => vi.restoreAllMocks())

/** Runs something, and returns the values of the metrics of one function’s log. */
async function measure(work: () => unknown): Promise<Record<string, number>> {
  const values: Record<string, number> = {}
  for (const event of await eventsOf(work)) {
    for (const { LogGroupName, FilterPattern, MetricTransformations } of filters) {
      if (LogGroupName !== logGroups[0] || !matches(FilterPattern, event)) continue
      const [{ MetricName, MetricValue, Dimensions = [] }] = MetricTransformations
      const name = [MetricName, ...Dimensions.map(({ Value }) => select(Value, event))].join(' ')
      values[name] = (values[name] ?? 0) + Number(MetricValue === '1' ? 1 : select(MetricValue, event))
    }
  }
  return values
}

const measureRequest = (problem?: Problem, fields: LogFields = {}) =>
  measure(() => logRequest('GET /price', problem, fields))

test('a successful request is measured by network, and counts as no problem', async () => {
  expect(await measureRequest(undefined, healthy)).toEqual({ 'rpcMs mainnet': 120, 'headAgeSeconds mainnet': 0 })
  expect(await measureRequest(new Problem('feed-unreadable'))).toEqual({})
})

test.each(faultKinds)('every fault %s is counted', async kind => {
  const faults = ['rpc-1', 'rpc-2'].map(endpoint => ({ endpoint, kind }))
  expect(await measureRequest(undefined, { faults })).toEqual({ [`faults.${kind}`]: 2 })
})

test.each<[string, LogFields]>([
  ['failovers', { attempts: 2 }],
  ['lastResort', { lastResort: true }],
  ['unreadable', { unreadable: ['CRWD', 'labTSLA'] }],
])('a request is counted once as %s', async (metric, fields) => {
  expect(await measureRequest(undefined, { ...healthy, ...fields })).toEqual({
    ...(await measureRequest(undefined, healthy)),
    [metric]: 1,
  })
})

test.each([new Problem('chain-unavailable'), new Problem('not-configured')])(
  'a request that ends in $slug is counted',
  async problem => {
    expect(await measureRequest(problem, { network: 'testnet' })).toEqual({ [`outcome.${problem.slug}`]: 1 })
  },
)

test('an unexpected error is counted once, although it writes two lines', async () => {
  const handler = createHandler('GET /price', () => Promise.reject(new TypeError('test')))
  const event: APIGatewayProxyEvent = JSON.parse(readFileSync('local/events/list-prices.json', 'utf8'))
  const context = { getRemainingTimeInMillis: () => 10_000 } as Context
  expect(await eventsOf(() => handler(event, context))).toHaveLength(2)
  expect(await measure(() => handler(event, context))).toEqual({ 'outcome.internal': 1 })
})

test('every field that a filter selects is a field of a log line', async () => {
  const faults = faultKinds.map(kind => ({ endpoint: 'rpc-1', kind }))
  const [line = {}] = await eventsOf(() =>
    logRequest('GET /price', undefined, { ...healthy, faults, unreadable: ['CRWD'] }),
  )
  for (const { FilterPattern, MetricTransformations } of filters) {
    const [{ MetricValue, Dimensions = [] }] = MetricTransformations
    const values = [MetricValue, ...Dimensions.map(({ Value }) => Value)].filter(value => value !== '1')
    for (const selector of [...selectorsOf(FilterPattern), ...values]) {
      expect(['string', 'number', 'boolean'], selector).toContain(typeof select(selector, line))
    }
    // CloudWatch takes a metric's value from a field of the pattern alone.
    expect(selectorsOf(FilterPattern)).toEqual(expect.arrayContaining(values))
  }
})

test('the logs of both functions have the same filters, which write no value without a matching line', () => {
  const [ofList, ofPrice] = logGroups.map(logGroup =>
    filters.filter(({ LogGroupName }) => LogGroupName === logGroup).map(({ LogGroupName: _, ...filter }) => filter),
  )
  expect(ofList).toEqual(ofPrice)
  expect(ofList?.length).toBe(faultKinds.length + 8)
  for (const { MetricTransformations } of filters) {
    const [{ MetricName, MetricNamespace, Unit, ...rest }] = MetricTransformations
    expect(MetricNamespace).toBe('PriceLookup/prod')
    expect(Unit).toBe({ rpcMs: 'Milliseconds', headAgeSeconds: 'Seconds' }[MetricName] ?? 'Count')
    expect(rest).not.toHaveProperty('DefaultValue')
  }
})
