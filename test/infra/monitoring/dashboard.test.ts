import { expect, test } from 'vitest'
import { allOf, prod, synthesise } from '../../support/infra/synthesise.ts'

const [dashboard] = allOf<{ DashboardBody: string }>(synthesise(prod, 'prod'), 'CloudWatch::Dashboard')
const widgets = JSON.stringify(JSON.parse(String(dashboard?.DashboardBody)).widgets)

test('the dashboard finds each endpoint and each kind of fault that is new', () => {
  const searched = Array.from(widgets.matchAll(/SEARCH\('(.*?)'/g), ([, schema]) => schema)
  expect(searched).toEqual([
    '{PriceLookup/prod,endpoint,network} MetricName=\\"served\\"',
    '{PriceLookup/prod,endpoint,network} MetricName=\\"failed\\"',
    '{PriceLookup/prod,kind,network} MetricName=\\"faults\\"',
  ])
})

test('the dashboard has three percentiles of the latency of responses, and one of the functions’', () => {
  const percentiles = Array.from(widgets.matchAll(/"label":"(\w+ p\d+)"/g), ([, label]) => label)
  expect(percentiles).toEqual(['response p50', 'response p95', 'response p99', 'function p95'])
})
