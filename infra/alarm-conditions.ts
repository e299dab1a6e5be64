import { Duration } from 'aws-cdk-lib'
import type { Stage } from 'aws-cdk-lib/aws-apigateway'
import { type IMetric, MathExpression, Stats } from 'aws-cdk-lib/aws-cloudwatch'
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import type { LogMetrics } from './log-metrics.ts'

/** A function, and its name in alarms. */
export interface WatchedFunction {
  readonly name: string
  readonly handler: LambdaFunction
}

/** The condition of an alarm: a metric is at or above its threshold, for a number of periods in a row; without a value, it is not. */
export interface Condition {
  readonly name: string
  /** The heading of its section in `docs/operations.md`, if that is not its name. */
  readonly section?: string
  /** The meaning and the first action, for the email. */
  readonly description: string
  readonly metric: IMetric
  readonly threshold: number
  /** 1 by default. */
  readonly periods?: number
  /** The reverse: the metric is below its threshold, or has no value. */
  readonly isBelow?: boolean
}

/** Long enough for some requests, short enough for an alarm within minutes. */
const period = Duration.minutes(5)

export function toApiConditions(stage: Stage, { serverErrors, tooManyRequests }: LogMetrics): readonly Condition[] {
  return [
    {
      name: 'server-errors',
      description: 'At least 5 % of the responses are 5xx. Find the problem on the dashboard, then see its own alarm.',
      metric: new MathExpression({
        // A rate of few requests is not significant: a single failure at night would be 100 %. Three failures are not chance.
        expression: 'IF(requests >= 20, 100 * errors / requests, IF(errors >= 3, 100, 0))',
        usingMetrics: { requests: stage.metricCount({ period }), errors: serverErrors },
        label: '5xx, % of requests',
        period,
      }),
      threshold: 5,
    },
    {
      name: 'too-many-requests',
      description: 'At least 100 requests were refused with 429. See whether it is one caller or the load.',
      metric: tooManyRequests,
      // A board sends 30 to 60 requests in five minutes, the smoke test 77. So this is a client without a pause, or many clients.
      threshold: 100,
    },
  ]
}

export function toFunctionConditions({ name, handler }: WatchedFunction): readonly Condition[] {
  if (handler.timeout === undefined)
    throw new Error(`The function ${name} has no timeout. Its duration alarm needs one.`)
  return [
    {
      name: `${name}-errors`,
      section: 'function-errors',
      // A problem is a regular response. Lambda counts a function that crashed, timed out or did not start.
      description:
        'The function failed without a response. Read its log. Check the last deployment, its memory and its timeout.',
      metric: handler.metricErrors({ period }),
      threshold: 1,
    },
    {
      name: `${name}-throttles`,
      section: 'function-throttles',
      description: 'Lambda refused to run the function. Raise the reserved concurrency or the quota of the account.',
      metric: handler.metricThrottles({ period }),
      threshold: 1,
    },
    {
      name: `${name}-duration`,
      section: 'function-duration',
      description:
        'A request took 80 % of the timeout, although its read ends long before. Find the slow part in its trace.',
      metric: handler.metricDuration({ period, statistic: Stats.MAXIMUM }),
      threshold: 0.8 * handler.timeout.toMilliseconds(),
    },
  ]
}
