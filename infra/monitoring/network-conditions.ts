import { defaultNetwork, type Network } from '../../api/networks.ts'
import type { Condition } from './alarms.ts'
import type { EndpointName, LogMetrics } from './log-metrics.ts'
import { toMath } from './metric-math.ts'

/** Each network has its own alarms, so that those of the testnet can wait. */
export function toNetworkConditions(network: Network, { count }: LogMetrics): readonly Condition[] {
  const isDefault = network === defaultNetwork
  const unavailable: Condition = {
    name: `chain-unavailable-${network}`,
    section: 'chain-unavailable',
    urgency: isDefault ? 'page' : 'ticket',
    description:
      'No RPC endpoint returns a valid reply in time. See the faults by kind. If it lasts, write other URLs to the parameter.',
    metric: count('unavailable', { network }),
    // One may be chance. Three are an outage, even with few callers. Of another network, only the probe may ask.
    ...(isDefault ? { threshold: 3 } : { threshold: 1, periods: 3 }),
  }
  const served = (endpoint: EndpointName) => count('served', { endpoint, network })
  const firstEndpoint: Condition = {
    name: `first-endpoint-${network}`,
    section: 'endpoints',
    urgency: 'ticket',
    description: 'For 15 minutes, hardly any read was served by the first RPC endpoint. Repair or replace it.',
    metric: toMath(
      `Reads of the ${network} that another endpoint than rpc-1 served, %`,
      // Without a read, the division by zero has no value, which is good.
      '100 * (FILL(rpc2, 0) + FILL(rpc3, 0)) / (FILL(rpc1, 0) + FILL(rpc2, 0) + FILL(rpc3, 0))',
      { rpc1: served('rpc-1'), rpc2: served('rpc-2'), rpc3: served('rpc-3') },
    ),
    // A dead or slow one serves 0 % at any traffic, because a container prefers another for 30 s after each attempt. One
    // that fails 1 % of the reads is passed over as long after each fault: under load, for up to 61 % of the reads.
    threshold: 90,
    periods: 3,
  }
  return isDefault ? [unavailable, firstEndpoint] : [unavailable]
}
