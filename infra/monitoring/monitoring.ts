import type { Stack } from 'aws-cdk-lib'
import type { Stage } from 'aws-cdk-lib/aws-apigateway'
import type { NamedEnvironment } from '../environments.ts'
import type { RouteFunction } from '../functions/route-function.ts'
import { type Alarms, addAlarms } from './alarms.ts'
import { toConditions } from './conditions.ts'
import { addDashboard } from './dashboard.ts'
import { addLogMetrics } from './log-metrics.ts'
import type { Logs } from './logs.ts'
import { addProbe } from './probe.ts'

export interface MonitoringProps {
  readonly environment: NamedEnvironment
  readonly stage: Stage
  readonly logs: Logs
  readonly functions: readonly RouteFunction[]
  readonly baseUrl: string
}

export function addMonitoring(scope: Stack, props: MonitoringProps): Alarms {
  const { environment, stage, logs, functions, baseUrl } = props
  const metrics = addLogMetrics(logs, `PriceLookup/${environment.name}`)
  const probe = environment.probe ? addProbe(scope, { baseUrl, stage, logGroup: logs.requestLog }) : undefined
  const alarms = addAlarms(scope, environment, toConditions({ environment, stage, functions, probe, metrics }))
  if (environment.production) addDashboard(scope, environment, { stage, metrics, alarms })
  return alarms
}
