import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib'
import type { Alias, Function as NodeFunction } from 'aws-cdk-lib/aws-lambda'
import type { LogGroup } from 'aws-cdk-lib/aws-logs'
import type { Construct } from 'constructs'
import type { Network } from '../../api/networks.ts'
import type { PriceRoute } from '../../api/routes.ts'
import { functionMs } from '../../lambda/timing.ts'
import type { NamedEnvironment } from '../environments.ts'
import { createNodeFunction } from './node-function.ts'
import { permitReading } from './permit-reading.ts'
import { toReaderVariables } from './reader-variables.ts'
import type { RpcUrlsParameter } from './rpc-urls-parameters.ts'

/** The memory of a function, in MB. Lambda assigns CPU in proportion to it. */
const memoryMb = 1_024

export interface RouteFunction {
  readonly route: PriceRoute
  readonly handler: NodeFunction
  /** The alias `live`, which the route invokes. It names the version that gets the requests. */
  readonly alias: Alias
}

export interface RouteFunctionProps {
  readonly environment: NamedEnvironment
  readonly logGroup: LogGroup
  readonly rpcUrls: Readonly<Record<Network, RpcUrlsParameter>>
  /** The URL at which callers find the API; undefined for API Gateway's own URL. */
  readonly publicBaseUrl: string | undefined
}

/**
 * Creates the function of one route with its own bundle, role and alias. Its former versions are kept.
 *
 * A version whose deployment was rolled back is deleted. If it were kept, a retry would fail: Lambda publishes no
 * second version of the same code.
 *
 * @see https://github.com/aws/aws-cdk/issues/35540
 */
export function createRouteFunction(scope: Construct, route: PriceRoute, props: RouteFunctionProps): RouteFunction {
  const { environment, logGroup, rpcUrls, publicBaseUrl } = props
  const { reservedConcurrency } = environment
  const id = route.operationId.replace(/^\w/, letter => letter.toUpperCase())
  const handler = createNodeFunction(scope, id, {
    entry: `lambda/handlers/${route.handler}.ts`,
    memorySize: memoryMb,
    timeout: Duration.millis(functionMs),
    logGroup,
    ...(reservedConcurrency === undefined ? {} : { reservedConcurrentExecutions: reservedConcurrency }),
    environment: toReaderVariables(rpcUrls, publicBaseUrl),
    currentVersionOptions: { removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE },
  })
  Validations.of(handler).acknowledge({
    id: 'Serverless::Serverless-LambdaDLQ',
    reason: 'API Gateway invokes the function synchronously. A dead letter queue is for asynchronous events.',
  })
  const role = permitReading(handler, environment)
  // The hook of a deployment invokes a new version before callers do. The parameters that the version reads must exist
  // by then.
  role.node.addDependency(...Object.values(rpcUrls).flatMap(({ created }) => created ?? []))
  return { route, handler, alias: handler.addAlias('live') }
}
