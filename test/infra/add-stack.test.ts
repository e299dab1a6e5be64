import { Stack } from 'aws-cdk-lib'
import { Queue } from 'aws-cdk-lib/aws-sqs'
import { expect, test } from 'vitest'
import { networks } from '../../api/networks.ts'
import { addStack, warnOfMissingSettings, warnOfSilentBudget } from '../../infra/add-stack.ts'
import type { NamedEnvironment } from '../../infra/environments.ts'
import { createApp, everythingOn, warningsOf } from '../support/infra/synthesise.ts'

test('a finding that is not acknowledged fails the synthesis', () => {
  using app = createApp({ environment: 'account' })
  const stack = addStack(app)
  // A queue that takes requests without TLS.
  new Queue(stack ?? app, 'Queue')
  expect(() => app.synth()).toThrow('AwsSolutions-SQS4')
})

test('an environment warns of each setting that is missing, with the remedy: RPC URLs if it has a probe', () => {
  const twoProviders = 'a SecureString with at least two RPC URLs of different providers'
  const parameter = `the existing parameter, ${twoProviders} (docs/operations.md, "RPC URLs").`
  const missing = [
    ['account', 'the id of the AWS account, so that no other account is deployed to.'],
    ['region', 'the AWS region, so that no second copy is created in another one.'],
    ['alarmEmails.page', 'the address that wakes a person.'],
    ['alarmEmails.ticket', 'the address for what can wait until the morning.'],
    ...networks.map(network => [`rpcUrls.${network}`, parameter]),
  ]
  const complete: NamedEnvironment = { name: 'prod', ...everythingOn }
  const owned = { account: undefined, region: undefined, alarmEmails: { page: undefined, ticket: undefined } }
  const warningsWith = (settings: Partial<NamedEnvironment>) => {
    using app = createApp()
    const stack = new Stack(app)
    warnOfMissingSettings(stack, { ...complete, ...settings })
    return warningsOf(stack)
  }
  expect(warningsWith({ ...owned, rpcUrls: {} })).toEqual(
    missing.map(
      ([setting, remedy]) => `prod cannot be deployed without ${setting}. Set it in infra/environments.ts: ${remedy}`,
    ),
  )
  expect(warningsWith({})).toEqual([])
  const ofStaging = warningsWith({ ...owned, rpcUrls: {}, production: false })
  expect(ofStaging).toEqual(networks.map(network => expect.stringContaining(`rpcUrls.${network}.`)))
  expect(warningsWith({ ...owned, rpcUrls: {}, production: false, probe: false })).toEqual([])
})

test.each([
  [150, undefined, ['account cannot be deployed without alarmEmail. Set it in infra/environments.ts: ']],
  [undefined, undefined, []],
  [150, 'oncall@prices.example', []],
])('a budget of %s with the address %s has the warnings %j', (monthlyBudgetUsd, alarmEmail, expected) => {
  using app = createApp()
  const stack = new Stack(app)
  warnOfSilentBudget(stack, { monthlyBudgetUsd, alarmEmail })
  expect(warningsOf(stack)).toEqual(
    expected.map(start => `${start}the address that receives the notifications of the budget.`),
  )
})
