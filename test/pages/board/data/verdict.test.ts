import { expect, test } from 'vitest'
import { formatVerdict } from '../../../../pages/board/data/verdict.ts'
import { type Reading, toShownList } from '../../../support/board/real-list.ts'

test.each<[Reading, string]>([
  [{ answer: 0n }, 'served, answer 0'],
  [{ served: false, reverts: 'Panic' }, 'not served: Panic'],
  [{ served: 'another answer' }, 'not served: returned something else'],
  [{ status: 'Stale', served: false }, 'not served: stale'],
])('%o is %s', (reading, verdict) => {
  expect(toShownList(reading).feeds.map(entry => formatVerdict(entry, false))).toEqual([verdict])
})
