import { Duration, type Stack } from 'aws-cdk-lib'
import type { Stage } from 'aws-cdk-lib/aws-apigateway'
import { AlarmStatusWidget, Dashboard, GraphWidget, type IMetric, Stats } from 'aws-cdk-lib/aws-cloudwatch'
import type { NamedEnvironment } from '../environments.ts'
import type { Alarms } from './alarms.ts'
import type { LogMetrics } from './log-metrics.ts'
import { period } from './metric-math.ts'

interface DashboardProps {
  readonly stage: Stage
  readonly metrics: LogMetrics
  readonly alarms: Alarms
}

/** Adds the dashboard, which an operator looks at first. */
export function addDashboard(scope: Stack, { name }: NamedEnvironment, props: DashboardProps): void {
  const { stage, metrics, alarms } = props
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
    ],
  })
}

/** Three graphs fill the 24 columns of a row. */
function toGraph(title: string, left: IMetric[]): GraphWidget {
  return new GraphWidget({ width: 8, height: 6, title, left })
}
