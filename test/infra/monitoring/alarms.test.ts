import { readFileSync } from 'node:fs'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { networks } from '../../../api/networks.ts'
import { allOf, prod, resourcesOf, synthesise } from '../../support/infra/synthesise.ts'

// With every alarm.
const template = synthesise(prod, 'prod')
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
    readonly MetricStat?: MetricStat
  }[]
}

interface MetricStat {
  readonly Metric: Metric
  readonly Period: number
  readonly Stat: string
}

const nameOf = ({ AlarmName }: Alarm) => AlarmName.replace('price-lookup-prod-', '')

/** A metric of the logs has no namespace here, and one of five minutes no period. */
function describeMetric({ Stat, Metric, Period, ...rest }: MetricStat): string {
  // For example `Unit`, which a metric may not have.
  expect(rest).toEqual({})
  const { Namespace, MetricName, Dimensions = [] } = Metric
  const dimensions = Dimensions.map(({ Name, Value }) => `, ${Name} ${Value}`).join('')
  return `${Stat} of ${Namespace} ${MetricName}${dimensions}${Period === 300 ? '' : `, ${Period} s`}`
    .replace('PriceLookup/prod ', '')
    .replace('ApiName price-lookup-prod, Stage <ApiDeploymentStagev1>', 'stage')
}

const comparisons: Record<string, string> = {
  'GreaterThanOrEqualToThreshold notBreaching': '>=',
  'LessThanThreshold breaching': 'missing or <',
}

/** The topic that an alarm notifies when it enters and when it leaves ALARM, its condition, and its metrics. */
function describeAlarm(alarm: Alarm): readonly string[] {
  const { AlarmName: _, AlarmDescription: __, AlarmActions, OKActions, ...condition } = alarm
  const { ComparisonOperator, TreatMissingData, Threshold, EvaluationPeriods, Metrics, ...metric } = condition
  const { Namespace, MetricName, Dimensions = [], Period, Statistic, ...rest } = metric
  // For example `DatapointsToAlarm`, fewer than the periods.
  expect(rest).toEqual({})
  const topics = [...new Set([...AlarmActions, ...OKActions])].map(topic => topic.replace(/<Alarms(.*)>/, '$1'))
  const comparison = comparisons[`${ComparisonOperator} ${TreatMissingData}`]
  const Metric = { Namespace, MetricName, Dimensions }
  const metrics = Metrics?.flatMap(({ Id, MetricStat }) => (MetricStat ? `${Id}: ${describeMetric(MetricStat)}` : []))
  return [
    `${topics} ${nameOf(alarm)} ${comparison} ${Threshold}, ${EvaluationPeriods} times`,
    ...(metrics ?? [describeMetric({ Stat: Statistic, Metric, Period })]),
  ]
}

/** Faults of Parameter Store in a period: of the last network, or of none. */
const toFaults = (ofLast: number | undefined) =>
  Object.fromEntries(networks.map((_, index) => [`f${index}`, index === networks.length - 1 ? ofLast : undefined]))

/** The metric of both aliases that an alarm adds up. */
const ofFunctions = (name: string) => [
  `f0: Sum of AWS/Lambda ${name}, FunctionName <ListPrices>, Resource <ListPrices>:live`,
  `f1: Sum of AWS/Lambda ${name}, FunctionName <GetPrice>, Resource <GetPrice>:live`,
]

