import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { networks } from '../../../api/networks.ts'
import { routes } from '../../support/infra/routes.ts'
import { allOf, everythingOn, prod, resourcesOf, synthesise } from '../../support/infra/synthesise.ts'

interface Metric {
  readonly Namespace: string
  readonly MetricName: string
  readonly Dimensions?: readonly { readonly Name: string; readonly Value: string }[]
}

interface Alarm extends Metric {
  readonly AlarmName: string
  readonly AlarmActions: readonly string[]
  readonly OKActions: readonly string[]
  readonly ComparisonOperator: string
  readonly TreatMissingData: string
  readonly Threshold: number
  readonly EvaluationPeriods: number
  readonly DatapointsToAlarm?: number
  readonly Period: number
  readonly Statistic: string
  readonly Metrics?: readonly {
    readonly Id: string
    readonly Expression?: string
    readonly MetricStat?: { readonly Metric: Metric; readonly Period: number; readonly Stat: string }
  }[]
}

const template = synthesise(prod, 'prod')
const alarms = allOf<Alarm>(template, 'CloudWatch::Alarm')
const nameOf = ({ AlarmName }: Alarm) => AlarmName.replace('price-lookup-prod-', '')

const comparisons = new Map([
  ['GreaterThanOrEqualToThreshold notBreaching', '>='],
  ['LessThanThreshold breaching', 'missing or <'],
])

/** The topic that an alarm notifies when it enters and when it leaves ALARM, and its condition. */
function describeCondition(alarm: Alarm): string {
  const { AlarmActions, OKActions, ComparisonOperator, TreatMissingData, Threshold } = alarm
  const { EvaluationPeriods: periods, DatapointsToAlarm: breaches = periods } = alarm
  const topics = [...new Set([...AlarmActions, ...OKActions])].map(topic => topic.replace(/<Alarms(.*)>/, '$1'))
  const comparison = comparisons.get(`${ComparisonOperator} ${TreatMissingData}`)
  const times = breaches === periods ? `${periods} times` : `${breaches} of ${periods} times`
  return `${topics} ${nameOf(alarm)} ${comparison} ${Threshold}, ${times}`
}

/**
 * Describes the metrics of an alarm, without the namespace of the logs' metrics and without a period of five minutes.
 */
function describeMetrics(alarm: Alarm): readonly string[] {
  const alone = { Metric: alarm, Period: alarm.Period, Stat: alarm.Statistic }
  const metrics = alarm.Metrics?.flatMap(({ Id, MetricStat }) => (MetricStat ? { Id: `${Id}: `, ...MetricStat } : []))
  return (metrics ?? [{ Id: '', ...alone }]).map(({ Id, Metric, Period, Stat }) => {
    const { Namespace, MetricName, Dimensions = [] } = Metric
    const dimensions = Dimensions.map(({ Name, Value }) => `, ${Name} ${Value}`).join('')
    return `${Id}${Stat} of ${Namespace} ${MetricName}${dimensions}${Period === 300 ? '' : `, ${Period} s`}`
      .replace('PriceLookup/prod ', '')
      .replace('ApiName price-lookup-prod, Stage <ApiDeploymentStagev1>', 'stage')
  })
}

test('these are the alarms; only `probe-silent` and `rpc-urls` count missing data as a breach', () => {
  const [, ...others] = networks
  expect(alarms.map(alarm => [describeCondition(alarm), ...describeMetrics(alarm)])).toEqual([
    [
      'page server-errors >= 5, 1 times',
      'requests: SampleCount of AWS/ApiGateway Count, stage',
      'errors: Sum of serverErrors',
    ],
    ['ticket too-many-requests >= 100, 3 times', 'Sum of tooManyRequests'],
    // Half of 500 requests a second, for five minutes.
    ['ticket high-load >= 75000, 3 times', 'SampleCount of AWS/ApiGateway Count, stage'],
    [
      'ticket slow >= 2000, 3 times',
      'requests: SampleCount of AWS/ApiGateway Count, stage',
      'p95: p95 of AWS/ApiGateway Latency, stage',
    ],
    [
      'ticket function-errors >= 1, 1 times',
      ...routes.map(
        ({ id }, index) => `f${index}: Sum of AWS/Lambda Errors, FunctionName <${id}>, Resource <${id}>:live`,
      ),
    ],
    ['page chain-unavailable-mainnet >= 3, 1 times', 'Sum of unavailable, network mainnet'],
    ...others.map(network => [
      `ticket chain-unavailable-${network} >= 1, 3 times`,
      `Sum of unavailable, network ${network}`,
    ]),
    [
      'ticket first-endpoint-mainnet >= 25, 4 of 6 times',
      'failed: Sum of failed, endpoint rpc-1, network mainnet',
      'served: Sum of served, endpoint rpc-1, network mainnet',
    ],
    [
      'ticket parameter-store >= 1, 3 times',
      ...networks.map((network, index) => `f${index}: Sum of faults, kind parameter-store, network ${network}`),
    ],
    ['ticket feeds-unreadable >= 1, 3 times', 'Sum of unreadable'],
    ['page not-configured >= 1, 1 times', 'Sum of outcome, outcome not-configured'],
    ['ticket internal >= 1, 1 times', 'Sum of outcome, outcome internal'],
    ['page probe-failed >= 1, 2 times', 'Sum of AWS/Lambda Errors, FunctionName <Probe>'],
    ['page probe-silent missing or < 1, 3 times', 'runs: Sum of AWS/Lambda Invocations, FunctionName <Probe>'],
    [
      'ticket rpc-urls-mainnet missing or < 1, 5 of 6 times',
      'errors: Sum of AWS/Lambda Errors, FunctionName <RpcCheck>, 3600 s',
    ],
  ])
})

