import { encodeErrorResult, type Hex, toFunctionSelector } from 'viem'
import { expect, test } from 'vitest'
import { decodeFeed as decodeRow } from '../../lambda/chain/decode-feed.ts'
import { Fault } from '../../lambda/faults.ts'
import { feedStatuses } from '../../lambda/feeds/price-record.ts'
import { type CallResult, concat, encodeRow, returned, reverted, rowWithoutCode, words } from './encoding.ts'
import { feedAbi } from './feed-abi.ts'

const feed = { symbol: 'A', address: '0x1000', token: '0x2000' } as const
const decodeFeed = (latestDetail: CallResult, latestRoundData: CallResult) =>
  decodeRow(feed, encodeRow(latestDetail, latestRoundData).slice(2))

const detail = words(1n, 107_990_000_000n, 1_790_984_206n, 26_997_500_000n, 4n * 10n ** 18n)
const round = words(1_790_984_206n, 107_990_000_000n, 1_790_984_206n, 1_790_984_206n, 1_790_984_206n)

test('both functions’ return data is decoded', () => {
  expect(decodeFeed(returned(detail), returned(round))).toEqual({
    feed,
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

test.each<[string, CallResult, string]>([
  ['reverts without data', reverted('0x'), 'latestDetail() reverted or ran out of gas'],
  ['reverts with half a selector', reverted('0xe3f1'), 'latestDetail() reverted with an unnamed error'],
  [
    'reverts by name',
    reverted(encodeErrorResult({ abi: feedAbi, errorName: 'NoHistory' })),
    'latestDetail() reverted with NoHistory',
  ],
  ['returns nothing', returned('0x'), 'latestDetail() returned no data'],
  ['returns too little', returned(detail.slice(0, -2) as Hex), 'latestDetail() returned malformed data'],
  ['returns too much', returned(`${detail}00`), 'latestDetail() returned malformed data'],
  [
    'has dirty bits in its status',
    returned(words(2n ** 200n, 1n, 1n, 1n, 1n)),
    'latestDetail() returned malformed data',
  ],
  ['has dirty bits in its time', returned(words(0n, 1n, 2n ** 64n, 1n, 1n)), 'latestDetail() returned malformed data'],
  ['has an eighth status', returned(words(7n, 1n, 1n, 1n, 1n)), 'its status is none of the seven'],
  ['has status 255', returned(words(255n, 1n, 1n, 1n, 1n)), 'its status is none of the seven'],
  [
    'observed in the year 10000',
    returned(words(0n, 1n, 253_402_300_800n, 1n, 1n)),
    'it observed its price after the year 9999',
  ],
])('a feed that %s is unreadable (D19)', (_, row, reason) => {
  expect(decodeFeed(row, returned(round))).toEqual({ feed, unreadable: reason })
})

/** Changes one word of a row: the size of the code, the end of `latestDetail()`, its output, the end of `latestRoundData()`, its output. */
const withWord = (index: number, word: bigint, row = encodeRow(returned(detail), returned(round))) =>
  concat(row.slice(0, 2 + 64 * index) as Hex, words(word), `0x${row.slice(2 + 64 * (index + 1))}`)

test('only a feed without code has no contract at its address (D18)', () => {
  const noContract = { feed, unreadable: 'no contract is at its address' }
  expect(decodeRow(feed, rowWithoutCode.slice(2))).toEqual(noContract)
  // As of a precompile.
  expect(decodeRow(feed, withWord(0, 0n).slice(2))).toEqual(noContract)
})

test.each<[string, Hex]>([
  ['a size of code that is no safe integer', withWord(0, 2n ** 53n)],
  ['success 2 of latestDetail()', withWord(1, (2n << 128n) + 160n)],
  ['success 2 of latestRoundData()', withWord(7, (2n << 128n) + 160n)],
  ['a size that is no safe integer', withWord(1, (1n << 128n) + 2n ** 53n)],
  [
    'bytes behind the end of latestDetail()',
    withWord(1, (1n << 128n) + 159n, encodeRow(returned(words(0, 1, 1, 1, 1)), returned(round))),
  ],
  ['bytes behind the end of latestRoundData()', withWord(7, 4n)],
  ['bytes of a call that returned none', withWord(12, 1n, encodeRow(returned(detail), reverted('0x')))],
])('a row with %s is a fault, because the program cannot return it (D23)', (_, row) => {
  expect(() => decodeRow(feed, row.slice(2))).toThrow(new Fault('malformed-result'))
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

test.each<[Hex, string]>([
  [encodeErrorResult({ abi: feedAbi, errorName: 'FeedUnavailable', args: [6] }), 'FeedUnavailable'],
  [encodeErrorResult({ abi: feedAbi, errorName: 'NoHistory' }), 'NoHistory'],
  [toFunctionSelector('Error(string)'), 'Error'],
  [toFunctionSelector('Panic(uint256)'), 'Panic'],
  ['0x1234abcd', '0x1234abcd'],
  ['0x1234abcd00000000', '0x1234abcd'],
  [`0x1234abcd${'00'.repeat(1_000)}`, '0x1234abcd'],
  ['0x', 'unnamed'],
  ['0xe3f18f', 'unnamed'],
])('revert data %s is named %s (D14)', (revertData, name) => {
  expect(decodeFeed(returned(detail), reverted(revertData))).toMatchObject({ round: { reverts: name } })
})
