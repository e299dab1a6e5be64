import { expect, test } from 'vitest'
import { formatAge } from '../../board/age.ts'

test.each([
  [0, '0 s'],
  [0.9, '0 s'],
  [59.99, '59 s'],
  [60, '1 min'],
  [61, '1 min 1 s'],
  [3_599, '59 min 59 s'],
  [3_600, '1 h'],
  [3_659, '1 h'],
  [7_500, '2 h 5 min'],
  [86_399, '23 h 59 min'],
  [86_400, '1 d'],
  [4_218_561, '48 d 19 h'],
])('%d seconds are formatted as %s', (seconds, shown) => {
  expect(formatAge(seconds)).toBe(shown)
})

test('a negative age is zero', () => {
  expect(formatAge(-5)).toBe('0 s')
})
