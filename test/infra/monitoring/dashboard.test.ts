import { expect, test } from 'vitest'
import { allOf, prod, synthesise } from '../../support/infra/synthesise.ts'

test('the dashboard finds each endpoint and each kind of fault that is new', () => {
  const [dashboard] = allOf<{ DashboardBody: string }>(synthesise(prod, 'prod'), 'CloudWatch::Dashboard')
  const { widgets } = JSON.parse(String(dashboard?.DashboardBody))
  const searched = Array.from(JSON.stringify(widgets).matchAll(/SEARCH\('(.*?)'/g), ([, schema]) => schema)
  expect(searched).toEqual([
    '{PriceLookup/prod,endpoint,network} MetricName=\\"served\\"',
    '{PriceLookup/prod,endpoint,network} MetricName=\\"failed\\"',
    '{PriceLookup/prod,kind,network} MetricName=\\"faults\\"',
  ])
})
