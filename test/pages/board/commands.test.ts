import { getAbiItem, toFunctionSignature } from 'viem'
import { robinhood, robinhoodTestnet } from 'viem/chains'
import { formatAbiParams } from 'viem/utils'
import { expect, test } from 'vitest'
import { networkFacts } from '../../../api/networks.ts'
import { toCastLines, toCurlLine } from '../../../pages/board/commands.ts'
import { feedAbi } from '../../support/chain/feed-abi.ts'

const record = { feed: '0x84Ad4c99b6AB003b97943E9c48aF73ba20B5Cc77', block: 79_242_033 } as const

test('the cast lines have the signatures of the functions that the service calls', () => {
  const signatures = (['latestDetail', 'latestRoundData'] as const).map(name => {
    const called = getAbiItem({ abi: feedAbi, name })
    return `${toFunctionSignature(called)}(${formatAbiParams(called.outputs)})`
  })
  expect(toCastLines(record, networkFacts.mainnet.rpcUrl).map(line => line.split("'")[1])).toEqual(signatures)
})

test('the cast lines call the feed at the record’s block, at the chain’s public RPC URL', () => {
  const chains = { mainnet: robinhood, testnet: robinhoodTestnet }
  for (const network of ['mainnet', 'testnet'] as const) {
    const rpcUrl = chains[network].rpcUrls.default.http[0]
    const around = toCastLines(record, networkFacts[network].rpcUrl).map(line => line.replace(/'.*'/, '…'))
    const expected = `cast call ${record.feed} … --block ${record.block} --rpc-url ${rpcUrl}`
    expect(around).toEqual([expected, expected])
  }
})

test('the curl line has the record’s URL in quotes, which a quote in a symbol cannot end', () => {
  expect(toCurlLine('https://api.example/v1/price/TSLA?network=testnet')).toBe(
    "curl 'https://api.example/v1/price/TSLA?network=testnet'",
  )
  expect(toCurlLine(`https://api.example/v1/price/${encodeURIComponent("'; echo '")}`).split("'")).toHaveLength(3)
})
