import { readFileSync } from 'node:fs'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { environments } from '../../../infra/environments.ts'
import { defaultNetwork, type Network, networkFacts, networks } from '../../../lambda/networks.ts'
import { allOf, resourcesOf, synthesise } from '../../support/infra/synthesise.ts'

const template = synthesise(environments.prod, 'prod')
const alarms = allOf<Alarm>(template, 'CloudWatch::Alarm')

interface Metric {
  readonly MetricName: string
  readonly Namespace: string
  readonly Dimensions?: readonly { readonly Name: string; readonly Value: string }[]
}

interface Alarm extends Metric {
  readonly AlarmName: string
  readonly AlarmDescription: string
  readonly AlarmActions: readonly string[]
  readonly OKActions: readonly string[]
  readonly ComparisonOperator: string
  readonly TreatMissingData: string
  readonly Threshold: number
  readonly EvaluationPeriods: number
  readonly Period: number
  readonly Statistic: string
  readonly Metrics?: readonly {
    readonly Id: string
    readonly Expression?: string
    readonly MetricStat?: { readonly Metric: Metric; readonly Period: number; readonly Stat: string }
  }[]
}

const nameOf = ({ AlarmName }: Alarm) => AlarmName.replace('price-lookup-prod-', '')

/** A metric of the logs has no namespace here, and one of five minutes no period. */
function describeMetric(stat: string, { Namespace, MetricName, Dimensions = [] }: Metric, seconds: number): string {
  const dimensions = Dimensions.map(({ Name, Value }) => `, ${Name} ${Value}`).join('')
  return `${stat} of ${Namespace} ${MetricName}${dimensions}${seconds === 300 ? '' : `, ${seconds} s`}`
    .replace('PriceLookup/prod ', '')
    .replace('ApiName price-lookup-prod, Stage <ApiDeploymentStagev1>', 'stage')
}

const comparisons: Record<string, string> = {
  'GreaterThanOrEqualToThreshold notBreaching': '>=',
  'LessThanThreshold breaching': 'missing or <',
}

/** The topic that an alarm notifies when it enters and when it leaves ALARM, its condition, and its metrics. */
function describeAlarm(alarm: Alarm): readonly string[] {
  const { AlarmActions, OKActions, ComparisonOperator, TreatMissingData, Threshold, EvaluationPeriods } = alarm
  const topics = [...new Set([...AlarmActions, ...OKActions])].map(topic => topic.replace(/<Alarms(.*)>/, '$1'))
  const comparison = comparisons[`${ComparisonOperator} ${TreatMissingData}`]
  const metrics = alarm.Metrics?.flatMap(({ Id, MetricStat }) =>
    MetricStat ? `${Id}: ${describeMetric(MetricStat.Stat, MetricStat.Metric, MetricStat.Period)}` : [],
  )
  return [
    `${topics} ${nameOf(alarm)} ${comparison} ${Threshold}, ${EvaluationPeriods} times`,
    ...(metrics ?? [describeMetric(alarm.Statistic, alarm, alarm.Period)]),
  ]
}

function describeNetwork(network: Network): readonly (readonly string[])[] {
  const isDefault = network === defaultNetwork
  const { maxHeadAgeSeconds } = networkFacts[network]
  const topic = isDefault ? 'page' : 'ticket'
  const ofNetwork = `network ${network}`
  const asked = `asked: SampleCount of firstEndpointFaults, ${ofNetwork}`
  const ofAll = [
    [`${topic} chain-unavailable-${network} >= 3, 1 times`, `m1: Sum of unavailable, ${ofNetwork}`],
    [`${topic} disagreement-${network} >= 1, 1 times`, `Sum of faults, kind disagreement, ${ofNetwork}`],
    [`ticket first-endpoint-${network} >= 20, 3 times`, `faults: Sum of firstEndpointFaults, ${ofNetwork}`, asked],
  ]
  const ofDefault = [
    [
      `ticket slow-${network} >= 2000, 3 times`,
      `reads: SampleCount of rpcMs, ${ofNetwork}`,
      `p95: p95 of rpcMs, ${ofNetwork}`,
    ],
    [`ticket last-resort-${network} >= 20, 3 times`, `last: Sum of lastResort, ${ofNetwork}`, asked],
  ]
  const limit = Number(maxHeadAgeSeconds) / 2
  const head = [`ticket head-age-${network} >= ${limit}, 3 times`, `m1: p50 of headAgeSeconds, ${ofNetwork}`]
  return [...ofAll, ...(isDefault ? ofDefault : []), ...(maxHeadAgeSeconds === undefined ? [] : [head])]
}

