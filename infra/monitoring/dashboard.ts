import { Duration, type Stack } from 'aws-cdk-lib'
import type { Stage } from 'aws-cdk-lib/aws-apigateway'
import {
  type Alarm,
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type GraphWidgetProps,
  type IMetric,
  type IWidget,
  LogQueryWidget,
  Stats,
} from 'aws-cdk-lib/aws-cloudwatch'
import type { LogGroup } from 'aws-cdk-lib/aws-logs'
import { networks } from '../../api/networks.ts'
import type { NamedEnvironment } from '../environments.ts'
import type { LogMetrics } from './log-metrics.ts'
import { period, toMath } from './metric-math.ts'

interface DashboardProps {
  readonly stage: Stage
  readonly requestLog: LogGroup
  readonly metrics: LogMetrics
  readonly alarms: readonly Alarm[]
}

/** Adds the dashboard: alarms, requests, latency, cache, endpoints, faults, problems, reads, age of the head. */
export function addDashboard(scope: Stack, { name, cache }: NamedEnvironment, props: DashboardProps): void {
  const { stage, requestLog, metrics, alarms } = props
  new Dashboard(scope, 'Dashboard', {
    // Dashboards are global: without the region, the same environment in another region would have the same name.
    dashboardName: `price-lookup-${name}-${scope.region}`,
    defaultInterval: Duration.hours(3),
    widgets: [
      [new AlarmStatusWidget({ title: 'Alarms', alarms: [...alarms], width: 24, height: 4 })],
      [...toResponseGraphs(stage, metrics), ...(cache ? [toCacheGraph(stage)] : [])],
      toFailureWidgets(requestLog, metrics),
      toReadGraphs(metrics),
    ],
  })
}

/** Three widgets fill the 24 columns of a row. */
const size = { width: 8, height: 6 }

function toGraph(title: string, left: IMetric[], options: GraphWidgetProps = {}): GraphWidget {
  return new GraphWidget({ ...size, title, left, ...options })
}

function toResponseGraphs(stage: Stage, { count }: LogMetrics): IWidget[] {
  return [
    toGraph('Requests and errors', [
      stage.metricCount({ period, label: 'requests' }),
      stage.metricClientError({ period, statistic: Stats.SUM, label: '4xx' }),
      stage.metricServerError({ period, statistic: Stats.SUM, label: '5xx' }),
      count('serverErrors').with({ label: '5xx without unreadable feeds' }),
      count('tooManyRequests').with({ label: '429' }),
    ]),
    toGraph('Latency, ms', [
      ...[50, 95, 99].map(p => stage.metricLatency({ period, statistic: Stats.p(p), label: `response p${p}` })),
      stage.metricIntegrationLatency({ period, statistic: Stats.p(95), label: 'function p95' }),
    ]),
  ]
}

function toCacheGraph(stage: Stage): IWidget {
  const hits = toMath('hits', '100 * hits / (hits + misses)', {
    hits: stage.metricCacheHitCount({ period, statistic: Stats.SUM }),
    misses: stage.metricCacheMissCount({ period, statistic: Stats.SUM }),
  })
  return toGraph('Cache hits, % of cacheable requests', [hits], { leftYAxis: { min: 0, max: 100 } })
}

function toFailureWidgets({ logGroupName }: LogGroup, { count, ofNetwork, faults }: LogMetrics): IWidget[] {
  const slugs = ['feed-unreadable', 'not-configured', 'internal'] as const
  const ofEach = (name: 'firstEndpointFaults' | 'lastResort' | 'unavailable', label: string) =>
    networks.map(network => ofNetwork(name, network, Stats.SUM).with({ label: `${label}, ${network}` }))
  return [
    new LogQueryWidget({
      ...size,
      title: 'Reads and faults by endpoint',
      logGroupNames: [logGroupName],
      // A line with an endpoint is that of a request, which has a route, or that of a fault.
      queryLines: [
        'filter ispresent(message.endpoint)',
        'stats count(message.route) as reads, count(message.fault) as faults by message.network, message.endpoint',
        'sort message.network, message.endpoint',
      ],
    }),
    toGraph('Endpoint faults by kind, and of the first', [faults, ...ofEach('firstEndpointFaults', 'rpc-1')]),
    toGraph('Requests with a last resort or a problem', [
      ...ofEach('lastResort', 'last resort'),
      ...ofEach('unavailable', 'chain-unavailable'),
      count('unreadable'),
      ...slugs.map(slug => count('outcome', { outcome: slug }).with({ label: slug })),
    ]),
  ]
}

function toReadGraphs({ ofNetwork }: LogMetrics): IWidget[] {
  return [
    toGraph(
      'Duration of chain reads (rpcMs), ms',
      networks.flatMap(network => [50, 95].map(p => ofNetwork('rpcMs', network, Stats.p(p)))),
    ),
    toGraph(
      'Age of the head block, s',
      networks.map(network => ofNetwork('headAgeSeconds', network, Stats.MAXIMUM)),
    ),
  ]
}
