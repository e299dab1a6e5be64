import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib'
import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch'
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy'
import { PolicyStatement } from 'aws-cdk-lib/aws-iam'
import { type Alias, type Function as NodeFunction, Tracing } from 'aws-cdk-lib/aws-lambda'
import type { LogGroup } from 'aws-cdk-lib/aws-logs'
import type { Construct } from 'constructs'
import { type Network, networks } from '../../lambda/networks.ts'
import { createNodeFunction } from './node-function.ts'
import type { RpcUrlsParameter } from './rpc-urls-parameters.ts'

/** Longer than Parameter Store (2 s) and the read (3.5 s) together, so that a problem is a regular response. */
export const routeTimeout = Duration.seconds(10)

/** Lambda assigns CPU in proportion. */
const memoryMb = 1_024

/** The function of one route. */
export interface RouteFunction {
  /** Its name in alarms. */
  readonly name: string
  readonly handler: NodeFunction
  /** `live`: the version that the route invokes. */
  readonly alias: Alias
}

/** The properties of a route's function. */
export interface RouteFunctionProps {
  /** The handler's file in `lambda/handlers`, without its extension. */
  readonly name: 'get-price' | 'list-prices'
  /** Maximum number of containers; undefined for no limit but the account's. */
  readonly reservedConcurrency: number | undefined
  readonly logGroup: LogGroup
  readonly rpcUrls: Readonly<Record<Network, RpcUrlsParameter>>
  /** The URL at which callers find the API; undefined for API Gateway's own. */
  readonly publicBaseUrl: string | undefined
}

/** Creates the function of one route with its own bundle, role and alias. Its former versions are kept. */
export function createRouteFunction(scope: Construct, id: string, props: RouteFunctionProps): RouteFunction {
  const { name, reservedConcurrency, logGroup, rpcUrls } = props
  const handler = createNodeFunction(scope, id, {
    entry: `lambda/handlers/${name}.ts`,
    memorySize: memoryMb,
    timeout: routeTimeout,
    statements: toStatements(Object.values(rpcUrls)),
    logGroup,
    tracing: Tracing.ACTIVE,
    ...(reservedConcurrency === undefined ? {} : { reservedConcurrentExecutions: reservedConcurrency }),
    environment: toVariables(props),
    currentVersionOptions: { removalPolicy: RemovalPolicy.RETAIN },
  })
  Validations.of(handler).acknowledge({
    id: 'Serverless::Serverless-LambdaDLQ',
    reason: 'API Gateway invokes the function synchronously. A dead letter queue is for asynchronous events.',
  })
  Validations.of(handler.role ?? handler).acknowledge({
    id: 'AwsSolutions::AwsSolutions-IAM5[Resource::*]',
    reason:
      'xray:PutTraceSegments and xray:PutTelemetryRecords support no resources. No other statement has a wildcard.',
  })
  return { name, handler, alias: handler.addAlias('live') }
}

function toStatements(parameters: readonly RpcUrlsParameter[]): readonly PolicyStatement[] {
  const keys = new Set(parameters.flatMap(({ kmsKeyArn }) => kmsKeyArn ?? []))
  const read = new PolicyStatement({ actions: ['ssm:GetParameters'], resources: parameters.map(({ arn }) => arn) })
  return keys.size === 0 ? [read] : [read, new PolicyStatement({ actions: ['kms:Decrypt'], resources: [...keys] })]
}

function toVariables({ rpcUrls, publicBaseUrl }: RouteFunctionProps): Record<string, string> {
  const names = networks.map(network => [`RPC_URLS_PARAMETER_${network.toUpperCase()}`, rpcUrls[network].name] as const)
  return { ...Object.fromEntries(names), ...(publicBaseUrl && { PUBLIC_BASE_URL: publicBaseUrl }) }
}

/**
 * Lets CodeDeploy move the alias of each function: 10 % of the requests to a new version, all of them after five minutes.
 *
 * An alarm moves it back, and so fails the deployment of the stack: the function failed, or responded with `internal`.
 */
export function addCanary(scope: Construct, functions: readonly RouteFunction[], alarms: readonly Alarm[]): void {
  const application = new LambdaApplication(scope, 'Canary')
  for (const { name, alias } of functions) {
    const group = new LambdaDeploymentGroup(scope, `Canary-${name}`, {
      application,
      alias,
      deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
      alarms: alarms.filter(({ node }) => [`Alarm-${name}-errors`, 'Alarm-internal'].includes(node.id)),
    })
    Validations.of(group).acknowledge({
      id: 'AwsSolutions::AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited]',
      reason: 'AWS maintains this policy for CodeDeploy and Lambda. It moves aliases and reads alarms.',
    })
  }
}
