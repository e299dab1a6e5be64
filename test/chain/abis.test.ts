import { multicall3Abi, toFunctionSelector } from 'viem'
import { expect, test } from 'vitest'
import { aggregate3, feedAbi, selectors } from '../../lambda/chain/abis.ts'

const [latestDetail, latestRoundData] = feedAbi

test('every selector is that of its function', () => {
  expect(selectors).toEqual({
    aggregate3: toFunctionSelector('aggregate3((address,bool,bytes)[])'),
    getChainId: toFunctionSelector('getChainId()'),
    getCurrentBlockTimestamp: toFunctionSelector('getCurrentBlockTimestamp()'),
    arbBlockNumber: toFunctionSelector('arbBlockNumber()'),
    latestDetail: toFunctionSelector(latestDetail),
    latestRoundData: toFunctionSelector(latestRoundData),
  })
})

test('aggregate3 takes what Multicall3 takes', () => {
  expect(aggregate3.inputs).toEqual(multicall3Abi.find(({ name }) => name === 'aggregate3')?.inputs)
})
