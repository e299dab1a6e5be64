import { StringParameter } from 'aws-cdk-lib/aws-ssm'
import type { Construct } from 'constructs'
import { type Network, networkFacts } from '../../lambda/networks.ts'
import type { ExistingParameter, NamedEnvironment } from '../environments.ts'

/** A parameter with the RPC URLs of one network. */
export interface RpcUrlsParameter extends ExistingParameter {
  readonly arn: string
}

/** Creates the parameter with a network's RPC URLs, unless the environment names an existing one (D22). */
export function createRpcUrlsParameter(
  scope: Construct,
  network: Network,
  { name, rpcUrls: { [network]: existing } }: NamedEnvironment,
): RpcUrlsParameter {
  const id = `RpcUrls-${network}`
  if (existing !== undefined) return importParameter(scope, id, existing)
  const parameterName = `/price-lookup/${name}/rpc-urls/${network}`
  const created = new StringParameter(scope, id, {
    parameterName,
    description: `One to three RPC URLs of the ${network}, in order of preference, separated by spaces`,
    stringValue: networkFacts[network].rpcUrl,
  })
  // The name itself: `sam local` takes a reference for the logical id.
  return { name: parameterName, arn: created.parameterArn, kmsKeyArn: undefined }
}

/** Imports the parameters that only the previous version of the functions reads. */
export function importFormerParameters(scope: Construct, { formerRpcUrls }: NamedEnvironment): RpcUrlsParameter[] {
  return formerRpcUrls.map((existing, index) => importParameter(scope, `FormerRpcUrls-${index}`, existing))
}

function importParameter(scope: Construct, id: string, existing: ExistingParameter): RpcUrlsParameter {
  const { parameterArn } = StringParameter.fromSecureStringParameterAttributes(scope, id, {
    parameterName: existing.name,
  })
  return { ...existing, arn: parameterArn }
}
