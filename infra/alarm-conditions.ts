import { Duration } from 'aws-cdk-lib'
import type { Stage } from 'aws-cdk-lib/aws-apigateway'
import { type IMetric, MathExpression, Stats } from 'aws-cdk-lib/aws-cloudwatch'
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import type { LogMetrics } from './log-metrics.ts'

/** The sources of the alarms' metrics. */
export interface Watched {
  readonly stage: Stage
  readonly functions: readonly WatchedFunction[]
  readonly metrics: LogMetrics
}

/** A function, and its name in alarms. */
export interface WatchedFunction {
  readonly name: string
  readonly handler: LambdaFunction
}

/** The condition of an alarm: a metric is at or above its threshold, for a number of periods in a row. */
export interface Condition {
  readonly name: string
  /** The meaning and the first action, for the email. `docs/operations.md` has more. */
  readonly description: string
  readonly metric: IMetric
  readonly threshold: number
  /** 1 by default. */
  readonly periods?: number
}

/** Lists the conditions of all alarms. */
export function toConditions({ stage, functions, metrics }: Watched): readonly Condition[] {
  return [...toApiConditions(stage), ...functions.flatMap(toFunctionConditions), ...toChainConditions(metrics)]
}

/** Long enough for some requests, short enough for an alarm within minutes. */
const period = Duration.minutes(5)

/** Rates and percentiles of fewer requests are not significant: a single failure at night would be 100 %. */
const fewRequests = 20

function toApiConditions(stage: Stage): readonly Condition[] {
  const requests = stage.metricCount({ period })
  return [
    {
      name: 'server-errors',
      description: 'At least 5 % of the responses are 5xx. Find the problem on the dashboard, then see its own alarm.',
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
        'At least 5 % of the responses have taken 2 s or more for 15 minutes. Find the slow endpoint: see rpcMs and the faults by kind.',
      metric: new MathExpression({
        expression: `IF(requests >= ${fewRequests}, latency, 0)`,
        usingMetrics: { requests, latency: stage.metricLatency({ period, statistic: Stats.p(95) }) },
        label: 'Latency p95, ms',
        period,
      }),
      // A healthy read takes well under 1 s. One endpoint that does not answer adds 0.6 s, so here two or more do not answer.
      threshold: 2_000,
      periods: 3,
    },
  ]
}

function toFunctionConditions({ name, handler }: WatchedFunction): readonly Condition[] {
  if (handler.timeout === undefined)
    throw new Error(`The function ${name} has no timeout. Its duration alarm needs one.`)
  return [
    {
      name: `${name}-errors`,
      // A problem is a regular response. Lambda counts a function that crashed, timed out or did not start.
      description:
        'The function failed without a response. Read its log. Check the last deployment, its memory and its timeout.',
      metric: handler.metricErrors({ period }),
      threshold: 1,
    },
    {
      name: `${name}-throttles`,
      description: 'Lambda refused to run the function. Raise the reserved concurrency or the quota of the account.',
      metric: handler.metricThrottles({ period }),
      threshold: 1,
    },
    {
      name: `${name}-duration`,
      description:
        'A request took 80 % of the timeout, although its read ends long before. Find the slow part in its trace.',
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
        'No RPC endpoint answers in time. See the faults by kind. If it lasts, write other RPC URLs to the parameter.',
      metric: metrics.chainUnavailable,
      // One may be chance. Three are an outage, even with few callers in five minutes.
      threshold: 3,
    },
    {
      name: 'last-resort',
      description:
        'Only the last RPC endpoint answers: its next failure is an outage. Repair or replace the endpoints before it.',
      metric: metrics.lastResort,
      // The last endpoint may answer first now and then. If it does for 15 minutes, the others do not answer.
      threshold: 5,
      periods: 3,
    },
    {
      name: 'not-configured',
      description:
        'The parameter with the RPC URLs is missing or unusable. Correct it: that takes effect without a deployment.',
      metric: metrics.notConfigured,
      threshold: 1,
    },
    {
      name: 'internal',
      description: 'An unexpected error, which is a bug. The log line with stack frames shows where.',
      metric: metrics.internal,
      threshold: 1,
    },
  ]
}