test('these are the alarms; only `probe-silent` counts missing data as a breach', () => {
  expect(alarms.map(describeAlarm)).toEqual([
    [
      'page server-errors >= 5, 1 times',
      'requests: SampleCount of AWS/ApiGateway Count, stage',
      'errors: Sum of serverErrors',
    ],
    ['ticket too-many-requests >= 100, 1 times', 'Sum of tooManyRequests'],
    ['page list-prices-errors >= 1, 1 times', 'Sum of AWS/Lambda Errors, FunctionName <ListPrices>'],
    ['page list-prices-throttles >= 1, 1 times', 'Sum of AWS/Lambda Throttles, FunctionName <ListPrices>'],
    ['page get-price-errors >= 1, 1 times', 'Sum of AWS/Lambda Errors, FunctionName <GetPrice>'],
    ['page get-price-throttles >= 1, 1 times', 'Sum of AWS/Lambda Throttles, FunctionName <GetPrice>'],
    ...networks.flatMap(describeNetwork),
    ['ticket feeds-unreadable >= 1, 3 times', 'Sum of unreadable'],
    ['page not-configured >= 1, 1 times', 'Sum of outcome, outcome not-configured'],
    ['ticket internal >= 1, 1 times', 'Sum of outcome, outcome internal'],
    ['page probe-failed >= 1, 2 times', 'Sum of AWS/Lambda Errors, FunctionName <Probe>'],
    ['page probe-silent missing or < 1, 3 times', 'runs: Sum of AWS/Lambda Invocations, FunctionName <Probe>'],
  ])
})

test('no alarm has a property besides those that the list of alarms reads, for example fewer datapoints to alarm', () => {
  const keysOf = (values: readonly object[]) => [...new Set(values.flatMap(Object.keys))].sort()
  const ofMetric = ['Dimensions', 'MetricName', 'Namespace']
  const ofCondition = ['ComparisonOperator', 'EvaluationPeriods', 'Threshold', 'TreatMissingData']
  const ofText = ['AlarmActions', 'AlarmDescription', 'AlarmName', 'OKActions']
  const ofValue = ['Metrics', 'Period', 'Statistic']
  expect(keysOf(alarms)).toEqual([...ofMetric, ...ofCondition, ...ofText, ...ofValue].sort())
  const metrics = alarms.flatMap(alarm => alarm.Metrics ?? [])
  expect(keysOf(metrics)).toEqual(['Expression', 'Id', 'Label', 'MetricStat', 'ReturnData'])
  expect(keysOf(metrics.flatMap(({ MetricStat = [] }) => MetricStat))).toEqual(['Metric', 'Period', 'Stat'])
})

/** The functions of CloudWatch's metric math that the alarms use. */
const metricMath = {
  IF: (condition: boolean, value: number, otherwise: number) => (condition ? value : otherwise),
  FILL: (value: number | undefined, filler: number) => value ?? filler,
}

test.each<[name: string, values: Record<string, number | undefined>, isBreach: boolean]>([
  ['server-errors', { requests: 20, errors: 1 }, true],
  ['server-errors', { requests: 100, errors: 4 }, false],
  ['server-errors', { requests: 19, errors: 2 }, false],
  ['server-errors', { requests: 19, errors: 3 }, true],
  ['first-endpoint-mainnet', { asked: 10, faults: 2 }, true],
  ['first-endpoint-mainnet', { asked: 11, faults: 2 }, false],
  ['first-endpoint-mainnet', { asked: 1, faults: 1 }, false],
  ['slow-mainnet', { reads: 10, p95: 2_000 }, true],
  ['slow-mainnet', { reads: 10, p95: 1_999 }, false],
  ['slow-mainnet', { reads: 9, p95: 3_500 }, false],
  ['last-resort-mainnet', { asked: 10, last: 2 }, true],
  ['last-resort-mainnet', { asked: 11, last: 2 }, false],
  ['last-resort-mainnet', { asked: 1, last: 1 }, false],
  ['probe-silent', { runs: undefined }, true],
  ['probe-silent', { runs: 1 }, false],
])('a period of %s with %o counts: %s', (name, values, isBreach) => {
  const { Metrics = [], ComparisonOperator, Threshold } = alarms.find(alarm => nameOf(alarm) === name) as Alarm
  const [expression = ''] = Metrics.flatMap(({ Expression }) => Expression ?? [])
  const value: unknown = runInNewContext(expression, { ...metricMath, ...values })
  const isBelow = Number(value) < Threshold
  expect(ComparisonOperator === 'LessThanThreshold' ? isBelow : !isBelow).toBe(isBreach)
})

