import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { environments } from '../../../infra/environments.ts'
import { defaultNetwork, type Network, networkFacts, networks } from '../../../lambda/networks.ts'
import { allOf, bareEdge, resourcesOf, synthesise } from '../synthesise.ts'

const template = synthesise(environments.prod, 'prod')
const alarms = allOf<Alarm>(template, 'CloudWatch::Alarm')
const withEdge = allOf<Alarm>(synthesise(bareEdge, 'prod'), 'CloudWatch::Alarm')

interface Metric {
  readonly MetricName: string
  readonly Namespace: string
  readonly Dimensions?: readonly { readonly Name: string; readonly Value: string }[]
}

interface Alarm extends Metric {
  readonly AlarmName: string
  readonly AlarmDescription: string
  readonly AlarmActions: readonly string[]
  readonly ComparisonOperator: string
  readonly TreatMissingData: string
  readonly Threshold: number
  readonly EvaluationPeriods: number
  readonly Period: number
  readonly Statistic: string
  readonly ExtendedStatistic?: string
  readonly Metrics?: readonly {
    readonly Id: string
    readonly Expression?: string
    readonly MetricStat?: { readonly Metric: Metric; readonly Period: number; readonly Stat: string }
  }[]
}

const describeMetric = (stat: string, { Namespace, MetricName, Dimensions = [] }: Metric, seconds: number) =>
  [`${stat} of ${Namespace} ${MetricName}`, ...Dimensions.map(({ Name, Value }) => `${Name} ${Value}`), `${seconds} s`]
    .join(', ')
    .replace('ApiName price-lookup-prod, Stage <ApiDeploymentStagev1>', 'stage')

const comparisons: Record<string, string> = {
  'GreaterThanOrEqualToThreshold notBreaching': '>=',
  'LessThanThreshold breaching': 'missing or <',
}

function describeAlarm(alarm: Alarm): readonly string[] {
  const { AlarmName, ComparisonOperator, TreatMissingData, Threshold, EvaluationPeriods, Metrics } = alarm
  const metrics = Metrics?.map(
    ({ Id, Expression, MetricStat }) =>
      `${Id}: ${MetricStat ? describeMetric(MetricStat.Stat, MetricStat.Metric, MetricStat.Period) : Expression}`,
  )
  const comparison = comparisons[`${ComparisonOperator} ${TreatMissingData}`]
  return [
    `${/^price-lookup-prod-(.+)/.exec(AlarmName)?.[1]} ${comparison} ${Threshold}, ${EvaluationPeriods} times`,
    ...(metrics ?? [describeMetric(alarm.ExtendedStatistic ?? alarm.Statistic, alarm, alarm.Period)]),
  ]
}

const toHeadAlarm = (network: Network) => {
  const { maxHeadAgeSeconds } = networkFacts[network]
  const metric = `m1: p50 of PriceLookup/prod headAgeSeconds, network ${network}, 300 s`
  return maxHeadAgeSeconds === undefined ? [] : [[`head-age-${network} >= ${maxHeadAgeSeconds / 2}, 3 times`, metric]]
}

const ofDefault = [
  [
    'slow-mainnet >= 2000, 3 times',
    'expr_1: IF(reads >= 10, p95, 0)',
    'reads: SampleCount of PriceLookup/prod rpcMs, network mainnet, 300 s',
    'p95: p95 of PriceLookup/prod rpcMs, network mainnet, 300 s',
  ],
  [
    'last-resort-mainnet >= 20, 3 times',
    'expr_1: IF(last >= 2, 100 * last / asked, 0)',
    'last: Sum of PriceLookup/prod lastResort, network mainnet, 300 s',
    'asked: SampleCount of PriceLookup/prod firstEndpointFaults, network mainnet, 300 s',
  ],
]

