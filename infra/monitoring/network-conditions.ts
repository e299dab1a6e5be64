import { defaultNetwork, type Network } from '../../api/networks.ts'
import type { Condition } from './alarms.ts'
import type { LogMetrics } from './log-metrics.ts'
import { toMath } from './metric-math.ts'

/** The alarm of a network that cannot be read. That of the testnet can wait. */
export function toUnavailableCondition(network: Network, { count }: LogMetrics): Condition {
  const isDefault = network === defaultNetwork
  const served = isDefault
    ? 'can be served'
    : 'could be served in three periods of five minutes, within some 25 minutes'
  return {
    name: `chain-unavailable-${network}`,
    section: 'chain-unavailable',
    urgency: isDefault ? 'page' : 'ticket',
    description:
      `No reading of the chain ${served}: no RPC endpoint returns a valid reply in time, or Parameter Store fails. ` +
      'See the faults by kind. If the outage lasts, write other URLs to the parameter.',
    metric: count('unavailable', { network }),
    // One failed request may be chance. Three are an outage, even with few callers. On another network, the probe may
    // be the only caller, so one failure in each of three periods is enough.
    ...(isDefault ? { threshold: 3 } : { threshold: 1, periods: 3 }),
  }
}

/** The alarm of the first endpoint of the default network. */
export function toFirstEndpointCondition({ count }: LogMetrics): Condition {
  const ofFirst = { endpoint: 'rpc-1', network: defaultNetwork } as const
  return {
    name: `first-endpoint-${defaultNetwork}`,
    section: 'endpoints',
    urgency: 'ticket',
    description:
      'In 20 of 30 minutes, at least 25 % of the attempts at the first RPC endpoint failed. See its faults by kind.',
    metric: toMath(
      `Attempts at rpc-1 of the ${defaultNetwork} that failed, %`,
      // Without an attempt, the division by zero has no value, which does not meet the condition.
      '100 * FILL(failed, 0) / (FILL(failed, 0) + FILL(served, 0))',
      { failed: count('failed', ofFirst), served: count('served', ofFirst) },
    ),
    // The percentage is of attempts, not of reads. After a fault, a container asks another endpoint first for 30 s, so
    // the share of reads that rpc-1 serves depends on the traffic. With the probe's requests alone, a period has two
    // attempts, so one fault is 50 %. By simulation, at any traffic: an endpoint that fails 2 % of its attempts meets
    // this at most once in months; 25 %, some 20 times a day; half, for at least 83 % of the time; every attempt,
    // always.
    threshold: 25,
    periods: 6,
    datapointsToAlarm: 4,
  }
}
