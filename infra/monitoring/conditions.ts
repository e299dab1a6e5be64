import { Duration } from 'aws-cdk-lib'
import type { Stage } from 'aws-cdk-lib/aws-apigateway'
import { Stats } from 'aws-cdk-lib/aws-cloudwatch'
import type { Function as NodeFunction } from 'aws-cdk-lib/aws-lambda'
import { defaultNetwork, type Network, networks } from '../../api/networks.ts'
import type { NamedEnvironment } from '../environments.ts'
import type { RouteFunction } from '../functions/route-function.ts'
import type { Condition } from './alarms.ts'
import type { LogMetrics } from './log-metrics.ts'
import { period, toMath, toSum } from './metric-math.ts'

interface Sources {
  readonly environment: NamedEnvironment
  readonly stage: Stage
  readonly functions: readonly RouteFunction[]
  /** The functions that check the service and the RPC URLs, where the environment has them. */
  readonly checks: { readonly probe: NodeFunction; readonly rpcCheck: NodeFunction } | undefined
  readonly metrics: LogMetrics
}

/** Lists the conditions of all alarms. Periods are of five minutes, but that of `rpc-urls` is an hour. */
export function listConditions({ environment, stage, functions, checks, metrics }: Sources): readonly Condition[] {
  const { count } = metrics
  return [
    {
      name: 'server-errors',
      urgency: 'page',
      // Without the problems `feed-unreadable` and `chain-unavailable`, which have alarms of their own.
      description:
        'At least 5 % of the responses, three or more, are 5xx other than `feed-unreadable` and `chain-unavailable`. ' +
        'Find the problem in the request log.',
      // A rate of few requests means little: of the probe's four requests alone, one failure is 25 %. Three failures
      // are not chance.
      metric: toMath('5xx, % of requests', 'IF(errors >= 3, 100 * errors / requests, 0)', {
        requests: stage.metricCount({ period }),
        errors: count('serverErrors'),
      }),
      threshold: 5,
    },
    {
      name: 'too-many-requests',
      urgency: 'ticket',
      description:
        'In each of three periods of five minutes, within some 25 minutes, 100 requests or more were refused with 429. ' +
        'Find their callers.',
      metric: count('tooManyRequests'),
      // A visible board sends at most 50 requests in five minutes, and at most 30 while they are refused. The smoke
      // test sends some 90. More requests are those of many clients, or of one that makes no pause.
      threshold: 100,
      periods: 3,
    },
    {
      name: 'high-load',
      section: 'too-many-requests',
      urgency: 'ticket',
      description: 'For 15 minutes, there were more requests than half of the limit of one method. They cost money.',
      metric: stage.metricCount({ period }),
      // Below the limit, few requests are refused or none, so no other alarm reports what the others cost.
      threshold: (environment.throttling.requestsPerSecond / 2) * period.toSeconds(),
      periods: 3,
    },
    {
      name: 'slow',
      section: 'endpoints',
      urgency: 'ticket',
      description: 'For 15 minutes, at least 5 % of the responses took 2 s or more. Find the slow endpoint.',
      // The p95 of fewer requests is that of a single one. The probe alone makes two for each network.
      metric: toMath('Latency of the responses, p95, ms', 'IF(requests >= 10, p95, 0)', {
        requests: stage.metricCount({ period }),
        p95: stage.metricLatency({ period, statistic: Stats.p(95) }),
      }),
      // A healthy read takes well under 1 s. An endpoint that does not answer adds the hedging delay.
      threshold: 2_000,
      periods: 3,
    },
    // The metric is of the aliases alone: a deployment invokes a new version before the alias moves to it, and a
    // failure of that version ends the deployment.
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
    ...networks.map(network => toUnavailableCondition(network, metrics)),
    toFirstEndpointCondition(metrics),
    {
      name: 'parameter-store',
      urgency: 'ticket',
      description:
        'For 15 minutes, RPC URLs could not be loaded: Parameter Store fails, or a parameter is unusable. Containers ' +
        'serve with the URLs that they have, new ones cannot.',
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
      description:
        'In three periods of five minutes, within some 25 minutes, feeds were unreadable while the chain answered. The ' +
        'request log names them.',
      metric: count('unreadable'),
      // One failure may be temporary. If a feed is unreadable in three periods, the feed has changed or its endpoint
      // fails.
      threshold: 1,
      periods: 3,
    },
    {
      name: 'not-configured',
      urgency: 'page',
      description:
        'A parameter with RPC URLs is missing or unusable, or the functions may not read it. Correct the parameter or ' +
        'the permission: that takes effect without a deployment.',
      metric: count('outcome', { outcome: 'not-configured' }),
      threshold: 1,
    },
    {
      name: 'internal',
      urgency: 'ticket',
      description: 'An unexpected error occurred, which is a bug. The log line with stack frames shows where.',
      metric: count('outcome', { outcome: 'internal' }),
      threshold: 1,
    },
    ...(checks === undefined ? [] : [...toProbeConditions(checks.probe), toRpcCheckCondition(checks.rpcCheck)]),
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
      // Missing values are filled with 0: an alarm takes older values in place of missing ones, and would go into ALARM
      // after 25 minutes or more.
      metric: toMath('Runs of the probe', 'FILL(runs, 0)', { runs: probe.metricInvocations({ period }) }),
      threshold: 1,
      periods: 3,
      isBelow: true,
    },
  ]
}

function toRpcCheckCondition(rpcCheck: NodeFunction): Condition {
  const hour = Duration.hours(1)
  return {
    name: `rpc-urls-${defaultNetwork}`,
    section: 'endpoints',
    urgency: 'ticket',
    description:
      `In five of six hours, the check of the RPC URLs of the ${defaultNetwork} failed or did not run. It fails if they ` +
      'could not be loaded, one does not work, two are equal or do not agree, or a feed differs from the registry. The ' +
      'log has what was found.',
    // A period without a run has no value. It counts as one with a run that failed.
    metric: toMath(
      `Runs of the check of the ${defaultNetwork} that succeeded`,
      '1 - FILL(errors, 1)',
      { errors: rpcCheck.metricErrors({ period: hour }) },
      hour,
    ),
    threshold: 1,
    // A run makes three requests at each endpoint that are repeated after a rate limit alone, and fails if one of them
    // fails. If an endpoint fails 5 % of its requests, one run in seven fails, and five of six do during some 3 hours a
    // year. Three of six do during 15 days a year.
    periods: 6,
    datapointsToAlarm: 5,
    isBelow: true,
  }
}

/** The alarm of a network that cannot be read. That of the testnet can wait. */
function toUnavailableCondition(network: Network, { count }: LogMetrics): Condition {
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
function toFirstEndpointCondition({ count }: LogMetrics): Condition {
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
