import { expect, test } from 'vitest'
import { findNumberMismatches, findRecordMismatches, findRounding, mainnet } from '../../smoke/record.ts'
import { record } from '../support/smoke/reply.ts'

// test/smoke/smoke.test.ts checks every record of the service, none of which has a mismatch.
test.each([
  [{ chainId: '46630' }, 'chainId is "46630"'],
  [{ network: 'Robinhood' }, 'network is "Robinhood"'],
  [{ status: 'Closed' }, 'status is "Closed"'],
  [{ observedAtIso: '2026-10-02T23:36:47.000Z' }, 'observedAtIso is "2026-10-02T23:36:47.000Z"'],
  [{ observedAtIso: null }, 'observedAtIso is null'],
  [{ ageSeconds: '4218560' }, 'ageSeconds is "4218560"'],
  [{ explorer: { ...record.explorer, token: 'https://explorer.example/0x' } }, /^explorer.token is "https:/],
  [{ latestRoundDataReverts: 'Panic' }, 'servesLatestRoundData is true'],
])('%j is a mismatch', (change, mismatch) => {
  const expected = typeof mismatch === 'string' ? mismatch : expect.stringMatching(mismatch)
  expect(findRecordMismatches({ ...record, ...change }, mainnet)).toContainEqual(expected)
})

const { symbol, ...others } = record

test.each([
  ['a missing field', others],
  ['a field out of order', { ...others, symbol }],
  ['another field', { ...record, stack: '1' }],
])('%s is a mismatch', (_, fields) => {
  expect(findRecordMismatches(fields, mainnet)).toEqual([`its fields are ${Object.keys(fields).join(' ')}`])
})

test.each([
  [{ price: '0.00000001', answerRaw: '1' }],
  [{ price: '90071992547409.93000001', answerRaw: '9007199254740993000001' }],
  [{ price: null, answerRaw: '-5' }],
])('%j are exact', numbers => {
  expect(findNumberMismatches({ ...record, ...numbers })).toEqual([])
})

test.each([
  [{ price: '1079.90' }, 'price is "1079.90", answerRaw "107990000000"'],
  [{ price: '1080' }, 'price is "1080", answerRaw "107990000000"'],
  [{ price: null }, 'price is null, answerRaw "107990000000"'],
  [{ sharePrice: '269.9750' }, 'sharePrice is "269.9750"'],
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
