import { Duration } from 'aws-cdk-lib'
import { type IWidget, MathExpression, Metric, type MetricOptions, Stats } from 'aws-cdk-lib/aws-cloudwatch'
import type { Condition } from '../monitoring/alarms.ts'
import { toGraph } from '../monitoring/dashboard.ts'
import type { Edge } from './distribution.ts'

const period = Duration.minutes(5)

/** Lists the conditions of the alarms on a distribution and its function. */
export function toEdgeConditions(edge: Edge): readonly Condition[] {
  return [
    {
      name: 'edge-errors',
      urgency: 'page',
      description:
        'At least 5 % of the responses of CloudFront are 5xx. See the alarms of the API, then those of the edge.',
      metric: new MathExpression({
        // As `server-errors`: the rate, or three failures of few requests.
        expression: 'IF(requests >= 20, rate, IF(requests * rate >= 300, 100, 0))',
        usingMetrics: {
          requests: ofDistribution(edge, 'Requests', { statistic: Stats.SUM }),
          rate: ofDistribution(edge, '5xxErrorRate'),
        },
        label: '5xx, % of requests',
        period,
      }),
      threshold: 5,
    },
    {
      name: 'edge-latency',
      urgency: 'ticket',
      description:
        'For 15 minutes, 5 % of the misses of CloudFront have taken 3 s or more. See the latency of the API.',
      metric: ofDistribution(edge, 'OriginLatency', { statistic: Stats.p(95) }),
      // A read of the chain ends within 3.5 s. `slow` reports slow reads at 2 s.
      threshold: 3_000,
      periods: 3,
    },
    toFunctionCondition(edge),
  ]
}

function toFunctionCondition({ canonicalRequest: { functionName: FunctionName } }: Edge): Condition {
  return {
    name: 'edge-function',
    urgency: 'page',
    description: 'The function of CloudFront failed, and callers got a 5xx. Deploy the previous version.',
    metric: new MathExpression({
      expression: 'FILL(failed, 0) + FILL(invalid, 0)',
      usingMetrics: {
        failed: toMetric('FunctionExecutionErrors', { FunctionName }, { statistic: Stats.SUM }),
        invalid: toMetric('FunctionValidationErrors', { FunctionName }, { statistic: Stats.SUM }),
      },
      label: 'Failures of the function',
      period,
    }),
    threshold: 1,
  }
}

/** Lists the widgets of a distribution: requests and errors, latency, hits. */
export function toEdgeWidgets(edge: Edge): IWidget[] {
  return [
    toGraph(
      'Edge: requests, and errors in %',
      [ofDistribution(edge, 'Requests', { statistic: Stats.SUM, label: 'requests' })],
      { right: ['4xx', '5xx'].map(label => ofDistribution(edge, `${label}ErrorRate`, { label })) },
    ),
    toGraph(
      'Edge: latency of misses, ms',
      [50, 95].map(p => ofDistribution(edge, 'OriginLatency', { statistic: Stats.p(p), label: `p${p}` })),
    ),
    toGraph('Edge: hits, % of requests', [ofDistribution(edge, 'CacheHitRate', { label: 'hits' })], {
      leftYAxis: { min: 0, max: 100 },
    }),
  ]
}

function ofDistribution({ distribution }: Edge, metricName: string, options: MetricOptions = {}): Metric {
  return toMetric(metricName, { DistributionId: distribution.distributionId }, options)
}

/** The distribution's own methods leave out the dimension `Region`. @see https://github.com/aws/aws-cdk/issues/19245 */
function toMetric(metricName: string, dimensions: Readonly<Record<string, string>>, options: MetricOptions): Metric {
  return new Metric({
    namespace: 'AWS/CloudFront',
    metricName,
    dimensionsMap: { ...dimensions, Region: 'Global' },
    statistic: Stats.AVERAGE,
    period,
    ...options,
  })
}
