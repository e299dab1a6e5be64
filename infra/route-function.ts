import { Duration, RemovalPolicy } from 'aws-cdk-lib'
import { PolicyStatement } from 'aws-cdk-lib/aws-iam'
import { type Alias, type Function as NodeFunction, Tracing } from 'aws-cdk-lib/aws-lambda'
import type { LogGroup } from 'aws-cdk-lib/aws-logs'
import type { Construct } from 'constructs'
import { type Network, networks } from '../lambda/networks.ts'
import { acknowledge } from './audit.ts'
import type { NamedEnvironment } from './environments.ts'
import { createNodeFunction } from './node-function.ts'
import type { RpcUrlsParameter } from './rpc-urls-parameters.ts'

/** Longer than Parameter Store (2 s) and the read (3.5 s) together, so that a problem is a regular response. */
const timeout = Duration.seconds(10)

/** The function of one route. */
export interface RouteFunction {
  readonly handler: NodeFunction
  /** `live`: the version that the route invokes. */
  readonly alias: Alias
}

/** The properties of a route's function. */
export interface RouteFunctionProps {
  /** The handler's file in `lambda/handlers`, without its extension. */
  readonly file: 'get-price' | 'list-prices'
  readonly environment: NamedEnvironment
  readonly logGroup: LogGroup
  readonly rpcUrls: Readonly<Record<Network, RpcUrlsParameter>>
  /** The URL at which callers find the API; undefined for API Gateway's own. */
  readonly publicBaseUrl: string | undefined
}

/** Creates the function of one route with its own bundle, role and alias. Its former versions are kept. */
export function createRouteFunction(scope: Construct, id: string, props: RouteFunctionProps): RouteFunction {
  const { file, environment, logGroup, rpcUrls, publicBaseUrl } = props
  const handler = createNodeFunction(scope, id, {
    entry: `lambda/handlers/${file}.ts`,
    memorySize: environment.memoryMb,
    timeout,
    statements: toStatements(Object.values(rpcUrls)),
    logGroup,
    tracing: Tracing.ACTIVE,
    ...(environment.reservedConcurrency === undefined
      ? {}
      : { reservedConcurrentExecutions: environment.reservedConcurrency }),
    environment: toVariables(environment, rpcUrls, publicBaseUrl),
    currentVersionOptions: { removalPolicy: RemovalPolicy.RETAIN },
  })
  acknowledge(
    handler,
    'Serverless::Serverless-LambdaDLQ',
    'API Gateway invokes the function synchronously. A dead letter queue is for asynchronous events.',
  )
  acknowledge(
    handler.role ?? handler,
    'AwsSolutions::AwsSolutions-IAM5[Resource::*]',
    'xray:PutTraceSegments and xray:PutTelemetryRecords support no resources. No other statement has a wildcard.',
  )
  return { handler, alias: handler.addAlias('live') }
}

function toStatements(parameters: readonly RpcUrlsParameter[]): readonly PolicyStatement[] {
  const keys = new Set(parameters.flatMap(({ kmsKeyArn }) => kmsKeyArn ?? []))
  const read = new PolicyStatement({ actions: ['ssm:GetParameters'], resources: parameters.map(({ arn }) => arn) })
  return keys.size === 0 ? [read] : [read, new PolicyStatement({ actions: ['kms:Decrypt'], resources: [...keys] })]
}

function toVariables(
  environment: NamedEnvironment,
  rpcUrls: RouteFunctionProps['rpcUrls'],
  publicBaseUrl: string | undefined,
): Record<string, string> {
  const variables = networks.flatMap((network): [string, string | undefined][] => [
    [`RPC_URLS_PARAMETER_${network.toUpperCase()}`, rpcUrls[network].name],
    [`MAX_HEAD_AGE_SECONDS_${network.toUpperCase()}`, environment.networks[network].maxHeadAgeSeconds?.toString()],
  ])
  const all = [...variables, ['PUBLIC_BASE_URL', publicBaseUrl] as const]
  return Object.fromEntries(all.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
}
