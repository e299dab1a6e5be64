import { Duration } from 'aws-cdk-lib'
import type { Stage } from 'aws-cdk-lib/aws-apigateway'
import { type IMetric, MathExpression } from 'aws-cdk-lib/aws-cloudwatch'
import { networks } from '../../api/networks.ts'
import type { NamedEnvironment } from '../environments.ts'
import type { RouteFunction } from '../functions/route-function.ts'
import type { Condition } from './alarms.ts'
import type { LogMetrics } from './log-metrics.ts'
import { toNetworkConditions } from './network-conditions.ts'

/** Long enough for some requests, short enough for an alarm within minutes. */
const period = Duration.minutes(5)

/** Lists the conditions of the alarms on the stage, the functions, the RPC endpoints, the feeds and some problems. */
export function toConditions(
  stage: Stage,
  functions: readonly RouteFunction[],
  metrics: LogMetrics,
  environment: NamedEnvironment,
): readonly Condition[] {
  return [
    ...toResponseConditions(stage, metrics),
    ...toFunctionConditions(functions),
    ...networks.flatMap(network => toNetworkConditions(network, metrics, environment)),
    ...toProblemConditions(metrics),
  ]
}

function toResponseConditions(stage: Stage, { count }: LogMetrics): readonly Condition[] {
  return [
    {
      name: 'server-errors',
      urgency: 'page',
      description: 'At least 5 % of the responses are 5xx. Find the problem on the dashboard, then see its own alarm.',
      metric: new MathExpression({
        // A rate of few requests means little: at night, one failure would be 100 %. Three failures are not chance.
        expression: 'IF(requests >= 20, 100 * errors / requests, IF(errors >= 3, 100, 0))',
        usingMetrics: { requests: stage.metricCount({ period }), errors: count('serverErrors') },
        label: '5xx, % of requests',
        period,
      }),
      threshold: 5,
    },
    {
      name: 'too-many-requests',
      urgency: 'ticket',
      description: 'At least 100 requests were refused with 429. See whether it is one caller or the load.',
      metric: count('tooManyRequests'),
      // A board sends 30 to 60 requests in five minutes, the smoke test some 90. More: many clients, or one without a pause.
      threshold: 100,
    },
  ]
}

function toProblemConditions({ count }: LogMetrics): readonly Condition[] {
  return [
    {
      name: 'feeds-unreadable',
      urgency: 'ticket',
      description: 'Feeds have been unreadable for 15 minutes, while the chain answers. The request log names them.',
      metric: count('unreadable'),
      // One failure may be an endpoint's. A feed that is still unreadable after 15 minutes has changed.
      threshold: 1,
      periods: 3,
    },
    {
      name: 'not-configured',
      urgency: 'page',
      description:
        'The parameter with the RPC URLs is missing or unusable. Correct it: that takes effect without a deployment.',
      metric: count('outcome', { outcome: 'not-configured' }),
      threshold: 1,
    },
    {
      name: 'internal',
      urgency: 'ticket',
      description: 'An unexpected error, which is a bug. The log line with stack frames shows where.',
      metric: count('outcome', { outcome: 'internal' }),
      threshold: 1,
    },
  ]
}

/** Counts the aliases alone. Before its alias moves, a deployment invokes a new version, whose failure ends it. */
function toFunctionConditions(functions: readonly RouteFunction[]): readonly Condition[] {
  return [
    {
      name: 'function-errors',
      // The callers' 5xx are those of `server-errors`, which pages.
      urgency: 'ticket',
      // A problem is a regular response. Lambda counts a function that crashed, timed out or did not start.
      description:
        'A function failed without a response. Read its log. Check the last deployment, its memory and its timeout.',
      metric: toSum(
        'Errors of the functions',
        functions.map(({ alias }) => alias.metricErrors({ period })),
      ),
      threshold: 1,
    },
    {
      name: 'function-throttles',
      urgency: 'ticket',
      description:
        'Lambda refused to run a function. See first whether `chain-unavailable` rings too, then the limits.',
      metric: toSum(
        'Throttles of the functions',
        functions.map(({ alias }) => alias.metricThrottles({ period })),
      ),
      threshold: 1,
    },
  ]
}

/** Adds metrics up. A function without invocations has no value, which counts as 0. */
function toSum(label: string, metrics: readonly IMetric[]): MathExpression {
  const byId = metrics.map((metric, index) => [`f${index}`, metric] as const)
  return new MathExpression({
    expression: byId.map(([id]) => `FILL(${id}, 0)`).join(' + '),
    usingMetrics: Object.fromEntries(byId),
    label,
    period,
  })
}
