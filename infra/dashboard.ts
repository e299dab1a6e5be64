import { Duration, type Stack } from 'aws-cdk-lib'
import type { Stage } from 'aws-cdk-lib/aws-apigateway'
import {
  type Alarm,
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  LogQueryWidget,
  MathExpression,
  Stats,
} from 'aws-cdk-lib/aws-cloudwatch'
import type { LogGroup } from 'aws-cdk-lib/aws-logs'
import { networks } from '../lambda/networks.ts'
import type { NamedEnvironment } from './environments.ts'
import type { LogMetrics } from './log-metrics.ts'

/** The sources of the dashboard. */
export interface Shown {
  readonly stage: Stage
  readonly requestLog: LogGroup
  readonly metrics: LogMetrics
  readonly alarms: readonly Alarm[]
  /** Widgets of the edge, if there is one. */
  readonly ofEdge: readonly GraphWidget[]
}

/** Adds the dashboard: alarms, requests, latency, cache, endpoints, faults, feeds that cannot be read, and age of the head. */
export function addDashboard(scope: Stack, environment: NamedEnvironment, shown: Shown): void {
  const { stage, requestLog, metrics, alarms, ofEdge } = shown
  new Dashboard(scope, 'Dashboard', {
    // Dashboards are global: without the region, the same environment in another region would have the same name.
    dashboardName: `price-lookup-${environment.name}-${scope.region}`,
    defaultInterval: Duration.hours(3),
    widgets: [
      [new AlarmStatusWidget({ title: 'Alarms', alarms: [...alarms], width: 24, height: 4 })],
      [...ofEdge],
      [showRequests(stage, metrics), showLatency(stage), ...(environment.cache ? [showCache(stage)] : [])],
      [showEndpoints(requestLog), showFaults(metrics), showFailures(metrics)],
      [showUnreadable(requestLog), showReads(metrics), showHeadAge(metrics, environment)],
    ],
  })
}

const period = Duration.minutes(5)

/** Three widgets fill the 24 columns of a row. */
const size = { width: 8, height: 6 }

function showRequests(stage: Stage, { serverErrors, tooManyRequests }: LogMetrics): GraphWidget {
  return new GraphWidget({
    ...size,
    title: 'Requests and errors',
    left: [
      stage.metricCount({ period, label: 'requests' }),
      stage.metricClientError({ period, statistic: Stats.SUM, label: '4xx' }),
      stage.metricServerError({ period, statistic: Stats.SUM, label: '5xx' }),
      serverErrors.with({ label: '5xx without unreadable feeds' }),
      tooManyRequests.with({ label: '429' }),
    ],
  })
}

function showLatency(stage: Stage): GraphWidget {
  return new GraphWidget({
    ...size,
    title: 'Latency, ms',
    left: [
      ...[50, 95, 99].map(p => stage.metricLatency({ period, statistic: Stats.p(p), label: `answer p${p}` })),
      stage.metricIntegrationLatency({ period, statistic: Stats.p(95), label: 'function p95' }),
    ],
  })
}

function showCache(stage: Stage): GraphWidget {
  return new GraphWidget({
    ...size,
    title: 'Cache hits, % of cacheable requests',
    left: [
      new MathExpression({
        expression: '100 * hits / (hits + misses)',
        usingMetrics: {
          hits: stage.metricCacheHitCount({ period, statistic: Stats.SUM }),
          misses: stage.metricCacheMissCount({ period, statistic: Stats.SUM }),
        },
        label: 'hits',
        period,
      }),
    ],
    leftYAxis: { min: 0, max: 100 },
  })
}

function showEndpoints({ logGroupName }: LogGroup): LogQueryWidget {
  return new LogQueryWidget({
    ...size,
    title: 'Answers and faults by endpoint',
    logGroupNames: [logGroupName],
    // A line with an endpoint is that of a request, which has a route, or that of a fault.
    queryLines: [
      'filter ispresent(message.endpoint)',
      'stats count(message.route) as answers, count(message.fault) as faults by message.network, message.endpoint',
      'sort message.network, message.endpoint',
    ],
  })
}

function showFaults({ faults, firstEndpointFaults }: LogMetrics): GraphWidget {
  const ofFirst = networks.map(network => firstEndpointFaults(network, Stats.SUM).with({ label: `rpc-1, ${network}` }))
  return new GraphWidget({ ...size, title: 'Endpoint faults by kind, and of the first', left: [faults, ...ofFirst] })
}

function showFailures(metrics: LogMetrics): GraphWidget {
  const { failovers, lastResort, unreadable, outcome } = metrics
  const slugs = ['feed-unreadable', 'chain-unavailable', 'not-configured', 'internal'] as const
  const problems = slugs.map(slug => outcome(slug).with({ label: slug }))
  const title = 'Requests with a failover or a problem'
  const ofLast = networks.map(network => lastResort(network, Stats.SUM).with({ label: `last resort, ${network}` }))
  return new GraphWidget({ ...size, title, left: [failovers, ...ofLast, unreadable, ...problems] })
}

function showUnreadable({ logGroupName }: LogGroup): LogQueryWidget {
  return new LogQueryWidget({
    ...size,
    title: 'Requests with feeds that cannot be read',
    logGroupNames: [logGroupName],
    // Logs Insights makes a field of each element of an array, so the whole list is parsed from the text of the line.
    queryLines: [
      'parse @message /"unreadable":\\[(?<feeds>[^\\]]+)\\]/',
      'filter ispresent(feeds)',
      'stats count(*) as requests by message.network, feeds',
      'sort requests desc',
    ],
  })
}

function showReads({ rpcMs }: LogMetrics): GraphWidget {
  return new GraphWidget({
    ...size,
    title: 'Duration of chain reads (rpcMs), ms',
    left: networks.flatMap(network => [rpcMs(network, Stats.p(50)), rpcMs(network, Stats.p(95))]),
  })
}

function showHeadAge({ headAgeSeconds }: LogMetrics, environment: NamedEnvironment): GraphWidget {
  return new GraphWidget({
    ...size,
    title: 'Age of the head block, s',
    left: networks.map(network => headAgeSeconds(network, Stats.MAXIMUM)),
    leftAnnotations: networks.flatMap(network => {
      const value = environment.networks[network].maxHeadAgeSeconds
      return value === undefined ? [] : [{ value, label: `${network}: too old` }]
    }),
  })
}
