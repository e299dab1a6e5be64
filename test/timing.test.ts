import { expect, test } from 'vitest'
import * as timing from '../lambda/timing.ts'

test('a read has time for three silent endpoints, and for two attempts at the only one', () => {
  const { readMs, attemptMs, hedgeDelayMs, secondRoundPauseMs } = timing
  expect(2 * hedgeDelayMs + attemptMs).toBeLessThan(readMs)
  expect(2 * attemptMs + secondRoundPauseMs.max).toBeLessThan(readMs)
  expect(hedgeDelayMs).toBeLessThan(attemptMs)
})

test('Parameter Store has time for a second attempt after a connection or a response that timed out', () => {
  const { parameterStoreMs, parameterStoreConnectMs, parameterStoreResponseMs } = timing
  expect(parameterStoreResponseMs).toBeLessThan(parameterStoreMs)
  expect(2 * parameterStoreConnectMs).toBeLessThan(parameterStoreMs)
})