test('these are the alarms, of which only `probe-silent` counts missing data as a breach', () => {
  expect(alarms.map(describeAlarm)).toEqual([
    [
      'server-errors >= 5, 1 times',
      'expr_1: IF(requests >= 20, 100 * errors / requests, IF(errors >= 3, 100, 0))',
      'requests: SampleCount of AWS/ApiGateway Count, stage, 300 s',
      'errors: Sum of PriceLookup/prod serverErrors, 300 s',
    ],
    ['too-many-requests >= 100, 1 times', 'Sum of PriceLookup/prod tooManyRequests, 300 s'],
    ...[
      ['list-prices', 'ListPrices'],
      ['get-price', 'GetPrice'],
    ].flatMap(([name, id]) => [
      [`${name}-errors >= 1, 1 times`, `Sum of AWS/Lambda Errors, FunctionName <${id}>, 300 s`],
      [`${name}-throttles >= 1, 1 times`, `Sum of AWS/Lambda Throttles, FunctionName <${id}>, 300 s`],
    ]),
    ...networks.flatMap(network => [
      [
        `chain-unavailable-${network} >= 3, 1 times`,
        `m1: Sum of PriceLookup/prod unavailable, network ${network}, 300 s`,
      ],
      [
        `disagreement-${network} >= 1, 1 times`,
        `Sum of PriceLookup/prod faults, kind disagreement, network ${network}, 300 s`,
      ],
      [
        `first-endpoint-${network} >= 20, 3 times`,
        'expr_1: IF(faults >= 2, 100 * faults / asked, 0)',
        `faults: Sum of PriceLookup/prod firstEndpointFaults, network ${network}, 300 s`,
        `asked: SampleCount of PriceLookup/prod firstEndpointFaults, network ${network}, 300 s`,
      ],
      ...(network === defaultNetwork ? ofDefault : []),
      ...toHeadAlarm(network),
    ]),
    ['feeds-unreadable >= 1, 3 times', 'Sum of PriceLookup/prod unreadable, 300 s'],
    ['not-configured >= 1, 1 times', 'Sum of PriceLookup/prod outcome, outcome not-configured, 300 s'],
    ['internal >= 1, 1 times', 'Sum of PriceLookup/prod outcome, outcome internal, 300 s'],
    ['probe-failed >= 1, 2 times', 'Sum of AWS/Lambda Errors, FunctionName <Probe>, 300 s'],
    [
      'probe-silent missing or < 1, 3 times',
      'expr_1: FILL(runs, 0)',
      'runs: Sum of AWS/Lambda Invocations, FunctionName <Probe>, 300 s',
    ],
  ])
})

test('an edge has three more, of its own', () => {
  const distribution = 'DistributionId <ApiEdge>, Region Global, 300 s'
  const name = 'FunctionName price-lookup-prod-canonical-request, Region Global, 300 s'
  expect(withEdge.slice(alarms.length).map(describeAlarm)).toEqual([
    [
      'edge-errors >= 5, 1 times',
      'expr_1: IF(requests >= 20, rate, IF(requests * rate >= 300, 100, 0))',
      `requests: Sum of AWS/CloudFront Requests, ${distribution}`,
      `rate: Average of AWS/CloudFront 5xxErrorRate, ${distribution}`,
    ],
    ['edge-latency >= 3000, 3 times', `p95 of AWS/CloudFront OriginLatency, ${distribution}`],
    [
      'edge-function >= 1, 1 times',
      'expr_1: FILL(failed, 0) + FILL(invalid, 0)',
      `failed: Sum of AWS/CloudFront FunctionExecutionErrors, ${name}`,
      `invalid: Sum of AWS/CloudFront FunctionValidationErrors, ${name}`,
    ],
  ])
})

test('every alarm notifies the topic of its urgency when it enters and when it leaves ALARM', () => {
  const paging = withEdge.filter(({ AlarmActions }) => AlarmActions.includes('<Alarmspage>'))
  expect(paging.map(({ AlarmName }) => AlarmName.replace('price-lookup-prod-', ''))).toEqual([
    'server-errors',
    ...['list-prices-errors', 'list-prices-throttles', 'get-price-errors', 'get-price-throttles'],
    ...['chain-unavailable-mainnet', 'disagreement-mainnet', 'not-configured'],
    ...['probe-failed', 'probe-silent', 'edge-errors', 'edge-function'],
  ])
  for (const alarm of withEdge) {
    const topic = paging.includes(alarm) ? '<Alarmspage>' : '<Alarmsticket>'
    expect(alarm).toMatchObject({ AlarmActions: [topic], OKActions: [topic] })
  }
})

test('the description of every alarm ends with its section in the operations guide, which has no other', () => {
  const [, guide = ''] = /\n## Alarms\n(.*?)\n## /s.exec(readFileSync('docs/operations.md', 'utf8')) ?? []
  const sections = [...guide.matchAll(/^### ([a-z-]+)$/gm)].map(([, section]) => section)
  const linked = withEdge.map(
    ({ AlarmDescription }) => /^[A-Z].{40,}\. Runbook: docs\/operations\.md#([a-z-]+)$/.exec(AlarmDescription)?.[1],
  )
  expect([...new Set(linked)].sort()).toEqual(sections.sort())
  // A section that is shared by several alarms names each of them, or `disagreement-NETWORK` for those of each network.
  const ofNetwork = new RegExp(`-(${networks.join('|')})$`)
  for (const { AlarmName } of withEdge) {
    const name = AlarmName.replace('price-lookup-prod-', '')
    const names = [`\n### ${name}\n`, `\`${name}\``, `\`${name.replace(ofNetwork, '-NETWORK')}\``]
    expect(
      names.filter(one => guide.includes(one)),
      name,
    ).not.toEqual([])
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
