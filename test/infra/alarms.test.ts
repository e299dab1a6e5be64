import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { environments } from '../../infra/environments.ts'
import { allOf, resourcesOf, synthesise } from './synthesise.ts'

const template = synthesise(environments.prod, 'prod')
const alarms = allOf(template, 'CloudWatch::Alarm') as unknown as Alarm[]

interface Metric {
  readonly MetricName: string
  readonly Namespace: string
  readonly Dimensions?: readonly { readonly Name: string; readonly Value: string }[]
}

interface Alarm extends Metric {
  readonly AlarmName: string
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

const describeMetric = (stat: string, { Namespace, MetricName, Dimensions = [] }: Metric, seconds: number) =>
  [`${stat} of ${Namespace} ${MetricName}`, ...Dimensions.map(({ Name, Value }) => `${Name} ${Value}`), `${seconds} s`]
    .join(', ')
    .replace('ApiName price-lookup-prod, Stage <ApiDeploymentStagev1>', 'stage')

function describeAlarm(alarm: Alarm): readonly string[] {
  const { AlarmName, Threshold, EvaluationPeriods, Metrics } = alarm
  const metrics = Metrics?.map(
    ({ Id, Expression, MetricStat }) =>
      `${Id}: ${MetricStat ? describeMetric(MetricStat.Stat, MetricStat.Metric, MetricStat.Period) : Expression}`,
  )
  return [
    `${AlarmName} >= ${Threshold}, ${EvaluationPeriods} times`,
    ...(metrics ?? [describeMetric(alarm.Statistic, alarm, alarm.Period)]),
  ]
}

test('these are the alarms; that on a function’s duration is at 80 % of its timeout', () => {
  const [{ Timeout } = {}] = allOf(template, 'Lambda::Function')
  expect(alarms.map(describeAlarm)).toEqual([
    [
      'price-lookup-prod-server-errors >= 5, 1 times',
      'expr_1: IF(requests >= 20, 100 * errors / requests, 0)',
      'requests: SampleCount of AWS/ApiGateway Count, stage, 300 s',
      'errors: Sum of AWS/ApiGateway 5XXError, stage, 300 s',
    ],
    [
      'price-lookup-prod-slow >= 2000, 3 times',
      'expr_1: IF(requests >= 20, latency, 0)',
      'requests: SampleCount of AWS/ApiGateway Count, stage, 300 s',
      'latency: p95 of AWS/ApiGateway Latency, stage, 300 s',
    ],
    ...[
      ['list-prices', 'ListPrices'],
      ['get-price', 'GetPrice'],
    ].flatMap(([name, id]) => [
      [`price-lookup-prod-${name}-errors >= 1, 1 times`, `Sum of AWS/Lambda Errors, FunctionName <${id}>, 300 s`],
      [`price-lookup-prod-${name}-throttles >= 1, 1 times`, `Sum of AWS/Lambda Throttles, FunctionName <${id}>, 300 s`],
      [
        `price-lookup-prod-${name}-duration >= ${800 * Number(Timeout)}, 1 times`,
        `Maximum of AWS/Lambda Duration, FunctionName <${id}>, 300 s`,
      ],
    ]),
    ['price-lookup-prod-chain-unavailable >= 3, 1 times', 'Sum of PriceLookup/prod outcome.chain-unavailable, 300 s'],
    ['price-lookup-prod-last-resort >= 5, 3 times', 'Sum of PriceLookup/prod lastResort, 300 s'],
    ['price-lookup-prod-not-configured >= 1, 1 times', 'Sum of PriceLookup/prod outcome.not-configured, 300 s'],
    ['price-lookup-prod-internal >= 1, 1 times', 'Sum of PriceLookup/prod outcome.internal, 300 s'],
  ])
})

test('every alarm is sent to the topic, has a description, and treats missing data as good', () => {
  for (const alarm of alarms) {
    expect(alarm).toMatchObject({
      AlarmActions: ['<Alarms>'],
      AlarmDescription: expect.stringMatching(/^[A-Z].{40,}[.?]$/),
      ComparisonOperator: 'GreaterThanOrEqualToThreshold',
      TreatMissingData: 'notBreaching',
    })
  }
})

test('the operations guide explains every alarm, and no other', () => {
  const guide = readFileSync('docs/operations.md', 'utf8')
    .split('\n')
    .filter(line => line.startsWith('| `'))
  const explained = guide.flatMap(line => [...(line.split('|')[1] ?? '').matchAll(/`(.+?)`/g)].map(([, name]) => name))
  expect(explained.sort()).toEqual(alarms.map(({ AlarmName }) => AlarmName.replace('price-lookup-prod-', '')).sort())
})

test('an alarm on a metric of the logs reads what a filter writes', () => {
  const written = allOf(template, 'Logs::MetricFilter').map(
    ({ MetricTransformations }) => Object(MetricTransformations)[0],
  )
  const read = alarms.filter(({ Namespace }) => Namespace?.startsWith('PriceLookup/'))
  expect(read).toHaveLength(4)
  for (const { Namespace, MetricName } of read) {
    const [filter] = written.filter(metric => metric.MetricName === MetricName)
    expect(filter).toMatchObject({ MetricNamespace: Namespace })
    expect(filter).not.toHaveProperty('Dimensions')
  }
})

test('only the alarms of the environment may publish to the topic, and only over TLS', () => {
  expect(resourcesOf(template, 'SNS::Topic')).toEqual({
    Alarms: { TopicName: 'price-lookup-prod-alarms', DisplayName: 'Price Lookup prod' },
  })
  const publish = { Sid: expect.any(String), Action: 'sns:Publish', Resource: '<Alarms>' }
  const alarmsArn = 'arn:<AWS::Partition>:cloudwatch:<AWS::Region>:<AWS::AccountId>:alarm:price-lookup-prod-*'
  expect(allOf(template, 'SNS::TopicPolicy')).toEqual([
    {
      Topics: ['<Alarms>'],
      PolicyDocument: {
        Version: '2012-10-17',
        Statement: [
          { ...publish, Effect: 'Deny', Principal: '*', Condition: { Bool: { 'aws:SecureTransport': 'false' } } },
          {
            ...publish,
            Effect: 'Allow',
            Principal: { Service: 'cloudwatch.amazonaws.com' },
            Condition: { ArnLike: { 'aws:SourceArn': alarmsArn } },
          },
        ],
      },
    },
  ])
})
