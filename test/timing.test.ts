import { expect, test } from 'vitest'
import * as timing from '../lambda/timing.ts'
import { allOf, everythingOn, synthesise } from './infra/synthesise.ts'

const template = synthesise(everythingOn)
const functionMs = allOf(template, 'Lambda::Function').map(({ Timeout }) => 1_000 * Number(Timeout))
const integrationMs = JSON.stringify(allOf(template, 'ApiGateway::Method'))
  .match(/(?<="TimeoutInMillis":)\d+/g)
  ?.map(Number)

test('the slowest request ends before the function’s early response, which is before its timeout', () => {
  const { parameterStoreMs, readMs, responseMs, earlyResponseMs } = timing
  expect(functionMs).toHaveLength(2)
  const slowestMs = parameterStoreMs + readMs + responseMs
  for (const timeoutMs of functionMs) expect(slowestMs).toBeLessThan(timeoutMs - earlyResponseMs)
  expect(earlyResponseMs).toBeLessThan(responseMs)
})

test('API Gateway’s integration timeout is longer than the function’s', () => {
  expect(integrationMs?.length).toBeGreaterThan(0)
  for (const timeoutMs of integrationMs ?? []) expect(timeoutMs).toBeGreaterThan(Math.max(...functionMs))
})

test('a read has time for three silent endpoints, and for two attempts at the only one', () => {
  const { readMs, attemptMs, hedgeDelayMs, secondRoundPauseMs } = timing
  expect(2 * hedgeDelayMs + attemptMs).toBeLessThan(readMs)
  expect(2 * attemptMs + secondRoundPauseMs.max).toBeLessThan(readMs)
  expect(hedgeDelayMs).toBeLessThan(attemptMs)
  expect(secondRoundPauseMs).toEqual({ min: 150, max: 300 })
})

test('Parameter Store has time for a second attempt after a connection or a response that timed out', () => {
  const { parameterStoreMs, parameterStoreConnectMs, parameterStoreResponseMs } = timing
  expect(parameterStoreResponseMs).toBeLessThan(parameterStoreMs)
  expect(2 * parameterStoreConnectMs).toBeLessThan(parameterStoreMs)
})

test('the limits are those of the decisions (D21, D22, D24)', () => {
  expect(timing).toMatchObject({
    readMs: 3_500,
    attemptMs: 1_500,
    hedgeDelayMs: 600,
    preferenceMs: 30_000,
    rpcUrlsTtlMs: 300_000,
    freshMs: 10_000,
  })
})
