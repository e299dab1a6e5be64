import { RemovalPolicy } from 'aws-cdk-lib'
import {
  AccessLogField,
  AccessLogFormat,
  LogGroupLogDestination,
  type RestApi,
  type StageOptions,
} from 'aws-cdk-lib/aws-apigateway'
import { LogGroup } from 'aws-cdk-lib/aws-logs'
import type { Construct } from 'constructs'
import type { NamedEnvironment } from './environments.ts'

/** Creates the log of all requests, answered from the cache or not, and gives what a stage needs to write it. */
export function createAccessLog(
  scope: Construct,
  environment: NamedEnvironment,
): Pick<StageOptions, 'accessLogDestination' | 'accessLogFormat'> {
  const logGroup = new LogGroup(scope, 'AccessLog', toRetention(environment))
  return {
    accessLogDestination: new LogGroupLogDestination(logGroup),
    accessLogFormat: AccessLogFormat.custom(JSON.stringify(format)),
  }
}

/** Creates the log of what goes wrong in the gateway itself, which it would otherwise create, and keep for ever. */
export function createExecutionLog(api: RestApi, stageName: string, environment: NamedEnvironment): void {
  const executionLog = new LogGroup(api, 'ExecutionLog', {
    logGroupName: `API-Gateway-Execution-Logs_${api.restApiId}/${stageName}`,
    ...toRetention(environment),
  })
  api.deploymentStage.node.addDependency(executionLog)
}

/**
 * One line of JSON. What a caller is free to write stays out of it, since API Gateway does not escape it; and so does the
 * caller's address, which is personal.
 */
const format = {
  requestId: AccessLogField.contextRequestId(),
  extendedRequestId: AccessLogField.contextExtendedRequestId(),
  requestTime: AccessLogField.contextRequestTime(),
  httpMethod: AccessLogField.contextHttpMethod(),
  resourcePath: AccessLogField.contextResourcePath(),
  status: AccessLogField.contextStatus(),
  responseLatency: AccessLogField.contextResponseLatency(),
  responseLength: AccessLogField.contextResponseLength(),
  integrationLatency: AccessLogField.contextIntegrationLatency(),
  integrationStatus: AccessLogField.contextIntegrationStatus(),
  errorResponseType: AccessLogField.contextErrorResponseType(),
  xrayTraceId: AccessLogField.contextXrayTraceId(),
}

function toRetention({ logRetentionDays, keepLogs }: NamedEnvironment) {
  return { retention: logRetentionDays, removalPolicy: keepLogs ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY }
}
