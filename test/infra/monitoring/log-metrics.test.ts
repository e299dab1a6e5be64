import { afterEach, expect, test, vi } from 'vitest'
import { Problem, problemSlugs } from '../../../api/problems.ts'
import { logRequest } from '../../../lambda/handlers/request-log.ts'
import { allOf, prod, synthesise } from '../../support/infra/synthesise.ts'

const template = synthesise(prod, 'prod')

afterEach(() => vi.restoreAllMocks())

test('these are the filters of both logs, at most ten; none counts a deployment, or has a value without a line', () => {
  const filters = allOf(template, 'Logs::MetricFilter').map(filter => {
    const { LogGroupName, FilterPattern, MetricTransformations } = filter
    const [{ MetricName, MetricValue, Unit, Dimensions = [], ...rest }] = Object(MetricTransformations)
    // For example `DefaultValue`.
    expect(rest).toEqual({ MetricNamespace: 'PriceLookup/prod' })
    const dimensions = Dimensions.map(({ Key, Value }: Record<string, string>) => `by ${Key} ${Value}`)
    return [LogGroupName, MetricName, FilterPattern, [MetricValue, Unit, ...dimensions].join(' ')]
  })
  const ofCallers = '($.message.caller NOT EXISTS)'
  const exist = (...fields: readonly string[]) => fields.map(field => `($.message.${field} = *) && `).join('')
  const byNetwork = 'by network $.message.network'
  const ofRequests: readonly (readonly [name: string, pattern: string, value: string])[] = [
    ['outcome', exist('outcome', 'route'), '1 Count by outcome $.message.outcome'],
    ['faults', exist('fault', 'network'), `1 Count by kind $.message.fault ${byNetwork}`],
    [
      'firstEndpointFaults',
      exist('firstEndpointFaults', 'network'),
      `$.message.firstEndpointFaults Count ${byNetwork}`,
    ],
    ['unavailable', `($.message.outcome = "chain-unavailable") && ${exist('network')}`, `1 Count ${byNetwork}`],
    ['lastResort', `($.message.lastResort IS TRUE) && ${exist('network')}`, `1 Count ${byNetwork}`],
    ['unreadable', exist('unreadable[0]'), '1 Count'],
    ['rpcMs', exist('rpcMs', 'network'), `$.message.rpcMs Milliseconds ${byNetwork}`],
    ['headAgeSeconds', exist('headAgeSeconds', 'network'), `$.message.headAgeSeconds Seconds ${byNetwork}`],
  ]
  const byGateway = '((($.status = "502") || ($.status = "503")) && ($.errorResponseType != "-"))'
  expect(filters).toEqual([
    ...ofRequests.map(([name, pattern, value]) => ['<RequestLog>', name, `{ ${pattern}${ofCallers} }`, value]),
    ['<AccessLog>', 'tooManyRequests', '{ ($.status = "429") && ($.wafResponseCode != "WAF_BLOCK") }', '1 Count'],
    ['<AccessLog>', 'serverErrors', `{ ($.status = "500") || ($.status = "504") || ${byGateway} }`, '1 Count'],
  ])
  expect(filters.length).toBeLessThanOrEqual(10)
})

test('every field that a filter or the dashboard selects is in a line of its log', () => {
  const selected = [...JSON.stringify(template.toJSON()).matchAll(/\bmessage\.(\w+)/g)].map(([, field]) => field)
  const lines: object[] = []
  vi.spyOn(console, 'info').mockImplementation(line => void lines.push(line))
  const read = { block: 1, headAgeSeconds: 0, rpcMs: 1, firstEndpointFaults: 0, lastResort: true, endpoint: 'rpc-1' }
  const faults = [{ endpoint: 'rpc-1', kind: 'slow' }] as const
  logRequest('GET /price', undefined, { ...read, caller: 'deployment', network: 'mainnet', unreadable: [], faults })
  expect(new Set(lines.flatMap(Object.keys))).toEqual(new Set([...selected, 'block', 'faults']))
  const [{ AccessLogSetting } = {}] = allOf(template, 'ApiGateway::Stage')
  const format = Object(AccessLogSetting).Format
  for (const field of ['status', 'errorResponseType', 'wafResponseCode']) expect(format).toContain(`"${field}":`)
})

test('the problems with a status that counts only if the gateway made it are those with alarms of their own', () => {
  const slugs = problemSlugs.filter(slug => [502, 503].includes(new Problem(slug).body.status))
  expect(slugs).toEqual(['feed-unreadable', 'chain-unavailable'])
})
