import type { Stack } from 'aws-cdk-lib'
import type { Stage } from 'aws-cdk-lib/aws-apigateway'
import type { Network } from '../../api/networks.ts'
import type { NamedEnvironment } from '../environments.ts'
import type { RouteFunction } from '../functions/route-function.ts'
import type { RpcUrlsParameter } from '../functions/rpc-urls-parameters.ts'
import { type Alarms, addAlarms } from './alarms.ts'
import { listConditions } from './conditions.ts'
import { addDashboard } from './dashboard.ts'
import { addLogMetrics } from './log-metrics.ts'
import type { Logs } from './logs.ts'
import { addProbe } from './probe.ts'
import { addRpcCheck } from './rpc-check.ts'

export interface MonitoringProps {
  readonly environment: NamedEnvironment
  readonly stage: Stage
  readonly logs: Logs
  readonly functions: readonly RouteFunction[]
  readonly rpcUrls: Readonly<Record<Network, RpcUrlsParameter>>
  readonly baseUrl: string
}

export function addMonitoring(scope: Stack, props: MonitoringProps): Alarms {
  const { environment, stage, logs, functions, rpcUrls, baseUrl } = props
  const metrics = addLogMetrics(logs, `PriceLookup/${environment.name}`)
  const logGroup = logs.requestLog
  const checks = environment.probe
    ? {
        probe: addProbe(scope, { baseUrl, stage, logGroup }),
        rpcCheck: addRpcCheck(scope, { environment, rpcUrls, logGroup }),
      }
    : undefined
  const alarms = addAlarms(scope, environment, listConditions({ environment, stage, functions, checks, metrics }))
  if (environment.production) addDashboard(scope, environment, { stage, metrics, alarms, requestLog: logs.requestLog })
  return alarms
}
