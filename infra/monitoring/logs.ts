import { RemovalPolicy } from 'aws-cdk-lib'
import { AccessLogField, AccessLogFormat, LogGroupLogDestination, type RestApi } from 'aws-cdk-lib/aws-apigateway'
import { LogGroup } from 'aws-cdk-lib/aws-logs'
import type { Construct } from 'constructs'
import type { NamedEnvironment } from '../environments.ts'

export interface Logs {
  /** The lines of all functions. Lambda names their streams after the function. */
  readonly requestLog: LogGroup
  /** One line per request to the stage, cached or not. */
  readonly accessLog: LogGroup
}

export function createLogs(scope: Construct, environment: NamedEnvironment): Logs {
  return {
    requestLog: new LogGroup(scope, 'RequestLog', toRetention(environment)),
    accessLog: new LogGroup(scope, 'AccessLog', toRetention(environment)),
  }
}

export function toAccessLogOptions(accessLog: LogGroup) {
  return {
    accessLogDestination: new LogGroupLogDestination(accessLog),
    accessLogFormat: AccessLogFormat.custom(JSON.stringify(format)),
  }
}

/** Creates the log group of the gateway's own errors. API Gateway would create it without retention. */
export function createExecutionLog(api: RestApi, stageName: string, environment: NamedEnvironment): void {
  const executionLog = new LogGroup(api, 'ExecutionLog', {
    logGroupName: `API-Gateway-Execution-Logs_${api.restApiId}/${stageName}`,
    ...toRetention(environment),
  })
  api.deploymentStage.node.addDependency(executionLog)
}

/**
 * The fields of a line of the access log, which is JSON.
 *
 * None has free text of the caller, because API Gateway does not escape values: a caller chooses the method, and may
 * choose a UUID as the `requestId`. None has the caller's address, which is personal data.
 */
const format = {
  requestId: AccessLogField.contextRequestId(),
  /** The `requestId` of the request log; a hyphen where no function was invoked, as for a cached response. */
  integrationRequestId: AccessLogField.contextAwsEndpointRequestId(),
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
  wafResponseCode: AccessLogField.contextWafResponseCode(),
}

/** The retention of a log group, and what happens to it when the stack is deleted. */
function toRetention({ logRetentionDays, production }: NamedEnvironment) {
  return {
    retention: logRetentionDays,
    removalPolicy: production ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY,
  }
}
