import { expect, test } from 'vitest'
import { chipLabels, meaningOf, meanings } from '../../board/statuses.ts'
import { feedStatuses } from '../../lambda/feeds/price-record.ts'

test('the labels are the API’s statuses in the contract’s order, then Unreadable', () => {
  expect(Object.keys(meanings)).toEqual(feedStatuses)
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

test('Stale is possible with a closed market, and Corporate action after any change of the multiplier', () => {
  expect([meanings.Stale, meanings.Straddle, meanings['Corporate action']]).toEqual([
    'The price is older than the feed’s limit. This can happen with the market open or closed. A lending market is refused.',
    'The price was observed before a change of the multiplier. The multiplier shown is the current one, and the price is computed with it. A lending market is refused.',
    'The multiplier has changed, and the feed has not measured the change yet. The change can be large, as in a split, or small, as with a dividend. A lending market is refused.',
  ])
})

test('a last known status is not explained as the current one', () => {
  expect(meaningOf('OK', true)).toBe('When it was last read: The price is current. A lending market is served.')
})
