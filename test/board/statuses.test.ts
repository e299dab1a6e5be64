import { expect, test } from 'vitest'
import { chipLabels, meaningOf, meanings } from '../../board/statuses.ts'
import { feedStatuses } from '../../lambda/feeds/price-record.ts'

test('the statuses are the API’s, in the contract’s order, and Unreadable comes after them', () => {
  expect(Object.keys(meanings)).toEqual(feedStatuses)
  expect(chipLabels).toEqual([...feedStatuses, 'Unreadable'])
})

test('each label has a meaning of its own', () => {
  const all = chipLabels.map(meaningOf)
  expect(new Set(all).size).toBe(chipLabels.length)
  expect(all.at(-1)).toContain('did not answer as a feed does')
})

test('no meaning promises when a status ends', () => {
  expect(chipLabels.map(meaningOf).join(' ')).not.toMatch(/until/)
})

test('a word that is no status means nothing that is known', () => {
  expect(meaningOf('constructor')).toBe(meaningOf('Unreadable'))
})
