import { expect, test } from 'vitest'
import { isList, isRecord } from '../../board/answer-shapes.ts'
import { toShownList } from './real-list.ts'

const list = toShownList({ served: false }, 'no data', 'unreadable')
const [record, none, unreadable] = list.feeds

test('what the API answers is a list, and its entries are records, but for the unreadable', () => {
  expect(isList(list)).toBe(true)
  expect([record, none, unreadable].map(isRecord)).toEqual([true, true, false])
})

test('a field that nobody knows yet makes no difference', () => {
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
])('%j cannot be shown as a list', parsed => {
  expect(isList(parsed)).toBe(false)
})
