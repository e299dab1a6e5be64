import { expect, test } from 'vitest'
import { allOf, prod, synthesise } from '../../support/infra/synthesise.ts'

const [dashboard] = allOf<{ DashboardBody: string }>(synthesise(prod, 'prod'), 'CloudWatch::Dashboard')
const body: { widgets: readonly { type: string; properties: { title: string; query: string } }[] } = JSON.parse(
  String(dashboard?.DashboardBody),
)
const widgets = JSON.stringify(body.widgets)

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

test('the tables are queries of the request log, without the requests of a deployment where alarms count none', () => {
  const tables = body.widgets.filter(({ type }) => type === 'log').map(({ properties }) => properties)
  const filtered = tables.map(({ title, query }) => [
    title,
    query.split('\n')[0]?.replace(/^SOURCE '<RequestLog>' \| /, ''),
  ])
  expect(filtered).toEqual([
    ['Problems', 'filter ispresent(message.route) and level = "WARN" and not ispresent(message.caller)'],
    ['Faults', 'filter ispresent(message.fault) and not ispresent(message.caller)'],
    [
      'Checks, crashes and bugs',
      'filter ispresent(message.check) or ispresent(message.error) or ' +
        '(type = "platform.report" and record.status != "success")',
    ],
  ])
})

test('the table of checks has the detail, a text or a list, and the function of each line with its version', () => {
  const { query = '' } = body.widgets.find(({ properties: { title } }) => title.startsWith('Checks'))?.properties ?? {}
  const details = Array.from(query.matchAll(/latest\((message\.detail[\w.]*)\)/g), ([, field]) => field)
  expect(details).toEqual(['message.detail', 'message.detail.0'])
  const [, pattern = ''] = /\| parse @logStream \/(.*)\/$/m.exec(query) ?? []
  const stream = '2026/11/29/price-lookup-prod-GetPriceABC-xyz[2]0123456789abcdef'
  expect(new RegExp(pattern).exec(stream)?.groups).toEqual({ functionVersion: 'price-lookup-prod-GetPriceABC-xyz[2]' })
})
