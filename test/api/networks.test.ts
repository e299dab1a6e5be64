import { robinhood, robinhoodTestnet } from 'viem/chains'
import { expect, test } from 'vitest'
import { networkFacts } from '../../api/networks.ts'

test.each([
  ['mainnet', robinhood],
  ['testnet', robinhoodTestnet],
] as const)("the name, the id and the explorer of the %s are viem's (D5)", (network, chain) => {
  const { id, name, blockExplorers } = chain
  expect(networkFacts[network].chain).toEqual({ id, name, explorerUrl: blockExplorers.default.url })
})
