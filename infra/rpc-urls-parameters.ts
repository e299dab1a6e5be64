import { ArnFormat, Stack } from 'aws-cdk-lib'
import { StringParameter } from 'aws-cdk-lib/aws-ssm'
import type { Construct } from 'constructs'
import { robinhood, robinhoodTestnet } from 'viem/chains'
import type { Network } from '../lambda/feeds/registry.ts'
import type { NamedEnvironment } from './environments.ts'

/** A parameter with the RPC URLs of one network. */
export interface RpcUrlsParameter {
  readonly name: string
  readonly arn: string
}

/** Each chain's own public RPC URL: the first that viem lists. */
const publicRpcUrls: Record<Network, string> = {
  mainnet: robinhood.rpcUrls.default.http[0],
  testnet: robinhoodTestnet.rpcUrls.default.http[0],
}

/** Creates the parameter with a network's RPC URLs, unless the environment names an existing one (D22). */
export function createRpcUrlsParameter(
  scope: Construct,
  network: Network,
  { name, rpcUrlsParameters }: NamedEnvironment,
): RpcUrlsParameter {
  const existing = rpcUrlsParameters[network]
  if (existing !== undefined) return { name: existing, arn: toArn(scope, existing) }
  const parameter = new StringParameter(scope, `RpcUrls-${network}`, {
    parameterName: `/price-lookup/${name}/rpc-urls/${network}`,
    description: `One to three RPC URLs of the ${network}, in order of preference, separated by spaces`,
    stringValue: publicRpcUrls[network],
  })
  return { name: parameter.parameterName, arn: parameter.parameterArn }
}

function toArn(scope: Construct, parameterName: string): string {
  const resourceName = parameterName.replace(/^\//, '')
  return Stack.of(scope).formatArn({
    service: 'ssm',
    resource: 'parameter',
    arnFormat: ArnFormat.SLASH_RESOURCE_NAME,
    resourceName,
  })
}
