import { expect, test } from 'vitest'
import { formatView, parseView } from '../../../pages/board/view.ts'

test.each(['', '?network=testnet&search=apple+inc&show=not-served&sort=-age&feed=AAPL'])(
  'the URL of the view %j opens that view',
  query => {
    expect(formatView(parseView(query))).toBe(query)
  },
)

test.each(['?show=Stale&sort=volume', '?network=&feed='])('the query %s is that of the default view', query => {
  expect(parseView(query)).toEqual(parseView(''))
})
