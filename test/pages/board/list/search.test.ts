import { expect, test } from 'vitest'
import { search, sort } from '../../../../pages/board/list/search.ts'
import { parseView } from '../../../../pages/board/view.ts'
import { toShownList } from '../../../support/board/real-list.ts'

// AAPL, AMC, AVGO, BA, CCL
const list = toShownList(
  { answer: 3_00000001n, served: false, status: 'Stale', observedAt: 1_790_000_000 },
  { answer: 1_00000000n },
  'no data',
  'unreadable',
  { answer: 2_00000000n, status: 'Market closed' },
)

test.each([
  ['aa', ['AAPL']],
  ['o', ['AVGO']],
  ['entertain', ['AMC']],
  ['closed', ['CCL']],
  ['unreadable', ['BA']],
  ['served', ['AMC', 'CCL']],
  ['Not served', ['AAPL', 'AVGO']],
  ['not served: st', ['AAPL']],
  [list.feeds[1]?.token.slice(0, 12).toUpperCase() ?? '', ['AMC']],
  ['  boeing ', ['BA']],
])('the search for %j finds %j', (text, symbols) => {
  expect(search(list.feeds, text).map(({ symbol }) => symbol)).toEqual(symbols)
})

test.each([
  ['', 'AAPL AMC AVGO BA CCL'],
  ['-symbol', 'CCL BA AVGO AMC AAPL'],
  ['served', 'AMC CCL AAPL AVGO BA'],
  ['price', 'AMC CCL AAPL AVGO BA'],
  ['-price', 'AAPL CCL AMC AVGO BA'],
  ['-age', 'AAPL AMC CCL AVGO BA'],
])('the order %j is %s', (order, symbols) => {
  expect(sort(list.feeds, parseView(`?sort=${order}`)).map(({ symbol }) => symbol)).toEqual(symbols.split(' '))
})
