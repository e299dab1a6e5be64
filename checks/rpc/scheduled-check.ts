import { defaultNetwork, type Network, networks } from '../../api/networks.ts'
import { Problem } from '../../api/problems.ts'
import { loadRpcUrls } from '../../lambda/rpc-urls/load-rpc-urls.ts'
import { parseSettings, type Settings } from '../../lambda/settings.ts'
import { checkRpc } from './report.ts'

/**
 * Handles an invocation of `RpcCheck`, a function that the stack runs every hour. Checks the RPC URLs of each network
 * as the command `check-rpc` does, and logs what was found for each network whose URLs are not usable.
 *
 * @throws {Error} when the URLs of the default network are not usable, so that Lambda counts an error
 */
export async function handler(): Promise<void> {
  const settings = parseSettings(process.env)
  const unusable: Network[] = []
  for (const network of networks) {
    const { isUsable, lines } = await check(network, settings)
    if (isUsable) continue
    unusable.push(network)
    console.warn({ check: 'rpc-urls', network, detail: lines })
  }
  if (unusable.includes(defaultNetwork)) throw new Error(`The RPC URLs of the ${defaultNetwork} are not usable`)
}

/** Checks the RPC URLs of a network. The lines have no part of a URL (D25). */
async function check(
  network: Network,
  settings: Settings,
): Promise<{ readonly isUsable: boolean; readonly lines: readonly string[] }> {
  const { rpcUrls, upstreamFaults } = await loadRpcUrls(network, settings).loaded
  // Parameter Store failed, or the parameter is no longer usable while the URLs of an earlier load are cached.
  if (upstreamFaults.length > 0) return { isUsable: false, lines: ['parameter-store'] }
  if (rpcUrls instanceof Problem) return { isUsable: false, lines: [rpcUrls.slug] }
  const { endpoints, comparison, isUsable } = await checkRpc(network, rpcUrls)
  const ofEndpoints = endpoints.flatMap(({ name, lines }) => lines.map(line => `${name}: ${line}`))
  return { isUsable, lines: [...ofEndpoints, ...comparison] }
}
