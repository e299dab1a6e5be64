import { runInNewContext } from 'node:vm'
import type { Template } from 'aws-cdk-lib/assertions'
import { expect, test } from 'vitest'
import { networks } from '../../../api/networks.ts'
import { allOf, prod, synthesise } from '../../support/infra/synthesise.ts'

const template = synthesise(prod, 'prod')

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

test('the dashboard shows the state of every alarm', () => {
  expect(allOf(template, 'CloudWatch::Dashboard')).toMatchObject([{ DashboardName: 'price-lookup-prod-<AWS::Region>' }])
  const alarms = Object.keys(template.findResources('AWS::CloudWatch::Alarm')).map(id => `<${id.slice(0, -8)}.Arn>`)
  expect(Object.values(widgetsOf(template)).flatMap(widget => widget.alarms ?? [])).toEqual(alarms)
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

test('the query of the endpoints counts the lines of requests and of faults', () => {
  expect(widgetsOf(template)['Reads and faults by endpoint']?.query).toBe(
    "SOURCE '<RequestLog>' | filter ispresent(message.endpoint)\n" +
      '| stats count(message.route) as reads, count(message.fault) as faults by message.network, message.endpoint\n' +
      '| sort message.network, message.endpoint',
  )
})

test('without a cache, the dashboard has no graph of it', () => {
  expect(Object.keys(widgetsOf(synthesise({ ...prod, cache: false })))).toEqual(
    Object.keys(widgetsOf(template)).filter(title => !title.startsWith('Cache')),
  )
})
