import { fileURLToPath } from 'node:url'
import { Duration, RemovalPolicy } from 'aws-cdk-lib'
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { type Alias, Architecture, LoggingFormat, Runtime, Tracing } from 'aws-cdk-lib/aws-lambda'
import { NodejsFunction } from 'aws-cdk-lib/aws-lambda-nodejs'
import type { LogGroup } from 'aws-cdk-lib/aws-logs'
import type { Construct } from 'constructs'
import { type Network, networks } from '../lambda/networks.ts'
import { acknowledge } from './audit.ts'
import type { NamedEnvironment } from './environments.ts'
import type { RpcUrlsParameter } from './rpc-urls-parameters.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Longer than Parameter Store (2 s) and the read (3.5 s) together, so that a problem is a regular response. */
const timeout = Duration.seconds(10)

/** The function of one route. */
export interface RouteFunction {
  readonly handler: NodejsFunction
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
  const handler = new NodejsFunction(scope, id, {
    entry: `${root}lambda/handlers/${file}.ts`,
    runtime: Runtime.NODEJS_24_X,
    architecture: Architecture.ARM_64,
    memorySize: environment.memoryMb,
    timeout,
    role: createRole(scope, `${id}Role`, logGroup, Object.values(rpcUrls)),
    logGroup,
    loggingFormat: LoggingFormat.JSON,
    tracing: Tracing.ACTIVE,
    ...(environment.reservedConcurrency === undefined
      ? {}
      : { reservedConcurrentExecutions: environment.reservedConcurrency }),
    environment: toVariables(environment, rpcUrls, publicBaseUrl),
    currentVersionOptions: { removalPolicy: RemovalPolicy.RETAIN },
    awsSdkConnectionReuse: false,
    projectRoot: root,
    depsLockFilePath: `${root}package-lock.json`,
    bundling: {
      target: 'node24',
      mainFields: ['module', 'main'],
      minify: true,
      bundleAwsSDK: true,
      esbuildArgs: {
        '--alias:@aws-sdk/credential-provider-node': './lambda/credential-provider.ts',
        // The bundle is CommonJS, without dynamic imports: an ESM import of `node:http` runs all its getters, one of which loads `fetch`.
        '--supported:dynamic-import': 'false',
      },
    },
  })
  acknowledge(
    handler,
    'Serverless::Serverless-LambdaDLQ',
    'API Gateway invokes the function synchronously. A dead letter queue is for asynchronous events.',
  )
  return { handler, alias: handler.addAlias('live') }
}

function createRole(scope: Construct, id: string, log: LogGroup, parameters: readonly RpcUrlsParameter[]): Role {
  const role = new Role(scope, id, { assumedBy: new ServicePrincipal('lambda.amazonaws.com') })
  log.grantWrite(role)
  const allow = (actions: string[], resources: string[]) =>
    role.addToPolicy(new PolicyStatement({ actions, resources }))
  allow(
    ['ssm:GetParameters'],
    parameters.map(({ arn }) => arn),
  )
  const keys = parameters.flatMap(({ kmsKeyArn }) => kmsKeyArn ?? [])
  if (keys.length > 0) allow(['kms:Decrypt'], [...new Set(keys)])
  acknowledge(
    role,
    'AwsSolutions::AwsSolutions-IAM5[Resource::*]',
    'xray:PutTraceSegments and xray:PutTelemetryRecords support no resources. No other statement has a wildcard.',
  )
  return role
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
