import { feedsOf } from '../../lambda/feeds/registry.ts'
import type { Network } from '../../lambda/networks.ts'

/** One request of the load, and its expected status. */
export interface LoadRequest {
  readonly path: string
  readonly network: Network
  /** Undefined for the list. */
  readonly symbol: string | undefined
  readonly status: 200 | 400 | 404
}

/** Returns the same sequence of requests every time: prices of both networks, lists, and unknown symbols and networks. */
export function createRequests(): () => LoadRequest {
  let state = 4_663
  const random = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  return () => {
    const network = random(3) === 0 ? 'testnet' : 'mainnet'
    const query = network === 'testnet' ? '?network=testnet' : random(2) === 0 ? '' : '?network=mainnet'
    const kind = random(20)
    if (kind < 2) return { path: `/price${query}`, network, symbol: undefined, status: 200 }
    if (kind === 2) return { path: `/price/NOPE${random(1_000)}${query}`, network, symbol: 'NOPE', status: 404 }
    if (kind === 3) return { path: `/price/AMD?network=moon${random(1_000)}`, network, symbol: 'AMD', status: 400 }
    const feeds = feedsOf(network)
    const symbol = feeds[random(feeds.length)]?.symbol ?? ''
    const spelling = random(2) === 0 ? symbol : symbol.toLowerCase()
    return { path: `/price/${spelling}${query}`, network, symbol, status: 200 }
  }
}
