import { Stats } from 'aws-cdk-lib/aws-cloudwatch'
import { defaultNetwork, type Network, networkFacts } from '../../api/networks.ts'
import type { Condition } from './alarms.ts'
import type { LogMetrics } from './log-metrics.ts'
import { toMath } from './metric-math.ts'

/** Each network has its own alarms, so that those of the testnet can wait. It has those for an outage and an old block. */
export function toNetworkConditions(network: Network, { ofNetwork }: LogMetrics): readonly Condition[] {
  const { maxHeadAgeSeconds } = networkFacts[network]
  const isDefault = network === defaultNetwork
  const unavailable: Condition = {
    name: `chain-unavailable-${network}`,
    section: 'chain-unavailable',
    urgency: isDefault ? 'page' : 'ticket',
    description:
      'No RPC endpoint returns a valid reply in time. See the faults by kind. If it lasts, write other URLs to the parameter.',
    metric: ofNetwork('unavailable', network, Stats.SUM),
    // One may be chance. Three are an outage, even with few callers. Of another network, only the probe may ask.
    ...(isDefault ? { threshold: 3 } : { threshold: 1, periods: 3 }),
  }
  const ofEndpoints: readonly Condition[] = [
    {
      name: `first-endpoint-${network}`,
      section: 'endpoints',
      urgency: 'ticket',
      description: 'The first RPC endpoint has failed or been slow for 15 minutes. Repair or replace it.',
      // After a fault, a container asks this endpoint again only after `preferenceMs`. Without callers, only the probe asks it.
      metric: toMath(
        `Faults of the first endpoint of the ${network}, % of the reads that asked it`,
        'IF(faults >= 2, 100 * faults / asked, 0)',
        {
          faults: ofNetwork('firstEndpointFaults', network, Stats.SUM),
          asked: ofNetwork('firstEndpointFaults', network, Stats.SAMPLE_COUNT),
        },
      ),
      // A healthy endpoint fails in less than 1 % of the reads.
      threshold: 20,
      periods: 3,
    },
    {
      name: `slow-${network}`,
      section: 'endpoints',
      urgency: 'ticket',
      description: 'At least 5 % of the chain reads have taken 2 s or more for 15 minutes. Find the slow endpoint.',
      metric: toMath(`Chain reads of the ${network}, p95, ms`, 'IF(reads >= 10, p95, 0)', {
        reads: ofNetwork('rpcMs', network, Stats.SAMPLE_COUNT),
        p95: ofNetwork('rpcMs', network, Stats.p(95)),
      }),
      // A healthy read takes well under 1 s. An endpoint that does not answer adds the hedging delay.
      threshold: 2_000,
      periods: 3,
    },
  ]
  const head: Condition = {
    name: `head-age-${network}`,
    section: 'endpoints',
    urgency: 'ticket',
    description: 'For 15 minutes, half of the reads have found a block that is old, although not yet refused.',
    metric: ofNetwork('headAgeSeconds', network, Stats.p(50)),
    // A healthy head is a few seconds old. Above the limit, it is the fault `old-head`.
    threshold: (maxHeadAgeSeconds ?? 0) / 2,
    periods: 3,
  }
  return [
    unavailable,
    ...(isDefault ? ofEndpoints : []),
    // A network without a limit makes no blocks when idle.
    ...(maxHeadAgeSeconds === undefined ? [] : [head]),
  ]
}
