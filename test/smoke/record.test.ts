import { expect, test } from 'vitest'
import { findNumberMismatches, findRecordMismatches, findRounding, mainnet } from '../../smoke/record.ts'
import { record } from '../support/smoke/reply.ts'

test('the record of the specification has no mismatch', () => {
  expect(findRecordMismatches(record, mainnet)).toEqual([])
  expect(findNumberMismatches(record)).toEqual([])
})

test('a feed without a price has nulls, and the error of latestRoundData() after servesLatestRoundData', () => {
  const nothing = { price: null, sharePrice: null, multiplier: null, observedAt: null, observedAtIso: null }
  const entries = Object.entries({
    ...record,
    ...nothing,
    ageSeconds: null,
    answerRaw: '0',
    servesLatestRoundData: false,
  })
  const empty = Object.fromEntries(entries.toSpliced(5, 0, ['latestRoundDataReverts', 'NoHistory']))
  expect(findRecordMismatches(empty, mainnet)).toEqual([])
  expect(findNumberMismatches(empty)).toEqual([])
})

test.each([
  [{ chainId: '46630' }, 'chainId is "46630"'],
  [{ network: 'Robinhood' }, 'network is "Robinhood"'],
  [{ observedAtIso: '2026-10-02T23:36:47.000Z' }, 'observedAtIso is "2026-10-02T23:36:47.000Z"'],
  [{ observedAtIso: null }, 'observedAtIso is null'],
  [{ ageSeconds: '4218560' }, 'ageSeconds is "4218560"'],
  [
    { explorer: { ...record.explorer, token: 'https://explorer.example/address/0x' } },
    'explorer.token is "https://explorer.example/address/0x"',
  ],
  [{ stack: '1' }, expect.stringMatching(/^its fields are symbol .* readAt stack$/)],
])('%j is a mismatch', (change, mismatch) => {
  expect(findRecordMismatches({ ...record, ...change }, mainnet)).toEqual([mismatch])
})

test('an error beside servesLatestRoundData: true, a missing field and one out of order are mismatches', () => {
  const entries = Object.entries(record)
  const mismatchesOf = (changed: typeof entries) => findRecordMismatches(Object.fromEntries(changed), mainnet)
  const reverting = entries.toSpliced(5, 0, ['latestRoundDataReverts', 'Panic'])
  expect(mismatchesOf(reverting)).toEqual(['servesLatestRoundData is true'])
  expect(mismatchesOf(entries.slice(1))).toEqual([expect.stringMatching(/^its fields are network chainId /)])
  expect(mismatchesOf(entries.toSpliced(13, 1).toSpliced(14, 0, ['feed', record.feed]))).toEqual([
    expect.stringMatching(/ decimals token feed explorer /),
  ])
})

test.each([
  [{ price: '1079.9', answerRaw: '107990000000' }],
  [{ price: '1', answerRaw: '100000000' }],
  [{ price: '0.00000001', answerRaw: '1' }],
  [{ price: '90071992547409.93000001', answerRaw: '9007199254740993000001' }],
  [{ price: null, answerRaw: '0' }],
  [{ price: null, answerRaw: '-5' }],
])('%j are exact', numbers => {
  expect(findNumberMismatches({ ...record, ...numbers })).toEqual([])
})

test.each([
  [{ price: '1079.90' }, 'price is "1079.90", answerRaw "107990000000"'],
  [{ price: '1.0799e3' }, 'price is "1.0799e3", answerRaw "107990000000"'],
  [{ price: '1079.9000000001' }, 'price is "1079.9000000001", answerRaw "107990000000"'],
  [{ price: '1080' }, 'price is "1080", answerRaw "107990000000"'],
  [{ price: null }, 'price is null, answerRaw "107990000000"'],
  [{ multiplier: '1.0' }, 'multiplier is "1.0"'],
  [{ multiplier: '1e0' }, 'multiplier is "1e0"'],
  [{ multiplier: '-1' }, 'multiplier is "-1"'],
  [{ multiplier: '1.0005660800610924361' }, 'multiplier is "1.0005660800610924361"'],
])('%j is not exact', (number, mismatch) => {
  expect(findNumberMismatches({ ...record, ...number })).toEqual([mismatch])
})

test.each([
  [['1.0005660800610924', '1.0019027713403381', '4'], 1],
  [['1.0005660800610924', '1.00190277134033811'], 0],
  // Short multipliers and a single long one prove nothing.
  [['4', '10', '1.0005'], 0],
  [['1.0005660800610924', '4'], 0],
])('the multipliers %j have %i signs of rounding', (multipliers, count) => {
  expect(findRounding(multipliers)).toHaveLength(count)
})
