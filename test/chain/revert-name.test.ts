import { encodeErrorResult, type Hex, toFunctionSelector } from 'viem'
import { expect, test } from 'vitest'
import { feedAbi } from '../../lambda/chain/abis.ts'
import { toRevertName } from '../../lambda/chain/revert-name.ts'

test('every error of the feed’s ABI is named, and Solidity’s own two (D14)', () => {
  expect(toRevertName(encodeErrorResult({ abi: feedAbi, errorName: 'FeedUnavailable', args: [6] }))).toBe(
    'FeedUnavailable',
  )
  expect(toRevertName(encodeErrorResult({ abi: feedAbi, errorName: 'NoHistory' }))).toBe('NoHistory')
  expect(toRevertName(toFunctionSelector('Error(string)'))).toBe('Error')
  expect(toRevertName(toFunctionSelector('Panic(uint256)'))).toBe('Panic')
})

test.each<[Hex, string]>([
  ['0x1234abcd', '0x1234abcd'],
  ['0x1234abcd00000000', '0x1234abcd'],
  ['0x', 'unnamed'],
  ['0xe3f18f', 'unnamed'],
])('revert data %s is named %s (D14)', (revertData, name) => {
  expect(toRevertName(revertData)).toBe(name)
})
