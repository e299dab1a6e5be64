import type { Stack } from 'aws-cdk-lib'
import type { RestApi } from 'aws-cdk-lib/aws-apigateway'
import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch'
import type { LogGroup } from 'aws-cdk-lib/aws-logs'
import type { WatchedFunction } from './alarm-conditions.ts'
import { addAlarms } from './alarms.ts'
import { addDashboard } from './dashboard.ts'
import type { NamedEnvironment } from './environments.ts'
import { addLogMetrics } from './log-metrics.ts'

/** The sources of the monitoring. */
export interface MonitoringProps {
  readonly environment: NamedEnvironment
  readonly api: RestApi
  readonly routes: readonly MonitoredRoute[]
}

/** The function of one route, and its log group. */
interface MonitoredRoute extends WatchedFunction {
  readonly logGroup: LogGroup
}

/** Adds metrics of the logs, alarms on the metrics, and a dashboard of both. Returns the alarms. */
export function addMonitoring(scope: Stack, { environment, api, routes }: MonitoringProps): readonly Alarm[] {
  const logGroups = routes.map(({ logGroup }) => logGroup)
  const metrics = addLogMetrics({ logGroups, namespace: `PriceLookup/${environment.name}` })
  const stage = api.deploymentStage
  const alarms = addAlarms(scope, environment, { stage, functions: routes, metrics })
  addDashboard(scope, environment, { stage, logGroups, metrics, alarms })
  return alarms
}