/** The functions of CloudWatch's metric math that the alarms use. */
const metricMath = {
  IF: (condition: boolean, value: number, otherwise: number) => (condition ? value : otherwise),
  FILL: (value: number | undefined, filler: number) => value ?? filler,
}

/** Each row has the values of an alarm's metrics in one period. A metric that is not given has no value. */
test.each<[name: string, values: Record<string, number>, isBreach: boolean]>([
  ['server-errors', { requests: 3, errors: 3 }, true],
  ['server-errors', { requests: 20, errors: 2 }, false],
  ['server-errors', { requests: 60, errors: 3 }, true],
  ['server-errors', { requests: 61, errors: 3 }, false],
  ['server-errors', { requests: 60 }, false],
  ['slow', { requests: 10, p95: 2_000 }, true],
  ['slow', { requests: 10, p95: 1_999 }, false],
  ['slow', { requests: 9, p95: 3_500 }, false],
  ['first-endpoint-mainnet', { failed: 10 }, true],
  ['first-endpoint-mainnet', { failed: 25, served: 75 }, true],
  ['first-endpoint-mainnet', { failed: 24, served: 76 }, false],
  ['first-endpoint-mainnet', { served: 2 }, false],
  ['first-endpoint-mainnet', {}, false],
  ['function-errors', { f1: 1 }, true],
  ['function-errors', { f0: 1 }, true],
  ['parameter-store', { f1: 1 }, true],
  ['parameter-store', {}, false],
  ['probe-silent', {}, true],
  ['probe-silent', { runs: 1 }, false],
  ['rpc-urls-mainnet', {}, true],
  ['rpc-urls-mainnet', { errors: 1 }, true],
  ['rpc-urls-mainnet', { errors: 0 }, false],
])('a period of %s with %o counts: %s', (name, values, isBreach) => {
  const { Metrics = [], ComparisonOperator, Threshold } = alarms.find(alarm => nameOf(alarm) === name) as Alarm
  const missing = Object.fromEntries(Metrics.map(({ Id }) => [Id, undefined]))
  const expression = Metrics.find(({ Expression }) => Expression !== undefined)?.Expression
  // If a metric without a value is not filled, the result is NaN, which is neither below nor above a threshold.
  const value = Number(runInNewContext(String(expression), { ...metricMath, ...missing, ...values }))
  expect(ComparisonOperator === 'LessThanThreshold' ? value < Threshold : value >= Threshold).toBe(isBreach)
})

test('alarms are sent to the email address of their urgency', () => {
  expect(allOf(synthesise(everythingOn), 'SNS::Subscription')).toEqual([
    { Protocol: 'email', Endpoint: 'oncall@prices.example', TopicArn: '<Alarmspage>' },
    { Protocol: 'email', Endpoint: 'team@prices.example', TopicArn: '<Alarmsticket>' },
  ])
})

test('only the alarms of the environment may publish to the topics, and only over TLS', () => {
  const alarmsArn = 'arn:<AWS::Partition>:cloudwatch:<AWS::Region>:<AWS::AccountId>:alarm:price-lookup-prod-*'
  const policyOf = (topic: string) => {
    const publish = { Action: 'sns:Publish', Resource: topic }
    const allowed = { Effect: 'Allow', Principal: { Service: 'cloudwatch.amazonaws.com' } }
    const withoutTls = { Bool: { 'aws:SecureTransport': 'false' } }
    const statements = [
      { ...publish, Effect: 'Deny', Principal: '*', Condition: withoutTls },
      { ...publish, ...allowed, Condition: { ArnLike: { 'aws:SourceArn': alarmsArn } } },
    ]
    return { Topics: [topic], PolicyDocument: { Statement: statements } }
  }
  expect(Object.keys(resourcesOf(template, 'SNS::Topic'))).toEqual(['Alarmspage', 'Alarmsticket'])
  expect(allOf(template, 'SNS::TopicPolicy')).toMatchObject(['<Alarmspage>', '<Alarmsticket>'].map(policyOf))
})
