import { expect, test } from 'vitest'
import { arrange } from '../../board/arrange.ts'
import { parseViewState, sortKeys } from '../../board/view-state.ts'
import { toShownList } from './real-list.ts'

const million = 10n ** 18n
const { feeds } = toShownList(
  { status: 'Stale', answer: 5n, sharePrice: 50n, multiplier: 2n * million, observedAt: 300, served: false }, // AAPL
  { status: 'OK', answer: 7n, sharePrice: 7n, multiplier: 3n * million, observedAt: 500 }, // AMC
  'no data', // AVGO
  'unreadable', // BA
  { status: 'Market closed', answer: 6n, sharePrice: 60n, multiplier: million, observedAt: 400 }, // CCL
)

const arranged = (query: string) => arrange(feeds, parseViewState(query)).map(({ symbol }) => symbol)

test.each([
  ['symbol', ['AAPL', 'AMC', 'AVGO', 'BA', 'CCL'], ['CCL', 'BA', 'AVGO', 'AMC', 'AAPL']],
  ['status', ['AMC', 'CCL', 'AAPL', 'AVGO', 'BA'], ['BA', 'AVGO', 'AAPL', 'CCL', 'AMC']],
  ['price', ['AAPL', 'CCL', 'AMC', 'AVGO', 'BA'], ['AMC', 'CCL', 'AAPL', 'AVGO', 'BA']],
  ['sharePrice', ['AMC', 'AAPL', 'CCL', 'AVGO', 'BA'], ['CCL', 'AAPL', 'AMC', 'AVGO', 'BA']],
  ['multiplier', ['CCL', 'AAPL', 'AMC', 'AVGO', 'BA'], ['AMC', 'AAPL', 'CCL', 'AVGO', 'BA']],
  ['age', ['AMC', 'CCL', 'AAPL', 'AVGO', 'BA'], ['AAPL', 'CCL', 'AMC', 'AVGO', 'BA']],
  ['served', ['AMC', 'CCL', 'AAPL', 'AVGO', 'BA'], ['AAPL', 'AVGO', 'AMC', 'CCL', 'BA']],
])('sorted by %s, feeds without a value come last both ways, and equal ones stand by symbol', (key, up, down) => {
  expect(arranged(`?sort=${key}`)).toEqual(up)
  expect(arranged(`?sort=-${key}`)).toEqual(down)
})

test('every key sorts, and loses no feed', () => {
  for (const key of sortKeys) expect(arranged(`?sort=${key}`)).toHaveLength(5)
})

test.each([
  ['?search=a', ['AAPL', 'AMC', 'AVGO', 'BA']],
  ['?search=%20bA%20', ['BA']],
  ['?search=nope', []],
  ['?show=served', ['AMC', 'CCL']],
  ['?show=not-served', ['AAPL', 'AVGO']],
  ['?show=Market+closed', ['CCL']],
  ['?show=Unreadable', ['BA']],
  ['?show=OK&search=a', ['AMC']],
  ['?show=Straddle', []],
])('%s shows %j', (query, symbols) => {
  expect(arranged(query)).toEqual(symbols)
})

test('symbols stand in one order whatever their case', () => {
  const [one, two] = feeds
  if (one === undefined || two === undefined) throw new Error('The list is too short')
  const mixed = [
    { ...one, symbol: 'TSLA' },
    { ...two, symbol: 'labTSLA' },
  ]
  expect(arrange(mixed, parseViewState('')).map(({ symbol }) => symbol)).toEqual(['labTSLA', 'TSLA'])
})

test('the list itself is left as it came', () => {
  const before = [...feeds]
  arranged('?sort=-price')
  expect(feeds).toEqual(before)
})
