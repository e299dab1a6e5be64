import { fileURLToPath } from 'node:url'
import { Duration, RemovalPolicy } from 'aws-cdk-lib'
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { Architecture, LoggingFormat, Runtime } from 'aws-cdk-lib/aws-lambda'
import { NodejsFunction, OutputFormat } from 'aws-cdk-lib/aws-lambda-nodejs'
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs'
import type { Construct } from 'constructs'
import type { RpcUrlsParameter } from './rpc-urls-parameters.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Longer than Parameter Store (2 s) and the read (3.5 s) may take together, so that a problem is answered in time. */
const timeout = Duration.seconds(10)

/** What every route's function is made of. */
export interface RouteFunctionProps {
  /** The handler's file in `lambda/handlers`, without its ending. */
  readonly handler: 'get-price' | 'list-prices'
  readonly logRetentionDays: RetentionDays
  readonly rpcUrls: Readonly<Record<'mainnet' | 'testnet', RpcUrlsParameter>>
}

/** Creates the function of one route: its own bundle, log group and role, which may read the RPC URLs and write its log. */
export function createRouteFunction(scope: Construct, id: string, props: RouteFunctionProps): NodejsFunction {
  const logGroup = new LogGroup(scope, `${id}Log`, {
    retention: props.logRetentionDays,
    removalPolicy: RemovalPolicy.DESTROY,
  })
  const role = new Role(scope, `${id}Role`, { assumedBy: new ServicePrincipal('lambda.amazonaws.com') })
  logGroup.grantWrite(role)
  const parameters = Object.values(props.rpcUrls)
  role.addToPolicy(new PolicyStatement({ actions: ['ssm:GetParameters'], resources: parameters.map(({ arn }) => arn) }))
  return new NodejsFunction(scope, id, {
    entry: `${root}lambda/handlers/${props.handler}.ts`,
    runtime: Runtime.NODEJS_24_X,
    architecture: Architecture.ARM_64,
    memorySize: 1024,
    timeout,
    role,
    logGroup,
    loggingFormat: LoggingFormat.JSON,
    environment: {
      RPC_URLS_PARAMETER_MAINNET: props.rpcUrls.mainnet.name,
      RPC_URLS_PARAMETER_TESTNET: props.rpcUrls.testnet.name,
    },
    awsSdkConnectionReuse: false,
    projectRoot: root,
    depsLockFilePath: `${root}package-lock.json`,
    bundling: {
      format: OutputFormat.ESM,
      target: 'node24',
      mainFields: ['module', 'main'],
      minify: true,
      bundleAwsSDK: true,
      // The SDK has CommonJS parts, which call `require`.
      banner:
        "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
    },
  })
}
