import { expect, test } from 'vitest'
import { formatExpected } from '../../../../pages/board/data/expected.ts'
import type { ShownRecord } from '../../../../pages/board/data/responses.ts'
import { type Reading, toShownList } from '../../../support/board/real-list.ts'

test.each<[Reading, string]>([
  [{ answer: 107_990_000_000n }, 'At block 79242031, expect 107990000000 as the second value (8 decimals).'],
  [
    { answer: 5n, served: 'another answer' },
    'At block 79242031, expect something else than 5 as the second value (8 decimals).',
  ],
  [{ served: false, status: 'Straddle' }, 'At block 79242031, expect a revert with FeedUnavailable(4), 0xe3f18fa8.'],
  [{ served: false, reverts: '0x1234abcd' }, 'At block 79242031, expect a revert with 0x1234abcd.'],
  [{ served: false, reverts: 'unnamed' }, 'At block 79242031, expect a revert without a selector.'],
])('of a feed that returned %o, the call of a lending market shows: %s', (reading, expected) => {
  expect(toShownList(reading).feeds.map(entry => formatExpected(entry as ShownRecord))).toEqual([expected])
})
