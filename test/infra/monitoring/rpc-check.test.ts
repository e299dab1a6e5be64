import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { networks } from '../../../api/networks.ts'
import { maxFeeds } from '../../../api/schemas/find-registry-errors.ts'
import { rateLimitPauseMs } from '../../../checks/rpc/repeat-after-rate-limit.ts'
import { repeatForMs } from '../../../checks/rpc/report.ts'
import { feedsPerRequest } from '../../../checks/rpc/wrong-feeds.ts'
import { maxRpcUrls } from '../../../lambda/endpoints.ts'
import { attemptMs, parameterStoreMs } from '../../../lambda/timing.ts'
import { allOf, prod, resourcesOf, synthesise } from '../../support/infra/synthesise.ts'

const template = synthesise(prod, 'prod')
const { RpcCheck } = resourcesOf(template, 'Lambda::Function')
const { Timeout, Environment } = Object(RpcCheck)

test('the RPC URLs are checked every hour; a failed run is not repeated, so that its alarm needs five', () => {
  const rules = allOf<{ Targets: readonly { Arn: string }[] }>(template, 'Events::Rule')
  expect(rules.find(({ Targets }) => Targets[0]?.Arn === '<RpcCheck.Arn>')).toMatchObject({
    ScheduleExpression: 'rate(1 hour)',
    State: 'ENABLED',
  })
  expect(allOf(template, 'Lambda::EventInvokeConfig')).toContainEqual({
    FunctionName: '<RpcCheck>',
    Qualifier: '$LATEST',
    MaximumRetryAttempts: 0,
  })
})

test('the check has time for as many silent URLs as each network may have, and reads the parameters of the functions', () => {
  // An attempt that was refused for its rate just before its end is repeated.
  const stepMs = attemptMs + rateLimitPauseMs + attemptMs
  // Each URL gets two reads and the comparison with the registry. The comparison of the URLs ends with a last attempt.
  const stepsPerUrl = 2 + Math.ceil(maxFeeds / feedsPerRequest)
  const networkMs = parameterStoreMs + maxRpcUrls * stepsPerUrl * stepMs + repeatForMs + stepMs
  expect(1_000 * Timeout).toBeGreaterThan(networks.length * networkMs)
  const { GetPrice } = resourcesOf(template, 'Lambda::Function')
  expect(Environment).toEqual(Object(GetPrice).Environment)
})

test('the command of the runbook that runs the check waits longer than the check may take', () => {
  const waits = readFileSync('docs/operations.md', 'utf8').matchAll(
    /invoke --function-name \$CHECK --cli-read-timeout (\d+)/g,
  )
  const seconds = Array.from(waits, ([, wait]) => Number(wait))
  expect(seconds).toEqual([expect.any(Number)])
  expect(seconds[0]).toBeGreaterThan(Timeout)
})
