import { expect, test } from 'vitest'
import { feedStatuses, statuses } from '../../../api/statuses.ts'
import { isUnreadable } from '../../../pages/board/price-response.ts'
import { chipLabels, explain, meaningOf } from '../../../pages/board/statuses.ts'
import { toShownList } from '../../support/board/real-list.ts'

test('the labels are the API’s statuses in the contract’s order, then Unreadable', () => {
  expect(chipLabels).toEqual([...feedStatuses, 'Unreadable'])
})

test('no meaning states when a status ends', () => {
  expect(chipLabels.map(label => meaningOf(label)).join(' ')).not.toMatch(/until/)
})

test('a record explains its status without what a lending market gets, which the contract returned', () => {
  const [closed, unreadable] = toShownList({ status: 'Market closed' }, 'unreadable').feeds
  if (closed === undefined || unreadable === undefined) throw new Error('The list is too short')
  expect(explain(closed, false)).toBe(statuses['Market closed'].meaning)
  expect(explain(closed, true)).toBe(`When it was last read: ${statuses['Market closed'].meaning}`)
  expect(explain(unreadable, false)).toBe('The chain answered, but this address did not return valid feed data.')
})

test('a record explains a refusal: the error, and why a feed refuses the price of a closed market', () => {
  const [closed] = toShownList({ status: 'Market closed', served: false }).feeds
  if (closed === undefined || isUnreadable(closed)) throw new Error('Not the expected list')
  const meaning = statuses['Market closed'].meaning
  expect(explain(closed, false)).toBe(
    `${meaning} This feed was not deployed to serve a price while the market is closed. ` +
      'latestRoundData() reverts with FeedUnavailable.',
  )
  expect(explain({ ...closed, latestRoundDataReverts: 'Panic' }, false)).toBe(
    `${meaning} latestRoundData() reverts with Panic.`,
  )
})
