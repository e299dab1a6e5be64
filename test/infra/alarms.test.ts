import { readFileSync } from 'node:fs'
import { Duration } from 'aws-cdk-lib'
import { expect, test } from 'vitest'
import { monitor } from './monitor.ts'
import { allOf, everythingOff, everythingOn } from './synthesise.ts'

const template = monitor(everythingOn)
const alarms = allOf(template, 'CloudWatch::Alarm') as unknown as Alarm[]

interface AlarmedMetric {
  readonly MetricName: string
  readonly Namespace: string
  readonly Dimensions?: readonly { readonly Name: string; readonly Value: unknown }[]
}

interface Alarm extends AlarmedMetric {
  readonly AlarmName: string
  readonly Threshold: number
  readonly EvaluationPeriods: number
  readonly Period?: number
  readonly Statistic?: string
  readonly Metrics?: readonly {
    readonly Id: string
    readonly Expression?: string
    readonly MetricStat?: { readonly Metric: AlarmedMetric; readonly Period: number; readonly Stat: string }
  }[]
}

/** Says what an alarm looks at, in one line. */
function describe({ Metrics, Statistic, MetricName, Period }: Alarm): string {
  if (Metrics === undefined) return `${Statistic} of ${MetricName} in ${Period} s`
  const terms = Metrics.map(({ Id, Expression, MetricStat }) =>
    MetricStat ? `${Id}: ${MetricStat.Stat} of ${MetricStat.Metric.MetricName} in ${MetricStat.Period} s` : Expression,
  )
  return terms.join(', ')
}

test('there is an alarm for each of these', () => {
  const lines = alarms.map(alarm => {
    const { AlarmName, Threshold, EvaluationPeriods } = alarm
    return `${AlarmName}: ${describe(alarm)}; ${Threshold}, ${EvaluationPeriods} times`
  })
  expect(`\n${lines.join('\n')}\n`).toMatchInlineSnapshot(`
    "
    price-lookup-test-server-errors: IF(requests >= 20, 100 * errors / requests, 0), requests: SampleCount of Count in 300 s, errors: Sum of 5XXError in 300 s; 5, 1 times
    price-lookup-test-slow: IF(requests >= 20, latency, 0), requests: SampleCount of Count in 300 s, latency: p95 of Latency in 300 s; 2000, 3 times
    price-lookup-test-list-prices-errors: Sum of Errors in 300 s; 1, 1 times
    price-lookup-test-list-prices-throttles: Sum of Throttles in 300 s; 1, 1 times
    price-lookup-test-list-prices-duration: Maximum of Duration in 300 s; 8000, 1 times
    price-lookup-test-get-price-errors: Sum of Errors in 300 s; 1, 1 times
    price-lookup-test-get-price-throttles: Sum of Throttles in 300 s; 1, 1 times
    price-lookup-test-get-price-duration: Maximum of Duration in 300 s; 8000, 1 times
    price-lookup-test-chain-unavailable: Sum of outcome.chain-unavailable in 300 s; 3, 1 times
    price-lookup-test-last-resort: Sum of lastResort in 300 s; 5, 3 times
    price-lookup-test-not-configured: Sum of outcome.not-configured in 300 s; 1, 1 times
    price-lookup-test-internal: Sum of outcome.internal in 300 s; 1, 1 times
    "
  `)
})

test('the alarms on the API are on its stage', () => {
  const metrics = alarms.flatMap(({ Metrics = [] }) => Metrics.flatMap(({ MetricStat }) => MetricStat?.Metric ?? []))
  expect(metrics).toHaveLength(4)
  for (const { Namespace, Dimensions } of metrics) {
    expect(Namespace).toBe('AWS/ApiGateway')
    expect(Dimensions).toEqual([
      { Name: 'ApiName', Value: 'price-lookup-test' },
      { Name: 'Stage', Value: { Ref: expect.stringContaining('Stage') } },
    ])
  }
})

test('every alarm tells the topic, says what it means, and takes silence for a good sign', () => {
  const [topic = ''] = Object.keys(template.findResources('AWS::SNS::Topic'))
  for (const alarm of alarms) {
    expect(alarm).toMatchObject({
      AlarmActions: [{ Ref: topic }],
      AlarmDescription: expect.stringMatching(/^[A-Z].{40,}[.?]$/),
      ComparisonOperator: 'GreaterThanOrEqualToThreshold',
      TreatMissingData: 'notBreaching',
    })
  }
})

test('every alarm is explained in the operations guide, which explains no other', () => {
  const guide = readFileSync('docs/operations.md', 'utf8')
    .split('\n')
    .filter(line => line.startsWith('| `'))
  const explained = guide.flatMap(line => [...(line.split('|')[1] ?? '').matchAll(/`(.+?)`/g)].map(([, name]) => name))
  expect(explained.sort()).toEqual(alarms.map(({ AlarmName }) => AlarmName.replace('price-lookup-test-', '')).sort())
})

test('an alarm on a metric of the logs reads what a filter writes', () => {
  const written = allOf(template, 'Logs::MetricFilter').map(
    ({ MetricTransformations }) => Object(MetricTransformations)[0],
  )
  const read = alarms.filter(({ Namespace }) => Namespace?.startsWith('PriceLookup/'))
  expect(read).toHaveLength(4)
  for (const { Namespace, MetricName, Dimensions } of read) {
    expect(Dimensions).toBeUndefined()
    expect(written).toContainEqual(expect.objectContaining({ MetricNamespace: Namespace, MetricName }))
  }
})

test('the alarm on a function’s duration follows its timeout', () => {
  const slower = monitor(everythingOn, { timeout: Duration.seconds(20) })
  slower.hasResourceProperties('AWS::CloudWatch::Alarm', {
    AlarmName: 'price-lookup-test-get-price-duration',
    Threshold: 16_000,
  })
})

test('the environment’s address is told by email, and no one if there is none', () => {
  expect(allOf(template, 'SNS::Subscription')).toEqual([
    { Protocol: 'email', Endpoint: 'oncall@prices.example', TopicArn: expect.anything() },
  ])
  const silent = monitor(everythingOff)
  silent.resourceCountIs('AWS::SNS::Subscription', 0)
  silent.resourceCountIs('AWS::SNS::Topic', 1)
})

test('the environment’s alarms alone may publish to the topic, and over TLS alone', () => {
  const [{ PolicyDocument } = {}] = allOf(template, 'SNS::TopicPolicy')
  expect(PolicyDocument).toMatchObject({
    Statement: [
      { Effect: 'Deny', Action: 'sns:Publish', Condition: { Bool: { 'aws:SecureTransport': 'false' } } },
      {
        Effect: 'Allow',
        Principal: { Service: 'cloudwatch.amazonaws.com' },
        Action: 'sns:Publish',
        Condition: {
          ArnLike: {
            'aws:SourceArn': {
              'Fn::Join': ['', expect.arrayContaining([':cloudwatch:', ':alarm:price-lookup-test-*'])],
            },
          },
        },
      },
    ],
  })
})
