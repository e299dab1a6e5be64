import { robinhood, robinhoodTestnet } from 'viem/chains'
import type { Network } from '../feeds/registry.ts'

/** The chain behind each of our network names. */
export const chains = { mainnet: robinhood, testnet: robinhoodTestnet } as const satisfies Record<Network, object>
