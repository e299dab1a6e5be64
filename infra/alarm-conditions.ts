import { Duration } from 'aws-cdk-lib'
import type { Stage } from 'aws-cdk-lib/aws-apigateway'
import { type IMetric, MathExpression, Stats } from 'aws-cdk-lib/aws-cloudwatch'
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import type { LogMetrics } from './log-metrics.ts'

/** What is watched. */
export interface Watched {
  readonly stage: Stage
  readonly functions: readonly WatchedFunction[]
  readonly metrics: LogMetrics
}

/** A function, and what alarms call it. */
export interface WatchedFunction {
  readonly name: string
  readonly handler: LambdaFunction
}

/** Something to tell people of: a metric that is at or above its threshold, for so many periods in a row. */
export interface Condition {
  readonly name: string
  /** What it means and what to do first, as the email quotes it; `docs/operations.md` has more. */
  readonly description: string
  readonly metric: IMetric
  readonly threshold: number
  readonly periods?: number
}

/** Lists what people are told of. */
export function toConditions({ stage, functions, metrics }: Watched): readonly Condition[] {
  return [...toApiConditions(stage), ...functions.flatMap(toFunctionConditions), ...toChainConditions(metrics)]
}

/** Long enough to hold some requests, short enough to be told within minutes. */
const period = Duration.minutes(5)

/** Shares and percentiles of fewer requests than these say nothing: one bad one in a quiet night would be all. */
const fewRequests = 20

function toApiConditions(stage: Stage): readonly Condition[] {
  const requests = stage.metricCount({ period })
  return [
    {
      name: 'server-errors',
      description: 'One answer in twenty is a 5xx. See which problem on the dashboard, then its own alarm.',
      metric: new MathExpression({
        expression: `IF(requests >= ${fewRequests}, 100 * errors / requests, 0)`,
        usingMetrics: { requests, errors: stage.metricServerError({ period, statistic: Stats.SUM }) },
        label: '5xx, % of requests',
        period,
      }),
      threshold: 5,
    },
    {
      name: 'slow',
      description:
        'One answer in twenty takes two seconds, for a quarter of an hour. See rpcMs and faults by kind: which endpoint is slow?',
      metric: new MathExpression({
        expression: `IF(requests >= ${fewRequests}, latency, 0)`,
        usingMetrics: { requests, latency: stage.metricLatency({ period, statistic: Stats.p(95) }) },
        label: 'Latency p95, ms',
        period,
      }),
      // A healthy read takes a fraction of a second, and one silent endpoint adds 0.6 s: here at least two are silent.
      threshold: 2_000,
      periods: 3,
    },
  ]
}

function toFunctionConditions({ name, handler }: WatchedFunction): readonly Condition[] {
  if (handler.timeout === undefined) throw new Error(`The function ${name} has no timeout to be near.`)
  return [
    {
      name: `${name}-errors`,
      // Every problem is an answer: what Lambda counts is a function that crashed, ran out of time or did not start.
      description:
        'The function broke without an answer. Read its log: is it the last deployment, its memory, its time?',
      metric: handler.metricErrors({ period }),
      threshold: 1,
    },
    {
      name: `${name}-throttles`,
      description: 'Lambda refused to run the function. Raise the reserved concurrency, or the quota of the account.',
      metric: handler.metricThrottles({ period }),
      threshold: 1,
    },
    {
      name: `${name}-duration`,
      description:
        'A request came close to the timeout, though its reads end long before. Read its trace: what else took time?',
      metric: handler.metricDuration({ period, statistic: Stats.MAXIMUM }),
      threshold: 0.8 * handler.timeout.toMilliseconds(),
    },
  ]
}

function toChainConditions(metrics: LogMetrics): readonly Condition[] {
  return [
    {
      name: 'chain-unavailable',
      description:
        'No RPC endpoint answers in time. See faults by kind; put other RPC URLs into the parameter if it lasts.',
      metric: metrics.chainUnavailable,
      // One is a bad moment. Three are an outage, and as many as a service with few callers has in five minutes.
      threshold: 3,
    },
    {
      name: 'last-resort',
      description:
        'The last RPC endpoint answers, those before it fail: the next failure is an outage. Repair or replace them.',
      metric: metrics.lastResort,
      // The last one may win a race now and then; for a quarter of an hour it does so because the others do not answer.
      threshold: 5,
      periods: 3,
    },
    {
      name: 'not-configured',
      description:
        'The parameter with the RPC URLs is missing or unusable. Put it right: it takes effect without a deploy.',
      metric: metrics.notConfigured,
      threshold: 1,
    },
    {
      name: 'internal',
      description: 'An unexpected error, so a bug of ours. The log line with the frames says where.',
      metric: metrics.internal,
      threshold: 1,
    },
  ]
}
