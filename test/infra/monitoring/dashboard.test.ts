import type { Template } from 'aws-cdk-lib/assertions'
import { afterEach, expect, test, vi } from 'vitest'
import { environments } from '../../../infra/environments.ts'
import { logRequest } from '../../../lambda/handlers/request-log.ts'
import { allOf, bareEdge, synthesise } from '../synthesise.ts'
import { eventsOf, healthy } from './log-events.ts'

const template = synthesise(environments.prod, 'prod')

afterEach(() => vi.restoreAllMocks())

interface Widget {
  readonly title: string
  readonly query?: string
  readonly alarms?: readonly string[]
  readonly metrics?: readonly (readonly unknown[])[]
  readonly annotations?: unknown
}

/** The widgets of the dashboard by title. */
function widgetsOf(of: Template): Record<string, Widget> {
  const [{ DashboardBody } = {}] = allOf(of, 'CloudWatch::Dashboard')
  const { widgets }: { widgets: { properties: Widget }[] } = JSON.parse(String(DashboardBody))
  return Object.fromEntries(widgets.map(({ properties }) => [properties.title, properties]))
}

/** A metric of a widget in one line: namespace, name, values of its dimensions and statistic; or its expression. */
function describeMetric(metric: readonly unknown[]): string {
  const [namespace, name, ...dimensions] = metric.slice(0, -1)
  const values = dimensions.filter((_, index) => index % 2 === 1)
  // A widget leaves out CloudWatch's default.
  const { stat = 'Average', expression } = Object(metric.at(-1))
  return expression ?? [namespace, name, ...values, stat].join(' ').replace(/^(PriceLookup|AWS)\//, '')
}

/** The widgets of the dashboard: the title of each, and what it shows. */
const describeWidgets = (of: Template) =>
  Object.entries(widgetsOf(of)).map(([title, { metrics, query, alarms }]) => [
    title,
    alarms ?? query ?? metrics?.map(describeMetric),
  ])

const source = "SOURCE '<RequestLog>' | "
const ofStage = (name: string, stat: string) => `ApiGateway ${name} price-lookup-prod <ApiDeploymentStagev1> ${stat}`

test('the dashboard has these widgets', () => {
  expect(allOf(template, 'CloudWatch::Dashboard')).toMatchObject([{ DashboardName: 'price-lookup-prod-<AWS::Region>' }])
  expect(describeWidgets(template)).toEqual([
    ['Alarms', Object.keys(template.findResources('AWS::CloudWatch::Alarm')).map(id => `<${id.slice(0, -8)}.Arn>`)],
    [
      'Requests and errors',
      [
        ofStage('Count', 'SampleCount'),
        ofStage('4XXError', 'Sum'),
        ofStage('5XXError', 'Sum'),
        'prod serverErrors Sum',
        'prod tooManyRequests Sum',
      ],
    ],
    ['Latency, ms', [...['p50', 'p95', 'p99'].map(p => ofStage('Latency', p)), ofStage('IntegrationLatency', 'p95')]],
    [
      'Cache hits, % of cacheable requests',
      ['100 * hits / (hits + misses)', ofStage('CacheHitCount', 'Sum'), ofStage('CacheMissCount', 'Sum')],
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
        'prod firstEndpointFaults mainnet Sum',
        'prod firstEndpointFaults testnet Sum',
      ],
    ],
    [
      'Requests with a last resort or a problem',
      [
        'prod lastResort mainnet Sum',
        'prod lastResort testnet Sum',
        'prod unavailable mainnet Sum',
        'prod unavailable testnet Sum',
        'prod unreadable Sum',
        'prod outcome feed-unreadable Sum',
        'prod outcome not-configured Sum',
        'prod outcome internal Sum',
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
      ['mainnet p50', 'mainnet p95', 'testnet p50', 'testnet p95'].map(of => `prod rpcMs ${of}`),
    ],
    ['Age of the head block, s', ['prod headAgeSeconds mainnet Maximum', 'prod headAgeSeconds testnet Maximum']],
  ])
})

test('every metric of the logs is on the dashboard; faults are searched by the dimensions that their filter writes', () => {
  const shown = JSON.stringify(Object.values(widgetsOf(template)).map(({ metrics }) => metrics))
  for (const { MetricTransformations } of allOf(template, 'Logs::MetricFilter')) {
    const { MetricName, MetricNamespace, Dimensions = [] } = Object(MetricTransformations)[0]
    const keys = Dimensions.map(({ Key }: { Key: string }) => Key)
    if (MetricName === 'faults') expect(shown).toContain(`{${[MetricNamespace, ...keys]}} MetricName=\\"faults\\"`)
    else if (MetricName !== 'unreadable') expect(shown).toContain(MetricName)
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

test('an edge has a row of its own, below the alarms', () => {
  const [, ...others] = describeWidgets(template)
  const ofEdge = (name: string, stat: string) => `CloudFront ${name} <ApiEdge> Global ${stat}`
  const rates = [ofEdge('4xxErrorRate', 'Average'), ofEdge('5xxErrorRate', 'Average')]
  expect(describeWidgets(synthesise(bareEdge, 'prod')).slice(1)).toEqual([
    ['Edge: requests, and errors in %', [ofEdge('Requests', 'Sum'), ...rates]],
    ['Edge: latency of misses, ms', [ofEdge('OriginLatency', 'p50'), ofEdge('OriginLatency', 'p95')]],
    ['Edge: hits, % of requests', [ofEdge('CacheHitRate', 'Average')]],
    ...others,
  ])
})

test('without a cache, the dashboard has no graph of it', () => {
  expect(Object.keys(widgetsOf(synthesise({ ...environments.prod, cache: false })))).toEqual(
    Object.keys(widgetsOf(template)).filter(title => !title.startsWith('Cache')),
  )
})
