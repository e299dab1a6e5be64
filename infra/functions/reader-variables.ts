import { type Network, networks, ofEachNetwork } from '../../api/networks.ts'
import { maxRpcUrls } from '../../lambda/endpoints.ts'
import { toVariables } from '../../lambda/settings.ts'
import type { RpcUrlsParameter } from './rpc-urls-parameters.ts'

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
