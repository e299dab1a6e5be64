import { runInNewContext } from 'node:vm'
import type { Template } from 'aws-cdk-lib/assertions'
import { afterEach, expect, test, vi } from 'vitest'
import { networks } from '../../../api/networks.ts'
import { logRequest } from '../../../lambda/handlers/request-log.ts'
import { eventsOf, healthy, select } from '../../support/infra/monitoring/log-events.ts'
import { allOf, prod, synthesise } from '../../support/infra/synthesise.ts'

const template = synthesise(prod, 'prod')

afterEach(() => vi.restoreAllMocks())

interface Widget {
  readonly title: string
  readonly query?: string
  readonly alarms?: readonly string[]
  readonly metrics?: readonly (readonly unknown[])[]
}

/** The widgets of the dashboard by title. */
function widgetsOf(of: Template): Record<string, Widget> {
  const [{ DashboardBody } = {}] = allOf(of, 'CloudWatch::Dashboard')
  const { widgets }: { widgets: { properties: Widget }[] } = JSON.parse(String(DashboardBody))
  return Object.fromEntries(widgets.map(({ properties }) => [properties.title, properties]))
}

test('the dashboard shows the state of every alarm, and its query reads the request log', () => {
  expect(allOf(template, 'CloudWatch::Dashboard')).toMatchObject([{ DashboardName: 'price-lookup-prod-<AWS::Region>' }])
  const alarms = Object.keys(template.findResources('AWS::CloudWatch::Alarm')).map(id => `<${id.slice(0, -8)}.Arn>`)
  const widgets = Object.values(widgetsOf(template))
  expect(widgets.flatMap(widget => widget.alarms ?? [])).toEqual(alarms)
  const [query, ...others] = widgets.flatMap(widget => widget.query ?? [])
  expect(query).toMatch(/^SOURCE '<RequestLog>' \| /)
  expect(others).toEqual([])
})

test('every metric of the logs is on the dashboard; faults are searched by the dimensions of their filter', () => {
  const shown = JSON.stringify(Object.values(widgetsOf(template)).map(({ metrics }) => metrics))
  for (const { MetricTransformations } of allOf(template, 'Logs::MetricFilter')) {
    const { MetricName, MetricNamespace, Dimensions = [] } = Object(MetricTransformations)[0]
    const keys = Dimensions.map(({ Key }: { Key: string }) => Key)
    if (MetricName === 'faults') expect(shown).toContain(`{${[MetricNamespace, ...keys]}} MetricName=\\"faults\\"`)
    else expect(shown).toContain(MetricName)
  }
})

/** The label and the statistic of each metric of a graph. */
const statisticsOf = (title: string) =>
  widgetsOf(template)[title]?.metrics?.map(metric => {
    const { label, stat } = Object(metric.at(-1))
    return [label, stat]
  })

test('the graphs of latencies show these percentiles', () => {
  expect(statisticsOf('Latency, ms')).toEqual([
    ['response p50', 'p50'],
    ['response p95', 'p95'],
    ['response p99', 'p99'],
    ['function p95', 'p95'],
  ])
  expect(statisticsOf('Duration of chain reads (rpcMs), ms')).toEqual(
    networks.flatMap(network => ['p50', 'p95'].map(percentile => [`${network} ${percentile}`, percentile])),
  )
})

test('of four requests, three of which the cache answered, its graph shows 75 %', () => {
  const metrics = widgetsOf(template)['Cache hits, % of cacheable requests']?.metrics ?? []
  const { expression } = Object(metrics.map(metric => metric.at(-1)).find(options => 'expression' in Object(options)))
  expect(runInNewContext(expression, { hits: 3, misses: 1 })).toBe(75)
  const named = metrics.map(metric => [Object(metric.at(-1)).id, metric[1]])
  expect(named).toEqual(
    expect.arrayContaining([
      ['hits', 'CacheHitCount'],
      ['misses', 'CacheMissCount'],
    ]),
  )
})

test('the query of the endpoints counts the lines of reads and of faults', async () => {
  const { query = '' } = widgetsOf(template)['Reads and faults by endpoint'] ?? {}
  const faults = (['timeout', 'rate-limited'] as const).map(kind => ({ endpoint: 'rpc-1', kind }))
  const events = await eventsOf(() => logRequest('GET /price', undefined, { ...healthy, faults }))
  // Logs Insights has no field for an object, only for what it contains.
  const isPresent = (field: string) => (event: object) => !['undefined', 'object'].includes(typeof select(field, event))
  const [, filter = ''] = /filter ispresent\(([\w.]+)\)/.exec(query) ?? []
  const found = events.filter(isPresent(`$.${filter}`))
  const counts = [...query.matchAll(/count\(([\w.]+)\) as (\w+)/g)].map(([, field, name]) => [
    name,
    found.filter(isPresent(`$.${field}`)).length,
  ])
  expect(Object.fromEntries(counts)).toEqual({ reads: 1, faults: 2 })
  const [, groups = ''] = / by (.*)/.exec(query) ?? []
  expect(groups).toBe('message.network, message.endpoint')
})

test('without a cache, the dashboard has no graph of it', () => {
  expect(Object.keys(widgetsOf(synthesise({ ...prod, cache: false })))).toEqual(
    Object.keys(widgetsOf(template)).filter(title => !title.startsWith('Cache')),
  )
})
