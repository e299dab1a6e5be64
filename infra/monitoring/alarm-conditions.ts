import { Duration } from 'aws-cdk-lib'
import type { Stage } from 'aws-cdk-lib/aws-apigateway'
import { MathExpression, Stats } from 'aws-cdk-lib/aws-cloudwatch'
import { defaultNetwork, type Network, networkFacts, networks } from '../../lambda/networks.ts'
import type { RouteFunction } from '../functions/route-function.ts'
import type { Condition } from './alarms.ts'
import type { LogMetrics } from './log-metrics.ts'

/** Long enough for some requests, short enough for an alarm within minutes. */
const period = Duration.minutes(5)

/** Lists the conditions of the alarms on the stage, the functions, the RPC endpoints, the feeds and the service's own problems. */
export function toConditions(
  stage: Stage,
  functions: readonly RouteFunction[],
  metrics: LogMetrics,
): readonly Condition[] {
  return [
    {
      name: 'server-errors',
      urgency: 'page',
      description: 'At least 5 % of the responses are 5xx. Find the problem on the dashboard, then see its own alarm.',
      metric: new MathExpression({
        // A rate of few requests is not significant: a single failure at night would be 100 %. Three failures are not chance.
        expression: 'IF(requests >= 20, 100 * errors / requests, IF(errors >= 3, 100, 0))',
        usingMetrics: { requests: stage.metricCount({ period }), errors: metrics.count('serverErrors') },
        label: '5xx, % of requests',
        period,
      }),
      threshold: 5,
    },
    {
      name: 'too-many-requests',
      urgency: 'ticket',
      description: 'At least 100 requests were refused with 429. See whether it is one caller or the load.',
      metric: metrics.count('tooManyRequests'),
      // A board sends 30 to 60 requests in five minutes, the smoke test 77. So this is a client without a pause, or many clients.
      threshold: 100,
    },
    ...functions.flatMap(toFunctionConditions),
    ...networks.flatMap(network => toNetworkConditions(network, metrics)),
    {
      name: 'feeds-unreadable',
      urgency: 'ticket',
      description:
        'Feeds have been unreadable for 15 minutes, while the chain answers. See which ones on the dashboard.',
      metric: metrics.count('unreadable'),
      // One failure may be an endpoint's. A feed that is still unreadable after 15 minutes has changed.
      threshold: 1,
      periods: 3,
    },
    {
      name: 'not-configured',
      urgency: 'page',
      description:
        'The parameter with the RPC URLs is missing or unusable. Correct it: that takes effect without a deployment.',
      metric: metrics.count('outcome', { outcome: 'not-configured' }),
      threshold: 1,
    },
    {
      name: 'internal',
      urgency: 'ticket',
      description: 'An unexpected error, which is a bug. The log line with stack frames shows where.',
      metric: metrics.count('outcome', { outcome: 'internal' }),
      threshold: 1,
    },
  ]
}

function toFunctionConditions({ name, handler }: RouteFunction): readonly Condition[] {
  return [
    {
      name: `${name}-errors`,
      section: 'function-errors',
      urgency: 'page',
      // A problem is a regular response. Lambda counts a function that crashed, timed out or did not start.
      description:
        'The function failed without a response. Read its log. Check the last deployment, its memory and its timeout.',
      metric: handler.metricErrors({ period }),
      threshold: 1,
    },
    {
      name: `${name}-throttles`,
      section: 'function-throttles',
      urgency: 'page',
      description: 'Lambda refused to run the function. Raise the reserved concurrency or the quota of the account.',
      metric: handler.metricThrottles({ period }),
      threshold: 1,
    },
  ]
}

