import { expect, test } from 'vitest'
import * as timing from '../../lambda/timing.ts'

test('the times that no relation fixes are as decided (D22, D24)', () => {
  expect(timing).toMatchObject({
    rpcUrlsTtlMs: 60_000,
    refusalTtlMs: 5_000,
    readMs: 3_500,
    attemptMs: 1_500,
    hedgeDelayMs: 600,
    secondRoundPauseMs: { min: 150, max: 300 },
    preferenceMs: 30_000,
    failingMs: 60_000,
    connectionMs: 230_000,
  })
})

test('a read has time for an attempt at a third endpoint, after two that do not respond (D24)', () => {
  expect(2 * timing.hedgeDelayMs + timing.attemptMs).toBeLessThanOrEqual(timing.readMs)
})

test('a read ends before a second attempt at the third endpoint would: callers wait for it (D24)', () => {
  expect(timing.readMs).toBeLessThan(2 * timing.hedgeDelayMs + 2 * timing.attemptMs)
})

test('an address that does not answer leaves time for another one within an attempt', () => {
  expect(2 * timing.addressMs).toBeLessThan(timing.attemptMs)
})

test('the second round comes a part of an attempt later, not at once, and not everywhere at the same time (D24)', () => {
  const { min, max } = timing.secondRoundPauseMs
  expect(min).toBeGreaterThanOrEqual(timing.attemptMs / 10)
  expect(max).toBeGreaterThanOrEqual(2 * min)
})

test('a function has time for its early response', () => {
  expect(timing.earlyResponseMs).toBeGreaterThanOrEqual(100)
})

test('a call to Parameter Store that does not respond leaves time for another one (D22)', () => {
  expect(2 * timing.parameterStoreResponseMs).toBeLessThanOrEqual(timing.parameterStoreMs)
})

test('a load takes no longer than the two attempts that Parameter Store has (D22)', () => {
  const attemptMs = timing.parameterStoreConnectMs + timing.parameterStoreResponseMs
  expect(timing.parameterStoreMs).toBeLessThanOrEqual(2 * attemptMs)
})

test('the slowest request of a cold and of a warm container ends before its function does (D24)', () => {
  const coldMs = timing.parameterStoreMs + timing.readMs
  const warmMs = Math.max(timing.parameterStoreMs, timing.readMs) + timing.readMs
  expect(Math.max(coldMs, warmMs)).toBeLessThan(timing.functionMs - timing.earlyResponseMs)
})

test('a connection is closed before a load balancer can drop it without notice, which is after 240 s at the earliest', () => {
  expect(timing.connectionMs).toBeLessThan(240_000)
})
