import type { Template } from 'aws-cdk-lib/assertions'
import { afterEach, expect, test, vi } from 'vitest'
import { faultKinds } from '../../lambda/faults.ts'
import { logRequest } from '../../lambda/handlers/request-log.ts'
import { eventsOf, healthy, monitor } from './monitor.ts'
import { allOf, everythingOff, everythingOn } from './synthesise.ts'

const template = monitor(everythingOn)
const logGroups = Object.keys(template.findResources('AWS::Logs::LogGroup'))

afterEach(() => vi.restoreAllMocks())

interface Widget {
  readonly properties: {
    readonly title: string
    readonly query?: string
    readonly alarms?: readonly string[]
    readonly metrics?: readonly (readonly unknown[])[]
    readonly annotations?: unknown
  }
}

/** The dashboard's widgets by their titles, with logical ids for what only AWS knows. */
function widgetsOf(of: Template): Record<string, Widget['properties']> {
  const [{ DashboardBody } = {}] = allOf(of, 'CloudWatch::Dashboard')
  const parts: unknown[] = Object(DashboardBody)['Fn::Join'][1]
  const body = parts.map(part =>
    typeof part === 'string' ? part : (Object(part)['Ref'] ?? Object(part)['Fn::GetAtt'][0]),
  )
  const { widgets }: { widgets: Widget[] } = JSON.parse(body.join(''))
  return Object.fromEntries(widgets.map(({ properties }) => [properties.title, properties]))
}

test('the dashboard shows the state of every alarm, and answers each question of the first minute', () => {
  const widgets = widgetsOf(template)
  expect(Object.keys(widgets)).toMatchInlineSnapshot(`
    [
      "Alarms",
      "Is it up: requests and errors",
      "How fast: milliseconds",
      "Cache: hits, % of cacheable requests",
      "Which endpoint serves: answers",
      "Faults of endpoints, by kind",
      "Requests that went another way, or wrong",
      "Which feeds cannot be read: requests",
      "Reads of the chain: rpcMs",
      "Age of the chain’s head: seconds",
    ]
  `)
  expect(widgets['Alarms']?.alarms).toHaveLength(allOf(template, 'CloudWatch::Alarm').length)
  for (const title of ['Which endpoint serves: answers', 'Which feeds cannot be read: requests']) {
    for (const logGroup of logGroups) expect(widgets[title]?.query).toContain(`SOURCE '${logGroup}'`)
  }
  const faults = widgets['Faults of endpoints, by kind']?.metrics?.map(([namespace, name]) => `${namespace} ${name}`)
  expect(faults).toEqual(faultKinds.map(kind => `PriceLookup/test faults.${kind}`))
})

test('the dashboard shows every metric of the logs', () => {
  const shown = Object.values(widgetsOf(template)).flatMap(({ metrics = [] }) => metrics)
  for (const { MetricTransformations } of allOf(template, 'Logs::MetricFilter')) {
    const { MetricNamespace, MetricName } = Object(MetricTransformations)[0]
    expect(shown).toContainEqual(expect.arrayContaining([MetricNamespace, MetricName]))
  }
})

test('the query for unreadable feeds finds them in a line, and nothing in a healthy one', async () => {
  const { query = '' } = widgetsOf(template)['Which feeds cannot be read: requests'] ?? {}
  const pattern = new RegExp(/parse @message \/(.*)\//.exec(query)?.[1] ?? '')
  const find = async (unreadable: string[]) => {
    const [event] = await eventsOf(() => logRequest('GET /price', undefined, { ...healthy, unreadable }))
    return pattern.exec(JSON.stringify(event))?.groups?.['feeds']
  }
  expect(await find(['CRWD', 'labTSLA'])).toBe('"CRWD","labTSLA"')
  expect(await find([])).toBeUndefined()
})

test('a network’s limit is drawn where the age of its head is shown, if it has one', () => {
  const annotations = (of: Template) => widgetsOf(of)['Age of the chain’s head: seconds']?.annotations
  expect(annotations(template)).toMatchObject({ horizontal: [{ value: 60 }, { value: 600 }] })
  expect(annotations(monitor(everythingOff))).toBeUndefined()
})

test('without a cache there is nothing to show of it', () => {
  expect(Object.keys(widgetsOf(monitor(everythingOff)))).toEqual(
    Object.keys(widgetsOf(template)).filter(title => !title.startsWith('Cache')),
  )
})
