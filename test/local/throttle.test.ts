import { expect, test } from 'vitest'
import { createThrottle } from '../../local/stage.ts'

test('a burst passes at once, then as many requests as time adds, never more than a burst', () => {
  let nowMs = 0
  const takeToken = createThrottle({ requestsPerSecond: 10, burst: 3 }, () => nowMs)
  const countPassed = () => Array.from({ length: 5 }, takeToken).filter(Boolean).length
  const passed = [0, 99, 100, 3_600_000].map(atMs => {
    nowMs = atMs
    return countPassed()
  })
  expect(passed).toEqual([3, 0, 1, 3])
})

test('a rate of 0 passes nothing', () => {
  expect(createThrottle({ requestsPerSecond: 0, burst: 0 }, () => 0)()).toBe(false)
})
