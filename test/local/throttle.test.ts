import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createThrottle } from '../../local/throttle.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('a burst passes at once, then as many as time brings, and rest brings no more than a burst', () => {
  const passes = createThrottle({ requestsPerSecond: 10, burst: 3 })
  const passed = (requests: number) => Array.from({ length: requests }, passes).filter(Boolean).length
  expect(passed(5)).toBe(3)
  vi.advanceTimersByTime(99)
  expect(passed(5)).toBe(0)
  vi.advanceTimersByTime(1)
  expect(passed(5)).toBe(1)
  vi.advanceTimersByTime(3_600_000)
  expect(passed(5)).toBe(3)
})

test('a rate of nothing lets nothing pass', () => {
  expect(createThrottle({ requestsPerSecond: 0, burst: 0 })()).toBe(false)
})
