import { expect, test } from 'vitest'
import { feedStatuses } from '../../../api/statuses.ts'
import { formatVerdict } from '../../../pages/board/data/verdict.ts'
import { type Reading, toShownList } from '../../support/board/real-list.ts'

test.each<[Reading, string]>([
  [{}, 'served'],
  [{ status: 'Market closed' }, 'served, market closed'],
  [{ answer: 0n }, 'served, answer 0'],
  [{ served: false, reverts: 'Panic' }, 'not served: Panic'],
  [{ served: 'another answer' }, 'not served: returned another answer'],
  ...feedStatuses
    .filter(status => status !== 'OK')
    .map((status): [Reading, string] => [{ status, served: false }, `not served: ${status.toLowerCase()}`]),
  ['unreadable', 'unreadable'],
])('%o is %s', (reading, verdict) => {
  expect(toShownList(reading).feeds.map(entry => formatVerdict(entry, false))).toEqual([verdict])
})
