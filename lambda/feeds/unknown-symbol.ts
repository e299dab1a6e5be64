import { type Network, toQuery } from '../networks.ts'
import { Problem } from '../problems.ts'

/**
 * Creates the problem of a symbol that a network does not have (D7).
 *
 * @param hints from `toHint`, one for each network that has it
 */
export function toUnknownSymbol(network: Network, hints: string): Problem {
  return new Problem('unknown-symbol', { network, list: `/price${toQuery(network)}`, hints })
}

/**
 * Formats where a symbol is.
 *
 * @param symbol in the registry's spelling, never in the caller's
 */
export function toHint(network: Network, symbol: string): string {
  return ` The ${network} has one: GET /price/${symbol}${toQuery(network)} reads it.`
}
