import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { feedStatuses, statuses } from '../../api/statuses.ts'

test("the skill has each status's meaning, and whether the feed serves (D31)", () => {
  const rows = readFileSync('docs/skill/SKILL.md', 'utf8').matchAll(/^\| `(.+)` \| (.+) \| (.+) \|$/gm)
  const expected = feedStatuses.map(status => [status, statuses[status].meaning, statuses[status].served])
  expect(Array.from(rows, ([, ...row]) => row)).toEqual([['status', 'meaning', 'served'], ...expected])
})
