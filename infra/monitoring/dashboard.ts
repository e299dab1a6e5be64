import { Duration, type Stack } from 'aws-cdk-lib'
import type { Stage } from 'aws-cdk-lib/aws-apigateway'
import {
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IMetric,
  LogQueryWidget,
  Stats,
} from 'aws-cdk-lib/aws-cloudwatch'
import type { LogGroup } from 'aws-cdk-lib/aws-logs'
import type { NamedEnvironment } from '../environments.ts'
import type { Alarms } from './alarms.ts'
import type { LogMetrics } from './log-metrics.ts'
import { period } from './metric-math.ts'

interface DashboardProps {
  readonly stage: Stage
  readonly metrics: LogMetrics
  readonly alarms: Alarms
  readonly requestLog: LogGroup
}

/** Adds the dashboard, which an operator looks at first. */
export function addDashboard(scope: Stack, { name }: NamedEnvironment, props: DashboardProps): void {
  const { stage, metrics, alarms, requestLog } = props
  const { count, search } = metrics
  const requests = [
    stage.metricCount({ period, label: 'requests' }),
    stage.metricClientError({ period, statistic: Stats.SUM, label: '4xx' }),
    count('tooManyRequests').with({ label: '429' }),
    stage.metricServerError({ period, statistic: Stats.SUM, label: '5xx' }),
  ]
  const latencies = [
    ...[50, 95, 99].map(p => stage.metricLatency({ period, statistic: Stats.p(p), label: `response p${p}` })),
    stage.metricIntegrationLatency({ period, statistic: Stats.p(95), label: 'function p95' }),
  ]
  new Dashboard(scope, 'Dashboard', {
    // Dashboards are global: without the region, the same environment in another region would have the same name.
    dashboardName: `price-lookup-${name}-${scope.region}`,
    defaultInterval: Duration.hours(3),
    widgets: [
      [new AlarmStatusWidget({ title: 'Alarms', alarms: [...alarms.values()], width: 24, height: 4 })],
      [
        toGraph('Requests and errors', requests),
        toGraph('Latency, ms', latencies),
        toGraph('Requests with unreadable feeds', [count('unreadable')]),
      ],
      [
        toGraph('Served by which endpoint', [search('served')]),
        toGraph('Failed attempts by endpoint', [search('failed')]),
        toGraph('Faults of endpoints by kind', [search('faults')]),
      ],
      [toTable('Problems', 12, requestLog, problems), toTable('Faults', 12, requestLog, faults)],
      [toTable('Checks, crashes and bugs', 24, requestLog, checks)],
    ],
  })
}

/** Three graphs fill the 24 columns of a row. */
function toGraph(title: string, left: IMetric[]): GraphWidget {
  return new GraphWidget({ width: 8, height: 6, title, left })
}

/** Each table is a query, which AWS runs and bills when the dashboard is opened, and again at each refresh. */
function toTable(title: string, width: number, { logGroupName }: LogGroup, queryLines: string[]): LogQueryWidget {
  return new LogQueryWidget({ title, logGroupNames: [logGroupName], queryLines, width, height: 8 })
}

/** The alarms count no line of a request that a deployment sent, so the tables of problems and faults have none. */
const isOfCaller = 'not ispresent(message.caller)'

/** The requests that were not served because of a fault of ours or of the chain: a mistake of a caller is no `WARN`. */
const problems = [
  `filter ispresent(message.route) and level = "WARN" and ${isOfCaller}`,
  'stats count(*) as requests, max(@timestamp) as last by message.network, message.outcome, message.symbol',
  'sort requests desc',
]

const faults = [
  `filter ispresent(message.fault) and ${isOfCaller}`,
  'stats count(*) as faults, max(@timestamp) as last ' +
    'by message.network, message.endpoint, message.fault, message.httpStatus, message.rpcCode',
  'sort faults desc',
]

/**
 * A row for each function and check, with the newest detail: a check that fails at every run adds no rows, behind which
 * others would be lost. The detail is a text, but a list in the lines of `RpcCheck`.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/monitoring-cloudwatchlogs-loggroups.html for the stream's name
 */
const checks = [
  'filter ispresent(message.check) or ispresent(message.error) or ' +
    '(type = "platform.report" and record.status != "success")',
  'parse @logStream /(?<functionVersion>price-lookup-[^\\]]+\\])/',
  'stats count(*) as lines, max(@timestamp) as last, latest(message.detail) as detail, ' +
    'latest(message.detail.0) as firstOfDetails, latest(message.frames.0) as frame ' +
    'by functionVersion, message.network, message.check, message.error, record.status',
  'sort last desc',
]
