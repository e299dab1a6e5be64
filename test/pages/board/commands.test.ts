import { getAbiItem, toFunctionSignature } from 'viem'
import { robinhood, robinhoodTestnet } from 'viem/chains'
import { formatAbiParams } from 'viem/utils'
import { expect, test } from 'vitest'
import { networkFacts } from '../../../api/networks.ts'
import { toCastLine, toCurlLine } from '../../../pages/board/commands.ts'
import { feedAbi } from '../../support/chain/feed-abi.ts'

const record = { feed: '0x84Ad4c99b6AB003b97943E9c48aF73ba20B5Cc77', block: 79_242_033 } as const

test.for(['latestDetail', 'latestRoundData'] as const)(
  'the cast line of %s has the signature that the service calls, the record’s block and the chain’s public RPC URL',
  name => {
    const called = getAbiItem({ abi: feedAbi, name })
    const signature = `${toFunctionSignature(called)}(${formatAbiParams(called.outputs)})`
    const chains = { mainnet: robinhood, testnet: robinhoodTestnet }
    for (const network of ['mainnet', 'testnet'] as const) {
      const rpcUrl = chains[network].rpcUrls.default.http[0]
      expect(toCastLine(name, record, networkFacts[network].rpcUrl)).toBe(
        `cast call ${record.feed} '${signature}' --block ${record.block} --rpc-url ${rpcUrl}`,
      )
    }
  },
)

test('a quote in a symbol cannot end the quotes of the curl line', () => {
  expect(toCurlLine(`https://api.example/v1/price/${encodeURIComponent("'; echo '")}`).split("'")).toHaveLength(3)
})
