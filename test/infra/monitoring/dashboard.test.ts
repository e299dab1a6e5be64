import { expect, test } from 'vitest'
import { allOf, prod, synthesise } from '../../support/infra/synthesise.ts'

test('the dashboard has what an operator looks at first, also each endpoint and kind of fault that is new', () => {
  const [dashboard] = allOf<{ DashboardBody: string }>(synthesise(prod, 'prod'), 'CloudWatch::Dashboard')
  const { widgets } = JSON.parse(String(dashboard?.DashboardBody))
  const titles = widgets.map(({ properties }: { properties: { title: string } }) => properties.title)
  expect(titles).toEqual([
    'Alarms',
    'Requests and errors',
    'Latency, ms',
    'Served by which endpoint',
    'Faults of endpoints by kind',
    'Requests with unreadable feeds',
  ])
  const searched = Array.from(JSON.stringify(widgets).matchAll(/SEARCH\('(.*?)'/g), ([, schema]) => schema)
  expect(searched).toEqual([
    '{PriceLookup/prod,endpoint,network} MetricName=\\"served\\"',
    '{PriceLookup/prod,kind,network} MetricName=\\"faults\\"',
  ])
})
