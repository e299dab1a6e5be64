import fc from 'fast-check'
import { expect, test } from 'vitest'
import { chipLabels } from '../../board/statuses.ts'
import { formatViewState, parseViewState, sortKeys, type ViewState } from '../../board/view-state.ts'

const firstSight: ViewState = {
  network: 'mainnet',
  search: '',
  show: '',
  sortBy: 'symbol',
  descending: false,
  feed: undefined,
}

test('the first sight has no query', () => {
  expect(formatViewState(firstSight)).toBe('')
  expect(parseViewState('')).toEqual(firstSight)
})

test('a query says what differs from it', () => {
  const view: ViewState = {
    network: 'testnet',
    search: 'ts',
    show: 'Market closed',
    sortBy: 'sharePrice',
    descending: true,
    feed: 'TSLA',
  }
  expect(formatViewState(view)).toBe('?network=testnet&search=ts&show=Market+closed&sort=-sharePrice&feed=TSLA')
  expect(formatViewState({ ...firstSight, descending: true })).toBe('?sort=-symbol')
})

test('what a view’s query says is that view again, whatever it is', () => {
  const views = fc.record({
    network: fc.constantFrom('mainnet' as const, 'testnet' as const),
    search: fc.string({ unit: 'grapheme-ascii', maxLength: 40 }),
    show: fc.constantFrom('', 'served', 'not-served', ...chipLabels),
    sortBy: fc.constantFrom(...sortKeys),
    descending: fc.boolean(),
    feed: fc.option(fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 40 }), { nil: undefined }),
  })
  fc.assert(
    fc.property(views, view => {
      expect(parseViewState(formatViewState(view))).toEqual(view)
    }),
  )
})

test.each([
  '?network=moon',
  '?show=nothing',
  '?show=refused',
  '?sort=constructor',
  '?feed=',
  '?search=',
  '?%',
  '?utm_source=mail',
])('a query that says nothing of use, %s, is as at first sight', query => {
  expect(parseViewState(query)).toEqual(firstSight)
})

test('a symbol and a search are taken to forty letters', () => {
  const long = 'x'.repeat(1_000)
  expect(parseViewState(`?search=${long}&feed=${long}`)).toEqual({
    ...firstSight,
    search: 'x'.repeat(40),
    feed: 'x'.repeat(40),
  })
})
