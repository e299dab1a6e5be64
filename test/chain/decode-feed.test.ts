import { encodeAbiParameters, encodeErrorResult, type Hex, toFunctionSelector } from 'viem'
import { expect, test } from 'vitest'
import { feedAbi } from '../../lambda/chain/abis.ts'
import { decodeFeed, toRevertName } from '../../lambda/chain/decode-feed.ts'
import { feedStatuses } from '../../lambda/feeds/price-record.ts'

const answered = (returnData: Hex) => ({ success: true, returnData })
const reverted = (returnData: Hex) => ({ success: false, returnData })
const words = (...values: bigint[]): Hex => `0x${values.map(value => value.toString(16).padStart(64, '0')).join('')}`

const detail = words(1n, 107_990_000_000n, 1_790_984_206n, 26_997_500_000n, 4n * 10n ** 18n)
const round = words(1_790_984_206n, 107_990_000_000n, 1_790_984_206n, 1_790_984_206n, 1_790_984_206n)

test('both answers are read', () => {
  expect(decodeFeed(answered(detail), answered(round))).toEqual({
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

test('each of the seven statuses has its label at the contract’s value (D12)', () => {
  const labels = feedStatuses.map((_, value) => {
    const reading = decodeFeed(answered(words(BigInt(value), 1n, 1n, 1n, 1n)), answered(round))
    return 'unreadable' in reading ? undefined : reading.detail.status
  })
  expect(labels).toEqual(['OK', 'Market closed', 'Stale', 'Oracle paused', 'Straddle', 'Corporate action', 'No data'])
})

test('integers of a full word keep their sign and every digit (D3)', () => {
  const min = -(2n ** 255n)
  const [quoteAndRest] = [
    encodeAbiParameters(feedAbi[0].outputs, [{ status: 0, answer: min, observedAt: 1n }, min + 1n, 2n ** 256n - 1n]),
  ]
  expect(decodeFeed(answered(quoteAndRest), answered(round))).toMatchObject({
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
  ['has no code', answered('0x'), 'no contract is at its address'],
  ['answers too little', answered(detail.slice(0, -2) as Hex), 'latestDetail() answered malformed data'],
  ['answers too much', answered(`${detail}00`), 'latestDetail() answered malformed data'],
  [
    'has dirty bits in its status',
    answered(words(2n ** 200n, 1n, 1n, 1n, 1n)),
    'latestDetail() answered malformed data',
  ],
  ['has dirty bits in its time', answered(words(0n, 1n, 2n ** 64n, 1n, 1n)), 'latestDetail() answered malformed data'],
  ['has an eighth status', answered(words(7n, 1n, 1n, 1n, 1n)), 'its status is none of the seven'],
  ['has status 255', answered(words(255n, 1n, 1n, 1n, 1n)), 'its status is none of the seven'],
  [
    'observed in the year 10000',
    answered(words(0n, 1n, 253_402_300_800n, 1n, 1n)),
    'it observed its price after the year 9999',
  ],
])('a feed that %s is unreadable (D19)', (_, row, reason) => {
  const reading = decodeFeed(row, answered(round))
  expect(reading).toEqual({ unreadable: reason })
})

test('the last second of the year 9999 can still be said', () => {
  expect(decodeFeed(answered(words(0n, 1n, 253_402_300_799n, 1n, 1n)), answered(round))).toMatchObject({
    detail: { observedAt: 253_402_300_799 },
  })
})

test.each<[string, Hex]>([
  ['nothing', '0x'],
  ['too little', round.slice(0, -2) as Hex],
  ['too much', `${round}00`],
  ['a round id beyond 80 bits', words(2n ** 80n, 107_990_000_000n, 1n, 1n, 1n)],
])('a round of %s is malformed, which is no revert (D13)', (_, returnData) => {
  expect(decodeFeed(answered(detail), answered(returnData))).toMatchObject({ round: 'malformed' })
})

test('a round that reverts has its error’s name (D14)', () => {
  const unavailable = encodeErrorResult({ abi: feedAbi, errorName: 'FeedUnavailable', args: [1] })
  expect(decodeFeed(answered(detail), reverted(unavailable))).toMatchObject({ round: { reverts: 'FeedUnavailable' } })
  expect(decodeFeed(answered(detail), reverted('0x'))).toMatchObject({ round: { reverts: 'unnamed' } })
})

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
