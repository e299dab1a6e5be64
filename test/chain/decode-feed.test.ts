import { encodeErrorResult, type Hex, toFunctionSelector } from 'viem'
import { expect, test } from 'vitest'
import { feedAbi } from '../../lambda/chain/abis.ts'
import { decodeFeed, toRevertName } from '../../lambda/chain/decode-feed.ts'
import { feedStatuses } from '../../lambda/feeds/price-record.ts'
import { returned, reverted, words } from './encoding.ts'

const detail = words(1n, 107_990_000_000n, 1_790_984_206n, 26_997_500_000n, 4n * 10n ** 18n)
const round = words(1_790_984_206n, 107_990_000_000n, 1_790_984_206n, 1_790_984_206n, 1_790_984_206n)

test('both functions’ return data is decoded', () => {
  expect(decodeFeed(returned(detail), returned(round))).toEqual({
    detail: {
      status: 'Market closed',
      answer: 107_990_000_000n,
      observedAt: 1_790_984_206,
      sharePrice: 26_997_500_000n,
      multiplier: 4_000_000_000_000_000_000n,
    },
    round: { answer: 107_990_000_000n },
  })
})

test('each of the seven statuses has the contract’s enum value (D12)', () => {
  const labels = feedStatuses.map((_, value) => {
    const reading = decodeFeed(returned(words(BigInt(value), 1n, 1n, 1n, 1n)), returned(round))
    return 'unreadable' in reading ? undefined : reading.detail.status
  })
  expect(labels).toEqual(['OK', 'Market closed', 'Stale', 'Oracle paused', 'Straddle', 'Corporate action', 'No data'])
})

test('integers of a full word keep their sign and every digit (D3)', () => {
  const min = -(2n ** 255n)
  const extremes = words(0, min, 1, min + 1n, 2n ** 256n - 1n)
  expect(decodeFeed(returned(extremes), returned(round))).toMatchObject({
    detail: { answer: min, sharePrice: min + 1n, multiplier: 2n ** 256n - 1n },
  })
})

test.each<[string, { success: boolean; returnData: Hex }, string]>([
  ['reverts without data', reverted('0x'), 'latestDetail() reverted with an unnamed error'],
  [
    'reverts by name',
    reverted(encodeErrorResult({ abi: feedAbi, errorName: 'NoHistory' })),
    'latestDetail() reverted with NoHistory',
  ],
  ['has no code', returned('0x'), 'no contract is at its address'],
  ['returns too little', returned(detail.slice(0, -2) as Hex), 'latestDetail() answered malformed data'],
  ['returns too much', returned(`${detail}00`), 'latestDetail() answered malformed data'],
  [
    'has dirty bits in its status',
    returned(words(2n ** 200n, 1n, 1n, 1n, 1n)),
    'latestDetail() answered malformed data',
  ],
  ['has dirty bits in its time', returned(words(0n, 1n, 2n ** 64n, 1n, 1n)), 'latestDetail() answered malformed data'],
  ['has an eighth status', returned(words(7n, 1n, 1n, 1n, 1n)), 'its status is none of the seven'],
  ['has status 255', returned(words(255n, 1n, 1n, 1n, 1n)), 'its status is none of the seven'],
  [
    'observed in the year 10000',
    returned(words(0n, 1n, 253_402_300_800n, 1n, 1n)),
    'it observed its price after the year 9999',
  ],
])('a feed that %s is unreadable (D19)', (_, row, reason) => {
  expect(decodeFeed(row, returned(round))).toEqual({ unreadable: reason })
})

test('the last second of the year 9999 is a valid observation time', () => {
  expect(decodeFeed(returned(words(0n, 1n, 253_402_300_799n, 1n, 1n)), returned(round))).toMatchObject({
    detail: { observedAt: 253_402_300_799 },
  })
})

test.each<[string, Hex]>([
  ['nothing', '0x'],
  ['too little', round.slice(0, -2) as Hex],
  ['too much', `${round}00`],
  ['a round id beyond 80 bits', words(2n ** 80n, 107_990_000_000n, 1n, 1n, 1n)],
])('a round of %s is malformed, not reverted (D13)', (_, returnData) => {
  expect(decodeFeed(returned(detail), returned(returnData))).toMatchObject({ round: 'malformed' })
})

test('a round that reverts has the name of its error (D14)', () => {
  const unavailable = encodeErrorResult({ abi: feedAbi, errorName: 'FeedUnavailable', args: [1] })
  expect(decodeFeed(returned(detail), reverted(unavailable))).toMatchObject({ round: { reverts: 'FeedUnavailable' } })
  expect(decodeFeed(returned(detail), reverted('0x'))).toMatchObject({ round: { reverts: 'unnamed' } })
})

test('the errors of the feed’s ABI and of Solidity have their names (D14)', () => {
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
