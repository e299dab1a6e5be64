import { multicall3Abi, toFunctionSelector } from 'viem'
import { expect, test } from 'vitest'
import { aggregate3, feedAbi, selectors } from '../../lambda/chain/abis.ts'

const [latestDetail, latestRoundData] = feedAbi

test('every selector matches its function’s signature', () => {
  expect(selectors).toEqual({
    aggregate3: toFunctionSelector('aggregate3((address,bool,bytes)[])'),
    getChainId: toFunctionSelector('getChainId()'),
    getCurrentBlockTimestamp: toFunctionSelector('getCurrentBlockTimestamp()'),
    arbBlockNumber: toFunctionSelector('arbBlockNumber()'),
    latestDetail: toFunctionSelector(latestDetail),
    latestRoundData: toFunctionSelector(latestRoundData),
  })
})

test('the inputs of aggregate3 are those of Multicall3', () => {
  expect(aggregate3.inputs).toEqual(multicall3Abi.find(({ name }) => name === 'aggregate3')?.inputs)
})
