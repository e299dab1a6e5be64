import { expect, test } from 'vitest'
import { chipLabels, explain, meaningOf, meanings } from '../../board/statuses.ts'
import { feedStatuses } from '../../lambda/feeds/price-record.ts'
import { toShownList } from '../support/board/real-list.ts'

test('the labels are the API’s statuses in the contract’s order, then Unreadable', () => {
  expect(chipLabels).toEqual([...feedStatuses, 'Unreadable'])
})

test('each label has a different meaning', () => {
  const all = chipLabels.map(label => meaningOf(label))
  expect(new Set(all).size).toBe(chipLabels.length)
  expect(all.at(-1)).toContain('did not return valid feed data')
})

test('no meaning states when a status ends', () => {
  expect(chipLabels.map(label => meaningOf(label)).join(' ')).not.toMatch(/until/)
})

test('a text that is no status has the meaning of Unreadable', () => {
  expect(meaningOf('constructor')).toBe(meaningOf('Unreadable'))
})

test('Stale is possible with a closed market, and Corporate action after an unmeasured change of any size', () => {
  expect([meanings.Stale[0], meanings['Corporate action'][0]]).toEqual([
    'The price is older than the feed’s limit. This can happen with the market open or closed.',
    'The multiplier has changed. Either the feed has not measured the change, however small it is; or the change is ' +
      'large, and no price was observed yet 30 minutes (the grace period) or more after it. After a small change that ' +
      'was measured, the status is OK.',
  ])
})

test('a record explains its status without what a lending market gets, which the contract returned', () => {
  const [closed, unreadable] = toShownList({ status: 'Market closed' }, 'unreadable').feeds
  if (closed === undefined || unreadable === undefined) throw new Error('The list is too short')
  expect(explain(closed, false)).toBe('The price is the last one signed before the market closed.')
  expect(explain(closed, true)).toBe(
    'When it was last read: The price is the last one signed before the market closed.',
  )
  expect(explain(unreadable, false)).toBe('The chain answered, but this address did not return valid feed data.')
})