test('these are the alarms; only `probe-silent` counts missing data as a breach', () => {
  const ofAdded = networks.filter(network => !['mainnet', 'testnet'].includes(network)).map(network => `-${network}`)
  const ofToday = alarms.filter(alarm => !ofAdded.some(suffix => nameOf(alarm).endsWith(suffix)))
  expect(ofToday.map(describeAlarm)).toEqual([
    [
      'page server-errors >= 5, 1 times',
      'requests: SampleCount of AWS/ApiGateway Count, stage',
      'errors: Sum of serverErrors',
    ],
    ['ticket too-many-requests >= 100, 3 times', 'Sum of tooManyRequests'],
    // Of 500 requests a second, half, in five minutes.
    ['ticket high-load >= 75000, 3 times', 'SampleCount of AWS/ApiGateway Count, stage'],
    ['ticket function-errors >= 1, 1 times', ...ofFunctions('Errors')],
    ['ticket function-throttles >= 1, 1 times', ...ofFunctions('Throttles')],
    ['page chain-unavailable-mainnet >= 3, 1 times', 'm1: Sum of unavailable, network mainnet'],
    [
      'ticket first-endpoint-mainnet >= 20, 3 times',
      'faults: Sum of firstEndpointFaults, network mainnet',
      'asked: SampleCount of firstEndpointFaults, network mainnet',
    ],
    [
      'ticket slow-mainnet >= 2000, 3 times',
      'reads: SampleCount of rpcMs, network mainnet',
      'p95: p95 of rpcMs, network mainnet',
    ],
    ['ticket head-age-mainnet >= 30, 3 times', 'm1: p50 of headAgeSeconds, network mainnet'],
    ['ticket chain-unavailable-testnet >= 1, 3 times', 'm1: Sum of unavailable, network testnet'],
    [
      'ticket parameter-store >= 1, 3 times',
      ...networks.map((network, index) => `f${index}: Sum of faults, kind parameter-store, network ${network}`),
    ],
    ['ticket feeds-unreadable >= 1, 3 times', 'Sum of unreadable'],
    ['page not-configured >= 1, 1 times', 'Sum of outcome, outcome not-configured'],
    ['ticket internal >= 1, 1 times', 'Sum of outcome, outcome internal'],
    ['page probe-failed >= 1, 2 times', 'Sum of AWS/Lambda Errors, FunctionName <Probe>'],
    ['page probe-silent missing or < 1, 3 times', 'runs: Sum of AWS/Lambda Invocations, FunctionName <Probe>'],
  ])
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
  ['function-errors', { f0: undefined, f1: 1 }, true],
  ['function-errors', { f0: 1, f1: undefined }, true],
  ['function-errors', { f0: 0, f1: 0 }, false],
  ['parameter-store', toFaults(1), true],
  ['parameter-store', toFaults(undefined), false],
  ['probe-silent', { runs: undefined }, true],
  ['probe-silent', { runs: 1 }, false],
])('a period of %s with %o counts: %s', (name, values, isBreach) => {
  const { Metrics = [], ComparisonOperator, Threshold } = alarms.find(alarm => nameOf(alarm) === name) as Alarm
  const [expression = ''] = Metrics.flatMap(({ Expression }) => Expression ?? [])
  // Without a value of a metric that is not filled, it is NaN, which is neither below nor above.
  const value = Number(runInNewContext(expression, { ...metricMath, ...values }))
  expect(ComparisonOperator === 'LessThanThreshold' ? value < Threshold : value >= Threshold).toBe(isBreach)
})

test('the description of every alarm ends with its section in the operations guide, which has no other', () => {
  const [, guide = ''] = /\n## Alarms\n(.*?)\n## /s.exec(readFileSync('docs/operations.md', 'utf8')) ?? []
  const sections = [...guide.matchAll(/^### ([a-z-]+)$/gm)].map(([, section]) => section)
  const linked = alarms.map(
    ({ AlarmDescription }) => /^[A-Z].{40,}\. Runbook: docs\/operations\.md#([a-z-]+)$/.exec(AlarmDescription)?.[1],
  )
  expect([...new Set(linked)].sort()).toEqual(sections.sort())
  // A section of several alarms names each of them, or `chain-unavailable-NETWORK` for those of each network.
  const ofNetwork = new RegExp(`-(${networks.join('|')})$`)
  for (const name of alarms.map(nameOf)) {
    const names = [`\n### ${name}\n`, `\`${name}\``, `\`${name.replace(ofNetwork, '-NETWORK')}\``]
    expect(
      names.some(text => guide.includes(text)),
      name,
    ).toBe(true)
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
