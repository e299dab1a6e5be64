import { MathExpression, Stats } from 'aws-cdk-lib/aws-cloudwatch'
import { defaultNetwork, type Network, networkFacts } from '../../api/networks.ts'
import type { NamedEnvironment } from '../environments.ts'
import type { Condition } from './alarms.ts'
import type { LogMetrics } from './log-metrics.ts'

/**
 * Lists the conditions of the alarms on the RPC endpoints of one network.
 *
 * Each network has its own alarms, so that those of the testnet can wait.
 */
export function toNetworkConditions(
  network: Network,
  metrics: LogMetrics,
  { agreement }: NamedEnvironment,
): readonly Condition[] {
  const { ofNetwork } = metrics
  const isDefault = network === defaultNetwork
  return [
    {
      name: `chain-unavailable-${network}`,
      section: 'chain-unavailable',
      urgency: isDefault ? 'page' : 'ticket',
      description:
        'No RPC endpoint returns a valid reply in time. See the faults by kind. If it lasts, write other URLs to the parameter.',
      metric: ofNetwork('unavailable', network, Stats.SUM),
      // One may be chance. Three are an outage, even with few callers in five minutes.
      threshold: 3,
    },
    // Other networks have alarms for an outage and an old block only.
    ...(isDefault && agreement === 2 ? [toDisagreementCondition(network, metrics)] : []),
    ...(isDefault ? [toFirstEndpointCondition(network, metrics), toSlowCondition(network, metrics)] : []),
    ...toHeadCondition(network, metrics),
  ]
}

function toDisagreementCondition(network: Network, { count }: LogMetrics): Condition {
  return {
    name: `disagreement-${network}`,
    section: 'disagreement',
    urgency: 'page',
    description:
      'RPC endpoints returned different rows or blocks too far apart, so no price is served. Find and remove the wrong one.',
    metric: count('faults', { kind: 'disagreement', network }),
    // One may be chance: a price changed between the blocks of two endpoints.
    threshold: 3,
  }
}

function toFirstEndpointCondition(network: Network, { ofNetwork }: LogMetrics): Condition {
  return {
    name: `first-endpoint-${network}`,
    section: 'first-endpoint',
    urgency: 'ticket',
    description: 'The first RPC endpoint has failed or been slow for 15 minutes. Repair or replace it.',
    metric: new MathExpression({
      // After a fault, a container asks this endpoint again only after 30 s. Without callers, only the probe asks it.
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
    // A healthy read takes well under 1 s. An endpoint that does not answer adds 0.6 s. At 2 s, there are at least two.
    threshold: 2_000,
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
      // A healthy head is a few seconds old. Above the limit, it is the fault `old-head`.
      threshold: maxHeadAgeSeconds / 2,
      periods: 3,
    },
  ]
}
