import { type Network, networks } from '../../../api/networks.ts'
import { feedsOf, findFeed } from '../../../lambda/feeds/registry.ts'

/** Returns a symbol of a network that no other has. */
export function onlyOn(network: Network): string {
  const otherNetworks = networks.filter(candidate => candidate !== network)
  const only = feedsOf(network).find(({ symbol }) =>
    otherNetworks.every(otherNetwork => findFeed(otherNetwork, symbol) === undefined),
  )
  if (only === undefined) throw new Error(`Every symbol of the ${network} is on another network too.`)
  return only.symbol
}
