import { Stack } from 'aws-cdk-lib'
import { Queue } from 'aws-cdk-lib/aws-sqs'
import { expect, test } from 'vitest'
import { networks } from '../../api/networks.ts'
import { addStack, warnOfMissingSettings, warnOfSilentBudget } from '../../infra/add-stack.ts'
import type { Environment } from '../../infra/environments.ts'
import { createApp, everythingOn, prod, warningsOf } from '../support/infra/synthesise.ts'

test('a finding that is not acknowledged fails the synthesis', () => {
  using app = createApp({ environment: 'account' })
  const stack = addStack(app)
  // A queue that takes requests without TLS.
  new Queue(stack ?? app, 'Queue')
  expect(() => app.synth()).toThrow(/AwsSolutions-SQS4.*Serverless-SQSRedrivePolicy/s)
})

/** The warnings that a function adds to a stack. */
function warningsBy(warn: (stack: Stack) => void): readonly string[] {
  using app = createApp()
  const stack = new Stack(app)
  warn(stack)
  return warningsOf(stack)
}

test('production warns of each setting that is missing; an environment with a probe of its RPC URLs', () => {
  const missingOf = (environment: Environment) =>
    warningsBy(stack => warnOfMissingSettings(stack, { name: 'it', ...environment })).map(
      text => /^it cannot be deployed without (\S+)\. Set it in infra\/environments\.ts: the .{20,}\.$/.exec(text)?.[1],
    )
  const ofRpcUrls = networks.map(network => `rpcUrls.${network}`)
  expect(missingOf(everythingOn)).toEqual([])
  expect(missingOf(prod)).toEqual(['account', 'region', 'alarmEmails.page', 'alarmEmails.ticket', ...ofRpcUrls])
  expect(missingOf({ ...prod, production: false })).toEqual(ofRpcUrls)
  expect(missingOf({ ...prod, production: false, probe: false })).toEqual([])
})

test('a budget without an address has a warning', () => {
  const warningsWith = (monthlyBudgetUsd: number | undefined, alarmEmail: string | undefined) =>
    warningsBy(stack => warnOfSilentBudget(stack, { monthlyBudgetUsd, alarmEmail }))
  expect(warningsWith(150, undefined)).toEqual([
    'account cannot be deployed without alarmEmail. Set it in infra/environments.ts: ' +
      'the address that receives the notifications of the budget.',
  ])
  expect(warningsWith(undefined, undefined)).toEqual([])
  expect(warningsWith(150, 'oncall@prices.example')).toEqual([])
})
