import type { Template } from 'aws-cdk-lib/assertions'
import { afterEach, expect, test, vi } from 'vitest'
import { environments } from '../../infra/environments.ts'
import { logRequest } from '../../lambda/handlers/request-log.ts'
import { eventsOf, healthy } from './log-events.ts'
import { allOf, bareEdge, synthesise } from './synthesise.ts'

const template = synthesise(environments.prod, 'prod')

afterEach(() => vi.restoreAllMocks())

interface Widget {
  readonly type: string
  readonly properties: {
    readonly title: string
    readonly query?: string
    readonly alarms?: readonly string[]
    readonly metrics?: readonly (readonly unknown[])[]
    readonly annotations?: unknown
  }
}

/** The widgets of the dashboard by title. */
function widgetsOf(of: Template): Record<string, Widget['properties']> {
  const [{ DashboardBody } = {}] = allOf(of, 'CloudWatch::Dashboard')
  const { widgets }: { widgets: Widget[] } = JSON.parse(String(DashboardBody))
  return Object.fromEntries(widgets.map(({ properties }) => [properties.title, properties]))
}

/** A metric of a widget in one line: its name, network and statistic, or its expression. */
function describeMetric(metric: readonly unknown[]): string {
  const { stat, expression } = Object(metric.at(-1))
  const dimension = metric[0] === 'PriceLookup/prod' && metric.length > 3 ? ` ${metric[3]}` : ''
  return expression ?? `${metric[1]}${dimension} ${stat}`
}

const source = "SOURCE '<RequestLog>' | "

test('the dashboard has these widgets', () => {
  expect(allOf(template, 'CloudWatch::Dashboard')).toMatchObject([{ DashboardName: 'price-lookup-prod-<AWS::Region>' }])
  const described = Object.entries(widgetsOf(template)).map(([title, { metrics, query, alarms }]) => [
    title,
    alarms ?? query ?? metrics?.map(describeMetric),
  ])
  expect(described).toEqual([
    ['Alarms', Object.keys(template.findResources('AWS::CloudWatch::Alarm')).map(id => `<${id.slice(0, -8)}.Arn>`)],
    [
      'Requests and errors',
      ['Count SampleCount', '4XXError Sum', '5XXError Sum', 'serverErrors Sum', 'tooManyRequests Sum'],
    ],
    ['Latency, ms', ['Latency p50', 'Latency p95', 'Latency p99', 'IntegrationLatency p95']],
    [
      'Cache hits, % of cacheable requests',
      ['100 * hits / (hits + misses)', 'CacheHitCount Sum', 'CacheMissCount Sum'],
    ],
    [
      'Answers and faults by endpoint',
      `${source}filter ispresent(message.endpoint)
| stats count(message.route) as answers, count(message.fault) as faults by message.network, message.endpoint
| sort message.network, message.endpoint`,
    ],
    [
      'Endpoint faults by kind, and of the first',
      [
        `SEARCH('{PriceLookup/prod,kind,network} MetricName="faults"', 'Sum', 300)`,
        'firstEndpointFaults mainnet Sum',
        'firstEndpointFaults testnet Sum',
      ],
    ],
    [
      'Requests with a failover or a problem',
      [
        'failovers Sum',
        'lastResort mainnet Sum',
        'lastResort testnet Sum',
        'unreadable Sum',
        'outcome feed-unreadable Sum',
        'outcome chain-unavailable Sum',
        'outcome not-configured Sum',
        'outcome internal Sum',
      ],
    ],
    [
      'Requests with feeds that cannot be read',
      `${source}parse @message /"unreadable":\\[(?<feeds>[^\\]]+)\\]/
| filter ispresent(feeds)
| stats count(*) as requests by message.network, feeds
| sort requests desc`,
    ],
    [
      'Duration of chain reads (rpcMs), ms',
      ['rpcMs mainnet p50', 'rpcMs mainnet p95', 'rpcMs testnet p50', 'rpcMs testnet p95'],
    ],
    ['Age of the head block, s', ['headAgeSeconds mainnet Maximum', 'headAgeSeconds testnet Maximum']],
  ])
})

test('every metric of the logs is on the dashboard, and every metric of the API is that of the stage', () => {
  const shown = Object.values(widgetsOf(template)).flatMap(({ metrics = [] }) => metrics)
  for (const { MetricTransformations } of allOf(template, 'Logs::MetricFilter')) {
    const { MetricNamespace, MetricName, Dimensions = [] } = Object(MetricTransformations)[0]
    if (MetricName === 'faults') {
      const keys = Dimensions.map(({ Key }: { Key: string }) => Key)
      expect(JSON.stringify(shown)).toContain(`{${[MetricNamespace, ...keys]}} MetricName=\\"faults\\"`)
    } else expect(shown).toContainEqual(expect.arrayContaining([MetricNamespace, MetricName]))
  }
  const ofApi = shown.filter(([namespace]) => namespace === 'AWS/ApiGateway')
  expect(ofApi).toHaveLength(9)
  for (const metric of ofApi) {
    expect(metric.slice(2, 6)).toEqual(['ApiName', 'price-lookup-prod', 'Stage', '<ApiDeploymentStagev1>'])
  }
})

test('the query for unreadable feeds finds them in a log line, and nothing in the line of a healthy request', async () => {
  const { query = '' } = widgetsOf(template)['Requests with feeds that cannot be read'] ?? {}
  const pattern = new RegExp(/parse @message \/(.*)\//.exec(query)?.[1] ?? '')
  const find = async (unreadable: string[]) => {
    const [event] = await eventsOf(() => logRequest('GET /price', undefined, { ...healthy, unreadable }))
    return pattern.exec(JSON.stringify(event))?.groups?.['feeds']
  }
  expect(await find(['CRWD', 'labTSLA'])).toBe('"CRWD","labTSLA"')
  expect(await find([])).toBeUndefined()
})

test('the graph of the head’s age shows the limit of each network that has one', () => {
  expect(widgetsOf(template)['Age of the head block, s']?.annotations).toEqual({
    horizontal: [{ value: 60, label: 'mainnet: too old', yAxis: 'left' }],
  })
})

test('an edge has a row of its own', () => {
  const titles = Object.keys(widgetsOf(synthesise(bareEdge, 'prod')))
  const ofEdge = ['Edge: requests, and errors in %', 'Edge: latency of misses, ms', 'Edge: hits, % of requests']
  expect(titles).toEqual(['Alarms', ...ofEdge, ...Object.keys(widgetsOf(template)).slice(1)])
})

test('without a cache, the dashboard has no graph of it', () => {
  expect(Object.keys(widgetsOf(synthesise({ ...environments.prod, cache: false })))).toEqual(
    Object.keys(widgetsOf(template)).filter(title => !title.startsWith('Cache')),
  )
})
