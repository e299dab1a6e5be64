import { robinhood, robinhoodTestnet } from 'viem/chains'
import type { Network } from '../feeds/registry.ts'

/** The chain behind each of our network names, and what we hold true of its head. */
export const chains = {
  mainnet: { chain: robinhood, maxHeadAgeSeconds: 60 },
  // An idle chain makes no blocks, so the testnet's head may be of any age.
  testnet: { chain: robinhoodTestnet, maxHeadAgeSeconds: Number.POSITIVE_INFINITY },
} as const satisfies Record<Network, object>
