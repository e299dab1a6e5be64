import { Duration } from 'aws-cdk-lib'
import { GraphWidget, MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch'
import type { Condition } from './alarm-conditions.ts'
import type { Edge } from './edge.ts'

const period = Duration.minutes(5)

/** Lists the conditions of the alarms on a distribution and its function. */
export function toEdgeConditions({ distribution, canonicalRequest }: Edge): readonly Condition[] {
  const ofFunction = (metricName: string) =>
    new Metric({
      namespace: 'AWS/CloudFront',
      metricName,
      dimensionsMap: { FunctionName: canonicalRequest.functionName, Region: 'Global' },
      statistic: Stats.SUM,
      period,
    })
  return [
    {
      name: 'edge-errors',
      description:
        'At least 5 % of the answers of CloudFront are 5xx. See the alarms of the API, then those of the edge.',
      metric: new MathExpression({
        // As `server-errors`: the rate, or three failures of few requests.
        expression: 'IF(requests >= 20, rate, IF(requests * rate >= 300, 100, 0))',
        usingMetrics: {
          requests: distribution.metricRequests({ period, statistic: Stats.SUM }),
          rate: distribution.metric5xxErrorRate({ period, statistic: Stats.AVERAGE }),
        },
        label: '5xx, % of requests',
        period,
      }),
      threshold: 5,
    },
    {
      name: 'edge-latency',
      description:
        'For 15 minutes, 5 % of the misses of CloudFront have taken 3 s or more. See the latency of the API.',
      metric: distribution.metricOriginLatency({ period, statistic: Stats.p(95) }),
      // A read of the chain ends within 3.5 s. `slow` reports slow reads at 2 s.
      threshold: 3_000,
      periods: 3,
    },
    {
      name: 'edge-function',
      description: 'The function of CloudFront failed, and callers got a 5xx. Roll back its last change.',
      metric: new MathExpression({
        expression: 'FILL(failed, 0) + FILL(invalid, 0)',
        usingMetrics: {
          failed: ofFunction('FunctionExecutionErrors'),
          invalid: ofFunction('FunctionValidationErrors'),
        },
        label: 'Failures of the function',
        period,
      }),
      threshold: 1,
    },
  ]
}

/** Creates the widgets of a distribution: requests and errors, latency, hits. */
export function showEdge({ distribution }: Edge): GraphWidget[] {
  const size = { width: 8, height: 6 }
  return [
    new GraphWidget({
      ...size,
      title: 'Edge: requests, and errors in %',
      left: [distribution.metricRequests({ period, statistic: Stats.SUM, label: 'requests' })],
      right: [
        distribution.metric4xxErrorRate({ period, label: '4xx' }),
        distribution.metric5xxErrorRate({ period, label: '5xx' }),
      ],
    }),
    new GraphWidget({
      ...size,
      title: 'Edge: latency of misses, ms',
      left: [50, 95].map(p => distribution.metricOriginLatency({ period, statistic: Stats.p(p), label: `p${p}` })),
    }),
    new GraphWidget({
      ...size,
      title: 'Edge: hits, % of requests',
      left: [distribution.metricCacheHitRate({ period, label: 'hits' })],
      leftYAxis: { min: 0, max: 100 },
    }),
  ]
}
