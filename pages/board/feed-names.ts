import { type Network, networks } from '../../api/networks.ts'

/** The registered feeds of each network: symbol and name of the company or fund, which is empty if the registry has none. */
export type FeedNames = Readonly<Record<Network, Readonly<Record<string, string>>>>

/** Finds the feeds of the other networks that match: the network and the symbol. */
export function findElsewhere(
  feedNames: FeedNames,
  network: Network,
  matches: (symbol: string, name: string) => boolean,
): readonly (readonly [Network, string])[] {
  return networks.flatMap(candidate => {
    if (candidate === network) return []
    const found = Object.entries(feedNames[candidate]).filter(([symbol, name]) => matches(symbol, name))
    return found.map(([symbol]) => [candidate, symbol] as const)
  })
}
