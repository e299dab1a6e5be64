import { expect, test } from 'vitest'
import { decodeFeed as decodeRow } from '../../lambda/chain/decode-feed.ts'
import { feedStatuses } from '../../lambda/feeds/price-record.ts'
import { type CallResult, encodeRow, returned, words } from '../support/chain/encoding.ts'

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

test('the last second of the year 9999 is a valid observation time', () => {
  expect(decodeFeed(returned(words(0n, 1n, 253_402_300_799n, 1n, 1n)), returned(round))).toMatchObject({
    detail: { observedAt: 253_402_300_799 },
  })
})
