import { Duration } from 'aws-cdk-lib'
import type { Stage } from 'aws-cdk-lib/aws-apigateway'
import { type IMetric, MathExpression, Stats } from 'aws-cdk-lib/aws-cloudwatch'
import type { Function as NodeFunction } from 'aws-cdk-lib/aws-lambda'
import { defaultNetwork, type Network, networkFacts, networks } from '../../api/networks.ts'
import type { NamedEnvironment } from '../environments.ts'
import type { RouteFunction } from '../functions/route-function.ts'
import type { Condition } from './alarms.ts'
import type { LogMetrics } from './log-metrics.ts'

/** What the conditions are about. */
interface Sources {
  readonly environment: NamedEnvironment
  readonly stage: Stage
  readonly functions: readonly RouteFunction[]
  /** Undefined in an environment without one. */
  readonly probe: NodeFunction | undefined
  readonly metrics: LogMetrics
}

/** Long enough for some requests, short enough for an alarm within minutes. */
const period = Duration.minutes(5)

/** Lists the conditions of all alarms. Periods are of five minutes. */
export function toConditions({ environment, stage, functions, probe, metrics }: Sources): readonly Condition[] {
  const { count } = metrics
  const aliases = functions.map(({ alias }) => alias)
  return [
    {
      name: 'server-errors',
      urgency: 'page',
      // Without what has its own alarms: feeds that cannot be read, and a chain that is unavailable.
      description:
        'At least 5 % of the responses are 5xx of the gateway or a bug. Find the problem in the request log.',
      // A rate of few requests means little: at night, one failure would be 100 %. Three failures are not chance.
      metric: toMath('5xx, % of requests', 'IF(requests >= 20, 100 * errors / requests, IF(errors >= 3, 100, 0))', {
        requests: stage.metricCount({ period }),
        errors: count('serverErrors'),
      }),
      threshold: 5,
    },
    {
      name: 'too-many-requests',
      urgency: 'ticket',
      description: 'For 15 minutes, 100 requests or more were refused with 429 in each five. Find their caller.',
      metric: count('tooManyRequests'),
      // A board sends 30 to 60 requests in five minutes, the smoke test some 90. More: many clients, or one without a pause.
      threshold: 100,
      periods: 3,
    },
    {
      name: 'high-load',
      section: 'too-many-requests',
      urgency: 'ticket',
      description: 'For 15 minutes, there were more requests than half of the limit of one method. They cost money.',
      metric: stage.metricCount({ period }),
      // Below the limit, nothing is refused, so no other alarm reports what the requests cost.
      threshold: (environment.throttling.requestsPerSecond / 2) * period.toSeconds(),
      periods: 3,
    },
    // The aliases alone. Before its alias moves, a deployment invokes a new version, whose failure ends it.
    {
      name: 'function-errors',
      // The callers' 5xx are those of `server-errors`, which pages.
      urgency: 'ticket',
      // A problem is a regular response. Lambda counts a function that crashed, timed out or did not start.
      description:
        'A function failed without a response. Read its log. Check the last deployment, its memory and its timeout.',
      metric: toSum(
        'Errors of the functions',
        aliases.map(alias => alias.metricErrors({ period })),
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
        aliases.map(alias => alias.metricThrottles({ period })),
      ),
      threshold: 1,
    },
    ...networks.flatMap(network => toNetworkConditions(network, metrics, environment)),
    {
      name: 'parameter-store',
      urgency: 'ticket',
      description:
        'Parameter Store has failed for 15 minutes. Containers serve with the URLs that they have, new ones cannot.',
      metric: toSum(
        'Faults of Parameter Store',
        networks.map(network => count('faults', { kind: 'parameter-store', network })),
      ),
      threshold: 1,
      periods: 3,
    },
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
    ...(probe === undefined ? [] : toProbeConditions(probe)),
  ]
}

/** Each network has its own alarms, so that those of the testnet can wait. It has those for an outage and an old block. */
function toNetworkConditions(
  network: Network,
  { count, ofNetwork }: LogMetrics,
  { agreement }: NamedEnvironment,
): readonly Condition[] {
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
  const disagreement: Condition = {
    name: `disagreement-${network}`,
    section: 'disagreement',
    // If no price can be served any more, `chain-unavailable` pages.
    urgency: 'ticket',
    description: 'RPC endpoints returned different rows, or blocks too far apart. Find and remove the wrong endpoint.',
    metric: count('faults', { kind: 'disagreement', network }),
    // One may be chance: a price changed between the blocks of two endpoints.
    threshold: 3,
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
    ...(isDefault && agreement === 2 ? [disagreement] : []),
    ...(isDefault ? ofEndpoints : []),
    // A network without a limit makes no blocks when idle.
    ...(maxHeadAgeSeconds === undefined ? [] : [head]),
  ]
}

function toProbeConditions(probe: NodeFunction): readonly Condition[] {
  return [
    {
      name: 'probe-failed',
      section: 'probe',
      urgency: 'page',
      description:
        'Two runs of the probe in a row have failed at the public URL. Its lines in the request log name the checks.',
      metric: probe.metricErrors({ period }),
      threshold: 1,
      periods: 2,
    },
    {
      name: 'probe-silent',
      section: 'probe',
      urgency: 'page',
      description:
        'The probe has not run for 15 minutes. Check its schedule, its function and the quota of the account.',
      // Filled: in place of missing values, an alarm takes older ones, and would ring after 25 minutes or more.
      metric: toMath('Runs of the probe', 'FILL(runs, 0)', { runs: probe.metricInvocations({ period }) }),
      threshold: 1,
      periods: 3,
      isBelow: true,
    },
  ]
}

function toMath(label: string, expression: string, usingMetrics: Record<string, IMetric>): MathExpression {
  return new MathExpression({ label, expression, usingMetrics, period })
}

/** Adds metrics up. A function without invocations has no value, which counts as 0. */
function toSum(label: string, metrics: readonly IMetric[]): MathExpression {
  const byId = metrics.map((metric, index) => [`f${index}`, metric] as const)
  return toMath(label, byId.map(([id]) => `FILL(${id}, 0)`).join(' + '), Object.fromEntries(byId))
}
