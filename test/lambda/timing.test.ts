import { expect, test } from 'vitest'
import * as timing from '../../lambda/timing.ts'

test('a read has time for an attempt at a third endpoint, after two that do not respond (D24)', () => {
  expect(2 * timing.hedgeDelayMs + timing.attemptMs).toBeLessThanOrEqual(timing.readMs)
})

test('a call to Parameter Store that does not respond leaves time for another one (D22)', () => {
  expect(2 * timing.parameterStoreResponseMs).toBeLessThanOrEqual(timing.parameterStoreMs)
})

test('the slowest request of a cold and of a warm container ends before its function does (D24)', () => {
  const [coldMs, warmMs] = [
    timing.parameterStoreMs + timing.readMs,
    Math.max(timing.parameterStoreMs, timing.readMs) + timing.readMs,
  ]
  expect(Math.max(coldMs, warmMs)).toBeLessThan(timing.functionMs - timing.earlyResponseMs)
})

test('changed RPC URLs are in use within a minute, as the documents state (D22)', () => {
  expect(timing.rpcUrlsTtlMs).toBeLessThanOrEqual(60_000)
})

test('a connection is closed before a load balancer drops it, the first of which does so after 240 s', () => {
  expect(timing.connectionMs).toBeLessThan(240_000)
})
