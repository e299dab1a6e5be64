import type { Chain } from 'viem'
import { robinhood, robinhoodTestnet } from 'viem/chains'
import { keysOf } from './keys-of.ts'

interface NetworkFacts {
  readonly chain: Chain
  /**
   * The chain's public RPC URL, which limits the rate. It is the value of the parameter that a stack creates: after a
   * change here, the next deployment overwrites that parameter.
   */
  readonly rpcUrl: string
  /**
   * Maximum age of the latest block. Undefined for a chain that is often idle: an idle chain makes no blocks, so its
   * latest block may be of any age.
   */
  readonly maxHeadAgeSeconds: number | undefined
}

/** Every network, the default first. */
export const networkFacts = {
  mainnet: { chain: robinhood, rpcUrl: 'https://rpc.mainnet.chain.robinhood.com', maxHeadAgeSeconds: 60 },
  testnet: { chain: robinhoodTestnet, rpcUrl: 'https://rpc.testnet.chain.robinhood.com', maxHeadAgeSeconds: undefined },
} as const satisfies Record<string, NetworkFacts>

/** The name of a network, as in `?network=testnet`. */
export type Network = keyof typeof networkFacts

export const defaultNetwork = 'mainnet' satisfies Network

export const networks: readonly Network[] = keysOf(networkFacts)

/** Formats the names of all networks for a sentence: `"mainnet", which is the default, or "testnet"`. */
export function formatNetworks(): string {
  const [first, ...rest] = networks.map(network => `"${network}"`)
  return `${first}, which is the default${rest.map(network => `, or ${network}`).join('')}`
}

export function isNetwork(text: string): text is Network {
  return Object.hasOwn(networkFacts, text)
}

/** Creates a value for each network, as in `{ mainnet: 21, testnet: 6 }`. */
export function ofEachNetwork<Value>(create: (network: Network) => Value): Readonly<Record<Network, Value>> {
  const entries = networks.map(network => [network, create(network)])
  return Object.fromEntries(entries)
}

/** Returns the query of a path that selects a network: empty for the default. */
export function toQuery(network: Network): string {
  return network === defaultNetwork ? '' : `?network=${network}`
}
