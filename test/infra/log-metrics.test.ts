import { readFileSync } from 'node:fs'
import type { APIGatewayProxyEvent, Context } from 'aws-lambda'
import { afterEach, expect, test, vi } from 'vitest'
import { faultKinds } from '../../lambda/faults.ts'
import { createHandler } from '../../lambda/handlers/http.ts'
import { type LogFields, logRequest } from '../../lambda/handlers/request-log.ts'
import { Problem } from '../../lambda/problems.ts'
import { matches, select, selectorsOf } from './filter-pattern.ts'
import { eventsOf, healthy, monitor } from './monitor.ts'
import { allOf, everythingOn } from './synthesise.ts'

const template = monitor(everythingOn)
const filters = allOf(template, 'Logs::MetricFilter') as unknown as Filter[]
const logGroups = Object.keys(template.findResources('AWS::Logs::LogGroup'))

interface Filter {
  readonly LogGroupName: { readonly Ref: string }
  readonly FilterPattern: string
  readonly MetricTransformations: readonly [
    {
      readonly MetricName: string
      readonly MetricNamespace: string
      readonly MetricValue: string
      readonly Dimensions?: readonly { readonly Key: string; readonly Value: string }[]
      readonly DefaultValue?: number
    },
  ]
}

afterEach(() => vi.restoreAllMocks())

/** The values that metrics get from what one function writes. */
async function measure(work: () => unknown): Promise<Record<string, number>> {
  const values: Record<string, number> = {}
  for (const event of await eventsOf(work)) {
    for (const { LogGroupName, FilterPattern, MetricTransformations } of filters) {
      if (LogGroupName.Ref !== logGroups[0] || !matches(FilterPattern, event)) continue
      const [{ MetricName, MetricValue, Dimensions = [] }] = MetricTransformations
      const name = [MetricName, ...Dimensions.map(({ Value }) => select(Value, event))].join(' ')
      values[name] = (values[name] ?? 0) + Number(MetricValue === '1' ? 1 : select(MetricValue, event))
    }
  }
  return values
}

const measureRequest = (problem?: Problem, fields: LogFields = {}) =>
  measure(() => logRequest('GET /price', problem, fields))

test('a request that goes well is measured by network, and counts as nothing', async () => {
  expect(await measureRequest(undefined, healthy)).toEqual({ 'rpcMs mainnet': 120, 'headAgeSeconds mainnet': 0 })
  expect(await measureRequest(new Problem('feed-unreadable'))).toEqual({})
})

test.each(faultKinds)('every fault %s counts', async kind => {
  const faults = ['rpc-1', 'rpc-2'].map(endpoint => ({ endpoint, kind }))
  expect(await measureRequest(undefined, { faults })).toEqual({ [`faults.${kind}`]: 2 })
})

test.each<[string, LogFields]>([
  ['failovers', { attempts: 2 }],
  ['lastResort', { lastResort: true }],
  ['unreadable', { unreadable: ['CRWD', 'labTSLA'] }],
])('a request counts once among the %s', async (metric, fields) => {
  expect(await measureRequest(undefined, { ...healthy, ...fields })).toEqual({
    ...(await measureRequest(undefined, healthy)),
    [metric]: 1,
  })
})

test.each([new Problem('chain-unavailable'), new Problem('not-configured')])(
  'a request that ends in $slug counts',
  async problem => {
    expect(await measureRequest(problem, { network: 'testnet' })).toEqual({ [`outcome.${problem.slug}`]: 1 })
  },
)

test('an unexpected error counts once, though it writes two lines', async () => {
  const handler = createHandler('GET /price', () => Promise.reject(new TypeError('test')))
  const event: APIGatewayProxyEvent = JSON.parse(readFileSync('local/events/list-prices.json', 'utf8'))
  const context = { getRemainingTimeInMillis: () => 10_000 } as Context
  expect(await eventsOf(() => handler(event, context))).toHaveLength(2)
  expect(await measure(() => handler(event, context))).toEqual({ 'outcome.internal': 1 })
})

test('every field that a filter selects is one that a line can have', async () => {
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
    // The value of a metric must be among what its pattern names.
    expect(selectorsOf(FilterPattern)).toEqual(expect.arrayContaining(values))
  }
})

test('both functions’ logs have the same filters, none of which makes a metric of silence', () => {
  const [ofList, ofPrice] = logGroups.map(logGroup =>
    filters.filter(({ LogGroupName }) => LogGroupName.Ref === logGroup).map(({ LogGroupName: _, ...filter }) => filter),
  )
  expect(ofList).toEqual(ofPrice)
  expect(ofList?.length).toBe(faultKinds.length + 8)
  for (const { MetricTransformations } of filters) expect(MetricTransformations[0]).not.toHaveProperty('DefaultValue')
})