test('the description of every alarm ends with its section in the operations guide, which has no other', () => {
  const [, guide = ''] = /\n## Alarms\n(.*?)\n## /s.exec(readFileSync('docs/operations.md', 'utf8')) ?? []
  const sections = [...guide.matchAll(/^### ([a-z-]+)$/gm)].map(([, section]) => section)
  const linked = alarms.map(
    ({ AlarmDescription }) => /^[A-Z].{40,}\. Runbook: docs\/operations\.md#([a-z-]+)$/.exec(AlarmDescription)?.[1],
  )
  expect([...new Set(linked)].sort()).toEqual(sections.sort())
  // A section of several alarms names each of them, or `disagreement-NETWORK` for those of each network.
  const ofNetwork = new RegExp(`-(${networks.join('|')})$`)
  for (const name of alarms.map(nameOf)) {
    const names = [`\n### ${name}\n`, `\`${name}\``, `\`${name.replace(ofNetwork, '-NETWORK')}\``]
    expect(
      names.some(one => guide.includes(one)),
      name,
    ).toBe(true)
  }
})

test('an alarm on a metric of the logs reads what a filter writes', () => {
  const written = allOf(template, 'Logs::MetricFilter').map(
    ({ MetricTransformations }) => Object(MetricTransformations)[0],
  )
  const metrics = alarms.flatMap(
    alarm => alarm.Metrics?.flatMap(({ MetricStat }) => MetricStat?.Metric ?? []) ?? [alarm],
  )
  const read = metrics.filter(({ Namespace }) => Namespace?.startsWith('PriceLookup/'))
  expect(read.map(({ MetricName }) => MetricName)).toEqual(expect.arrayContaining(['rpcMs', 'lastResort', 'outcome']))
  for (const { Namespace, MetricName, Dimensions = [] } of read) {
    const [filter] = written.filter(metric => metric.MetricName === MetricName)
    expect(filter).toMatchObject({ MetricNamespace: Namespace })
    const keys = (filter.Dimensions ?? []).map(({ Key }: { Key: string }) => Key)
    expect(Dimensions.map(({ Name }) => Name)).toEqual(keys)
  }
})

test('only the alarms of the environment may publish to the topics, and only over TLS', () => {
  expect(resourcesOf(template, 'SNS::Topic')).toEqual({
    Alarmspage: { TopicName: 'price-lookup-prod-page', DisplayName: 'Price Lookup prod (page)' },
    Alarmsticket: { TopicName: 'price-lookup-prod-ticket', DisplayName: 'Price Lookup prod (ticket)' },
  })
  const alarmsArn = 'arn:<AWS::Partition>:cloudwatch:<AWS::Region>:<AWS::AccountId>:alarm:price-lookup-prod-*'
  const policyOf = (topic: string) => {
    const publish = { Sid: expect.any(String), Action: 'sns:Publish', Resource: topic }
    const allowed = { Effect: 'Allow', Principal: { Service: 'cloudwatch.amazonaws.com' } }
    const withoutTls = { Bool: { 'aws:SecureTransport': 'false' } }
    return {
      Topics: [topic],
      PolicyDocument: {
        Version: '2012-10-17',
        Statement: [
          { ...publish, Effect: 'Deny', Principal: '*', Condition: withoutTls },
          { ...publish, ...allowed, Condition: { ArnLike: { 'aws:SourceArn': alarmsArn } } },
        ],
      },
    }
  }
  expect(allOf(template, 'SNS::TopicPolicy')).toEqual(['<Alarmspage>', '<Alarmsticket>'].map(policyOf))
})
