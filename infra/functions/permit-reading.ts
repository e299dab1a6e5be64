import type { Function as NodeFunction } from 'aws-cdk-lib/aws-lambda'
import type { IConstruct } from 'constructs'
import { type Network, networks, ofEachNetwork } from '../../api/networks.ts'
import { maxRpcUrls } from '../../lambda/endpoints.ts'
import { toVariables } from '../../lambda/settings.ts'
import type { NamedEnvironment } from '../environments.ts'
import { acknowledgeWildcard } from './acknowledge-wildcard.ts'
import { type RpcUrlsParameter, toReadStatements, toRpcUrlsArn } from './rpc-urls-parameters.ts'

/**
 * Returns the variables of a function that reads the chain: the names of the parameters with its RPC URLs, the public
 * URL if there is one, and the number of threads of its process.
 *
 * @param publicBaseUrl the URL at which callers find the API; undefined for API Gateway's own URL
 */
export function toReaderVariables(
  rpcUrls: Readonly<Record<Network, RpcUrlsParameter>>,
  publicBaseUrl: string | undefined,
): Record<string, string> {
  const rpcUrlsParameters = ofEachNetwork(network => rpcUrls[network].name)
  return { ...toVariables({ rpcUrlsParameters, publicBaseUrl }), UV_THREADPOOL_SIZE: String(threads) }
}

/**
 * Threads of a function's process. Half of them look up names. A name that hangs occupies a thread until the resolver
 * gives up. Each RPC URL can have a name of its own, and that of Parameter Store is looked up again with each attempt.
 *
 * @see https://docs.libuv.org/en/v1.x/threadpool.html
 */
const threads = 2 * (maxRpcUrls * networks.length + 6)

/**
 * Permits a function to read the RPC URLs of its environment.
 *
 * @returns what has the permissions: the role of the function
 */
export function permitReading(handler: NodeFunction, environment: NamedEnvironment): IConstruct {
  for (const statement of toReadStatements(handler, environment)) handler.addToRolePolicy(statement)
  const reason = 'Every parameter below the path holds RPC URLs of this environment, for this version or another.'
  const role = handler.role ?? handler
  acknowledgeWildcard(role, toRpcUrlsArn(handler, environment), reason)
  return role
}
