import type { Template } from 'aws-cdk-lib/assertions'
import { afterEach, expect, test, vi } from 'vitest'
import { networkFacts, networks } from '../../../api/networks.ts'
import { environments } from '../../../infra/environments.ts'
import { logRequest } from '../../../lambda/handlers/request-log.ts'
import { eventsOf, healthy } from '../../support/infra/monitoring/log-events.ts'
import { allOf, synthesise } from '../../support/infra/synthesise.ts'

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

test('the dashboard shows the state of every alarm, and its queries read the request log', () => {
  expect(allOf(template, 'CloudWatch::Dashboard')).toMatchObject([{ DashboardName: 'price-lookup-prod-<AWS::Region>' }])
  const alarms = Object.keys(template.findResources('AWS::CloudWatch::Alarm')).map(id => `<${id.slice(0, -8)}.Arn>`)
  const widgets = Object.values(widgetsOf(template))
  expect(widgets.flatMap(widget => widget.alarms ?? [])).toEqual(alarms)
  expect(widgets.flatMap(({ query = [] }) => query)).toEqual([
    expect.stringMatching(/^SOURCE '<RequestLog>' \| /),
    expect.stringMatching(/^SOURCE '<RequestLog>' \| /),
  ])
})

test('every metric of the logs is on the dashboard; faults are searched by the dimensions of their filter', () => {
  const shown = JSON.stringify(Object.values(widgetsOf(template)).map(({ metrics }) => metrics))
  for (const { MetricTransformations } of allOf(template, 'Logs::MetricFilter')) {
    const { MetricName, MetricNamespace, Dimensions = [] } = Object(MetricTransformations)[0]
    const keys = Dimensions.map(({ Key }: { Key: string }) => Key)
    if (MetricName === 'faults') expect(shown).toContain(`{${[MetricNamespace, ...keys]}} MetricName=\\"faults\\"`)
    else if (MetricName !== 'unreadable') expect(shown).toContain(MetricName)
  }
})

test('the query for unreadable feeds finds them in a line, and nothing in the line of a healthy request', async () => {
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
  const limits = networks.flatMap(network => {
    const value = networkFacts[network].maxHeadAgeSeconds
    return value === undefined ? [] : [{ value, label: `${network}: too old`, yAxis: 'left' }]
  })
  expect(limits).toContainEqual({ value: 60, label: 'mainnet: too old', yAxis: 'left' })
  expect(widgetsOf(template)['Age of the head block, s']?.annotations).toEqual({ horizontal: limits })
})

test('without a cache, the dashboard has no graph of it', () => {
  expect(Object.keys(widgetsOf(synthesise({ ...environments.prod, cache: false })))).toEqual(
    Object.keys(widgetsOf(template)).filter(title => !title.startsWith('Cache')),
  )
})
