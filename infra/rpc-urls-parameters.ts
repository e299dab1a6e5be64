import { ArnFormat, Stack } from 'aws-cdk-lib'
import { type IStringParameter, StringParameter } from 'aws-cdk-lib/aws-ssm'
import type { Construct } from 'constructs'
import type { Network } from '../lambda/networks.ts'
import type { NamedEnvironment } from './environments.ts'

/** A parameter with the RPC URLs of one network. */
export interface RpcUrlsParameter {
  readonly name: string
  readonly arn: string
  /** Of the customer-managed key that encrypts the parameter; undefined without one. */
  readonly kmsKeyArn: string | undefined
}

/** Creates the parameter with a network's RPC URLs, unless the environment names an existing one (D22). */
export function createRpcUrlsParameter(
  scope: Construct,
  network: Network,
  { name, networks }: NamedEnvironment,
): RpcUrlsParameter {
  const { rpcUrls } = networks[network]
  if ('name' in rpcUrls) return { ...rpcUrls, arn: toArn(scope, rpcUrls.name) }
  const parameterName = `/price-lookup/${name}/rpc-urls/${network}`
  const created: IStringParameter = new StringParameter(scope, `RpcUrls-${network}`, {
    parameterName,
    description: `One to three RPC URLs of the ${network}, in order of preference, separated by spaces`,
    stringValue: rpcUrls.create,
  })
  // The name itself: `sam local` takes a reference for the logical id.
  return { name: parameterName, arn: created.parameterArn, kmsKeyArn: undefined }
}

/** Formats the ARN of a parameter: one slash after `parameter`, whether or not the name begins with one. */
function toArn(scope: Construct, parameterName: string): string {
  return Stack.of(scope).formatArn({
    service: 'ssm',
    resource: 'parameter',
    arnFormat: ArnFormat.SLASH_RESOURCE_NAME,
    resourceName: parameterName.replace(/^\//, ''),
  })
}
