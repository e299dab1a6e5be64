import { keysOf } from './keys-of.ts'

/** What is shown of a chain. Its values are those of viem, whose objects would be in the board as a whole (D5). */
export interface ServedChain {
  readonly id: number
  readonly name: string
  readonly explorerUrl: string
}

interface NetworkFacts {
  readonly chain: ServedChain
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
  mainnet: {
    chain: { id: 4663, name: 'Robinhood Chain', explorerUrl: 'https://robinhoodchain.blockscout.com' },
    rpcUrl: 'https://rpc.mainnet.chain.robinhood.com',
    maxHeadAgeSeconds: 60,
  },
  testnet: {
    chain: { id: 46630, name: 'Robinhood Chain Testnet', explorerUrl: 'https://explorer.testnet.chain.robinhood.com' },
    rpcUrl: 'https://rpc.testnet.chain.robinhood.com',
    maxHeadAgeSeconds: undefined,
  },
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
