import { Problem } from '../problems.ts'
import type { Network } from './registry.ts'

const queries: Record<Network, string> = { mainnet: '', testnet: '?network=testnet' }

/**
 * Creates the problem of a symbol that a network does not have (D7).
 *
 * @param elsewhere the symbol on the other network, in the registry's spelling and never in the caller's; undefined if that lacks it too
 */
export function toUnknownSymbol(network: Network, elsewhere: string | undefined): Problem {
  const other = network === 'mainnet' ? 'testnet' : 'mainnet'
  const hint = ` The ${other} has one: GET /price/${elsewhere}${queries[other]} reads it.`
  const list = `/price${queries[network]}`
  return new Problem('unknown-symbol', { network, list, elsewhere: elsewhere === undefined ? '' : hint })
}
