import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  formatExactly,
  isList,
  isRecord,
  isUnreadable,
  parseExactly,
  type ShownRecord,
} from '../../board/price-response.ts'
import { type Reading, toListText, toShownList } from '../support/board/real-list.ts'
import { toRuns } from '../support/fuzz/runs.ts'

const multiplier = 1_000_566_080_061_092_436n

test('eighteen digits are kept, where a double would round them', () => {
  const [entry] = toShownList({ answer: 27_184_930_217n, sharePrice: 27_169_550_076n, multiplier }).feeds
  expect(entry).toMatchObject({
    price: '271.84930217',
    sharePrice: '271.69550076',
    multiplier: '1.000566080061092436',
  })
  expect(JSON.parse(toListText({ multiplier })).feeds[0].multiplier).toBe(1.0005660800610925)
})

test('a formatted record is the API’s own text, except for white space', () => {
  const readings: fc.Arbitrary<Reading> = fc.oneof(
    fc.constant('no data' as const),
    fc.record({
      answer: fc.bigInt({ min: 1n, max: 2n ** 255n - 1n }),
      sharePrice: fc.bigInt({ min: 1n, max: 2n ** 255n - 1n }),
      multiplier: fc.bigInt({ min: 1n, max: 2n ** 256n - 1n }),
      served: fc.boolean(),
    }),
  )
  fc.assert(
    fc.property(readings, one => {
      const [, entryText = ''] = /"feeds":\[(.*)\]\}$/s.exec(toListText(one)) ?? []
      const entry = parseExactly(entryText) as ShownRecord
      const written = formatExactly(entry)
      expect(written.replaceAll(/\n */g, '').replaceAll(/": /g, '":')).toBe(entryText)
    }),
    toRuns(500),
  )
})

test('a string that contains the name of a field is not changed', () => {
  const text = JSON.stringify({ detail: '"price":1.50, "multiplier":2', price: 'none' })
  expect(parseExactly(text)).toEqual(JSON.parse(text))
})

const list = toShownList({ served: false }, 'no data', 'unreadable')
const [record, none, unreadable] = list.feeds

test('the API’s list is a list, and its entries are records, except for unreadable feeds', () => {
  expect(isList(list)).toBe(true)
  expect([record, none, unreadable].map(isRecord)).toEqual([true, true, false])
  expect(list.feeds.map(isUnreadable)).toEqual([false, false, true])
})

test('an unknown field is ignored', () => {
  expect(isList({ ...list, cursor: null, feeds: [{ ...record, volume: 7 }] })).toBe(true)
})

test.each([
  [undefined],
  [null],
  ['list'],
  [[]],
  [{ feeds: [], readAt: '2026-10-03T22:30:00.789Z' }],
  [{ ...list, feeds: [{}] }],
  [{ ...list, feeds: [null] }],
  [{ ...list, feeds: { 0: record } }],
  [{ ...list, readAt: 7 }],
  [{ ...list, feeds: [record, { ...record, symbol: undefined }] }],
  [{ ...list, feeds: [{ ...record, price: 1.5 }] }],
  [{ ...list, feeds: [{ ...record, ageSeconds: 'old' }] }],
  [{ ...list, feeds: [{ ...record, latestRoundDataReverts: null }] }],
  [{ ...list, feeds: [{ ...unreadable, explorer: {} }] }],
  [{ ...list, feeds: [{ ...unreadable, problem: null }] }],
])('%j is not a list', parsed => {
  expect(isList(parsed)).toBe(false)
})