/** One alarm per network, not one on the worse of both: a network without requests has no value to compare. */
function toNetworkConditions(network: Network, metrics: LogMetrics): readonly Condition[] {
  const { ofNetwork } = metrics
  const isDefault = network === defaultNetwork
  const urgency = isDefault ? 'page' : 'ticket'
  return [
    {
      name: `chain-unavailable-${network}`,
      section: 'chain-unavailable',
      urgency,
      description:
        'No RPC endpoint answers in time. See the faults by kind. If it lasts, write other RPC URLs to the parameter.',
      metric: ofNetwork('unavailable', network, Stats.SUM),
      // One may be chance. Three are an outage, even with few callers in five minutes.
      threshold: 3,
    },
    {
      name: `disagreement-${network}`,
      section: 'disagreement',
      urgency,
      description:
        'Two RPC endpoints returned different rows, so no price is served. Find the wrong one and remove it.',
      metric: metrics.ofFault('disagreement', network),
      threshold: 1,
    },
    toFirstEndpointCondition(network, metrics),
    // Callers of another network than the default one accept a slow answer, and its chain makes no blocks when idle.
    ...(isDefault ? [toSlowCondition(network, metrics), toLastResortCondition(network, metrics)] : []),
    ...toHeadCondition(network, metrics),
  ]
}

function toFirstEndpointCondition(network: Network, { ofNetwork }: LogMetrics): Condition {
  return {
    name: `first-endpoint-${network}`,
    section: 'first-endpoint',
    urgency: 'ticket',
    description: 'The first RPC endpoint has failed or been slow for 15 minutes. Repair or replace it.',
    metric: new MathExpression({
      // A container asks the first endpoint once in 30 s while it fails (D24). Without callers, only the probe's two reads ask it.
      expression: 'IF(faults >= 2, 100 * faults / asked, 0)',
      usingMetrics: {
        faults: ofNetwork('firstEndpointFaults', network, Stats.SUM),
        asked: ofNetwork('firstEndpointFaults', network, Stats.SAMPLE_COUNT),
      },
      label: `Faults of the first endpoint of the ${network}, % of the reads that asked it`,
    }),
    // A healthy endpoint fails in less than 1 % of the reads.
    threshold: 20,
    periods: 3,
  }
}

function toSlowCondition(network: Network, { ofNetwork }: LogMetrics): Condition {
  return {
    name: `slow-${network}`,
    section: 'slow',
    urgency: 'ticket',
    description: 'At least 5 % of the chain reads have taken 2 s or more for 15 minutes. Find the slow endpoint.',
    metric: new MathExpression({
      expression: 'IF(reads >= 10, p95, 0)',
      usingMetrics: {
        reads: ofNetwork('rpcMs', network, Stats.SAMPLE_COUNT),
        p95: ofNetwork('rpcMs', network, Stats.p(95)),
      },
      label: `Chain reads of the ${network}, p95, ms`,
    }),
    // A healthy read takes well under 1 s. One endpoint that does not answer adds 0.6 s, so here two or more do not answer.
    threshold: 2_000,
    periods: 3,
  }
}

function toLastResortCondition(network: Network, { ofNetwork }: LogMetrics): Condition {
  return {
    name: `last-resort-${network}`,
    section: 'last-resort',
    urgency: 'ticket',
    description:
      'Only the last RPC endpoint answers: its next failure is an outage. Repair or replace the endpoints before it.',
    metric: new MathExpression({
      expression: 'IF(last >= 2, 100 * last / asked, 0)',
      usingMetrics: {
        last: ofNetwork('lastResort', network, Stats.SUM),
        asked: ofNetwork('firstEndpointFaults', network, Stats.SAMPLE_COUNT),
      },
      label: `Answers of the last endpoint of the ${network} after all others failed, % of the reads that asked the first`,
    }),
    threshold: 20,
    periods: 3,
  }
}

/** A network without a limit has no alarm on its head: its chain makes no blocks when idle. */
function toHeadCondition(network: Network, { ofNetwork }: LogMetrics): readonly Condition[] {
  const { maxHeadAgeSeconds } = networkFacts[network]
  if (maxHeadAgeSeconds === undefined) return []
  return [
    {
      name: `head-age-${network}`,
      section: 'head-age',
      urgency: 'ticket',
      description: 'For 15 minutes, half of the reads have found a block that is old, although not yet refused.',
      metric: ofNetwork('headAgeSeconds', network, Stats.p(50)),
      // A healthy head is a few seconds old. From the limit on, it is the fault `old-head`, and `chain-unavailable` follows.
      threshold: maxHeadAgeSeconds / 2,
      periods: 3,
    },
  ]
}
