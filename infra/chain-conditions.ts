import { MathExpression, Stats } from 'aws-cdk-lib/aws-cloudwatch'
import { type Network, networks } from '../lambda/networks.ts'
import type { Condition } from './alarm-conditions.ts'
import type { LogMetrics } from './log-metrics.ts'

/** Lists the conditions of the alarms on the RPC endpoints, the feeds and the service's own problems. */
export function toChainConditions(metrics: LogMetrics): readonly Condition[] {
  return [
    ...networks.flatMap(network => toNetworkConditions(network, metrics)),
    {
      name: 'chain-unavailable',
      description:
        'No RPC endpoint answers in time. See the faults by kind. If it lasts, write other RPC URLs to the parameter.',
      metric: metrics.outcome('chain-unavailable'),
      // One may be chance. Three are an outage, even with few callers in five minutes.
      threshold: 3,
    },
    {
      name: 'feeds-unreadable',
      description:
        'Feeds have been unreadable for 15 minutes, while the chain answers. See which ones on the dashboard.',
      metric: metrics.unreadable,
      // One failure may be an endpoint's. A feed that is still unreadable after 15 minutes has changed.
      threshold: 1,
      periods: 3,
    },
    {
      name: 'not-configured',
      description:
        'The parameter with the RPC URLs is missing or unusable. Correct it: that takes effect without a deployment.',
      metric: metrics.outcome('not-configured'),
      threshold: 1,
    },
    {
      name: 'internal',
      description: 'An unexpected error, which is a bug. The log line with stack frames shows where.',
      metric: metrics.outcome('internal'),
      threshold: 1,
    },
  ]
}

/** One alarm per network, not one on the worse of both: a network without requests has no value to compare. */
function toNetworkConditions(network: Network, metrics: LogMetrics): readonly Condition[] {
  const { rpcMs, firstEndpointFaults, lastResort } = metrics
  const asked = firstEndpointFaults(network, Stats.SAMPLE_COUNT)
  return [
    {
      name: `slow-${network}`,
      section: 'slow',
      description: 'At least 5 % of the chain reads have taken 2 s or more for 15 minutes. Find the slow endpoint.',
      metric: new MathExpression({
        expression: 'IF(reads >= 10, p95, 0)',
        usingMetrics: { reads: rpcMs(network, Stats.SAMPLE_COUNT), p95: rpcMs(network, Stats.p(95)) },
        label: `Chain reads of the ${network}, p95, ms`,
      }),
      // A healthy read takes well under 1 s. One endpoint that does not answer adds 0.6 s, so here two or more do not answer.
      threshold: 2_000,
      periods: 3,
    },
    {
      name: `first-endpoint-${network}`,
      section: 'first-endpoint',
      description: 'The first RPC endpoint has failed or been slow for 15 minutes. Repair or replace it.',
      metric: new MathExpression({
        // A container asks the first endpoint once in 30 s while it fails (D24). Without callers, only the probe's two reads ask it.
        expression: 'IF(faults >= 2, 100 * faults / asked, 0)',
        usingMetrics: { faults: firstEndpointFaults(network, Stats.SUM), asked },
        label: `Faults of the first endpoint of the ${network}, % of the reads that asked it`,
      }),
      // A healthy endpoint fails in less than 1 % of the reads.
      threshold: 20,
      periods: 3,
    },
    {
      name: `last-resort-${network}`,
      section: 'last-resort',
      description:
        'Only the last RPC endpoint answers: its next failure is an outage. Repair or replace the endpoints before it.',
      metric: new MathExpression({
        expression: 'IF(last >= 2, 100 * last / asked, 0)',
        usingMetrics: { last: lastResort(network, Stats.SUM), asked },
        label: `Answers of the last endpoint of the ${network} after all others failed, % of the reads that asked the first`,
      }),
      threshold: 20,
      periods: 3,
    },
  ]
}
