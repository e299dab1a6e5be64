import { Annotations, Stack } from 'aws-cdk-lib'
import { PolicyStatement } from 'aws-cdk-lib/aws-iam'
import { StringParameter } from 'aws-cdk-lib/aws-ssm'
import type { Construct } from 'constructs'
import { isNetwork, type Network, networkFacts, networks } from '../../api/networks.ts'
import type { NamedEnvironment } from '../environments.ts'

export interface RpcUrlsParameter {
  /** The name itself, not a reference to the parameter: `sam local` would replace a reference with the logical id. */
  readonly name: string
  /** The parameter that the stack creates; undefined for an existing one. */
  readonly created: StringParameter | undefined
}

/** The path of the parameters that the functions of an environment may read. */
const toPath = ({ name }: NamedEnvironment) => `/price-lookup/${name}/rpc-urls/`

/** Creates the parameter with a network's RPC URLs, unless the environment names an existing one. */
export function createRpcUrlsParameter(
  scope: Construct,
  network: Network,
  environment: NamedEnvironment,
): RpcUrlsParameter {
  const path = toPath(environment)
  const name = environment.rpcUrls[network]?.name
  if (name !== undefined) {
    if (!name.startsWith(path) || isNetwork(name.slice(path.length)))
      Annotations.of(scope).addError(
        `rpcUrls.${network} of ${environment.name} is ${name}. Name another parameter below ${path} in ` +
          'infra/environments.ts: the functions read no other, and those with the names of networks belong to the stack.',
      )
    return { name, created: undefined }
  }
  const created = new StringParameter(scope, `RpcUrls-${network}`, {
    parameterName: path + network,
    description: `One to three RPC URLs of the ${network}, in order of preference, separated by spaces`,
    stringValue: networkFacts[network].rpcUrl,
  })
  return { name: path + network, created }
}

/** Returns the ARN of every parameter that the functions of an environment may read. */
export function toRpcUrlsArn(scope: Construct, environment: NamedEnvironment): string {
  return Stack.of(scope).formatArn({ service: 'ssm', resource: `parameter${toPath(environment)}*` })
}

/**
 * Permits reading every parameter below the path, and decrypting it through Parameter Store.
 *
 * The new version of a function and the previous one share a role, whose policy changes first. So the policy names no
 * parameter: the previous version can still read its own while a new version with other parameters is tried.
 */
export function toReadStatements(scope: Construct, environment: NamedEnvironment): readonly PolicyStatement[] {
  const arn = toRpcUrlsArn(scope, environment)
  const read = new PolicyStatement({ actions: ['ssm:GetParameters'], resources: [arn] })
  const keys = new Set(networks.flatMap(network => environment.rpcUrls[network]?.kmsKeyArn ?? []))
  if (keys.size === 0) return [read]
  const decrypt = new PolicyStatement({
    actions: ['kms:Decrypt'],
    resources: [...keys],
    conditions: {
      StringEquals: { 'kms:ViaService': `ssm.${Stack.of(scope).region}.amazonaws.com` },
      StringLike: { 'kms:EncryptionContext:PARAMETER_ARN': arn },
    },
  })
  return [read, decrypt]
}
