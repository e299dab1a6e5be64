import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { Stack } from 'aws-cdk-lib'
import { Annotations, Match } from 'aws-cdk-lib/assertions'
import { Queue } from 'aws-cdk-lib/aws-sqs'
import { beforeAll, expect, test } from 'vitest'
import { addStack, audit, warnOfMissingSettings, warnOfSilentBudget } from '../../infra/add-stack.ts'
import { environments } from '../../infra/environments.ts'
import { PriceLookupStack } from '../../infra/price-lookup-stack.ts'
import { networks } from '../../lambda/networks.ts'
import { bareEdge, createApp, edgeOn, everythingOn } from '../support/infra/synthesise.ts'

// CDK's validation loads its rules once, in some 2 s of a core.
beforeAll(() => {
  using app = createApp({ environment: 'account', validates: true })
  addStack(app)
  app.synth()
})

test.each([...Object.keys(environments), 'account'])(
  '-c environment=%s synthesises one stack, without a finding that is not acknowledged',
  name => {
    using app = createApp({ environment: name, validates: true })
    addStack(app)
    expect(app.synth().stacks.map(({ stackName }) => stackName)).toEqual([`price-lookup-${name}`])
  },
)

test.each([
  ['everything on', everythingOn],
  ['an edge', edgeOn],
  ['an edge without domain, web ACL and log', { ...bareEdge, maxRequestsPerAddress: undefined }],
])('with %s there is no finding that is not acknowledged either', (_, environment) => {
  using app = createApp({ validates: true })
  new PriceLookupStack(app, 'everything-on', { name: 'test', ...environment })
  audit(app)
  expect(app.synth().stacks).toHaveLength(1)
})

test('a finding that is not acknowledged fails the synthesis', () => {
  using app = createApp({ environment: 'account' })
  const stack = addStack(app)
  // A queue that takes requests without TLS.
  new Queue(stack ?? new Stack(), 'Queue')
  expect(() => app.synth()).toThrow('AwsSolutions-SQS4')
})

test('an unknown environment is an error of one line with the known names', async () => {
  using app = createApp()
  expect(addStack(app)).toBeUndefined()
  const known = Object.keys(environments).join(', ')
  const env = { ...process.env, CDK_CONTEXT_JSON: '{"environment":"production"}' }
  await expect(promisify(execFile)(process.execPath, ['infra/app.ts'], { env })).rejects.toMatchObject({
    code: 1,
    stderr: `Missing or unknown -c environment=NAME. Known: ${known}; account, once per account and region.\n`,
  })
})

const warningsOf = (stack = new Stack()) =>
  Annotations.fromStack(stack)
    .findWarning('*', Match.anyValue())
    .map(({ entry }) => String(entry.data).replace(/ \[ack: .*\]$/, ''))

function warningsOfEnvironment(environment: string, edge = 'false'): readonly string[] {
  using app = createApp({ environment })
  app.node.setContext('edge', edge)
  return warningsOf(addStack(app))
}

test('prod warns of each setting that is missing, with the remedy; dev and staging need none', () => {
  const twoProviders = 'a SecureString with at least two RPC URLs of different providers'
  const parameter = `the existing parameter, ${twoProviders} (docs/operations.md, "RPC URLs").`
  const missing = [
    ['account', 'the id of the AWS account, so that no other account is deployed to.'],
    ['region', 'the AWS region, so that no second copy is created in another one.'],
    ['alarmEmails.page', 'the address that wakes a person.'],
    ['alarmEmails.ticket', 'the address for what can wait until the morning.'],
    ...networks.map(network => [`rpcUrls.${network}`, parameter]),
  ]
  expect(warningsOfEnvironment('prod')).toEqual(
    missing.map(([setting, remedy]) => `prod has no ${setting}. Set it in infra/environments.ts: ${remedy}`),
  )
  expect(['dev', 'staging'].flatMap(name => warningsOfEnvironment(name))).toEqual([])
})

test('an environment that is complete has no warning', () => {
  const stack = new Stack()
  warnOfMissingSettings(stack, { name: 'test', ...everythingOn })
  expect(warningsOf(stack)).toEqual([])
})

test('the account warns of a budget without an address', () => {
  expect(warningsOfEnvironment('account')).toEqual([
    'account has a budget but no alarmEmail. ' +
      'Set it in infra/environments.ts: the address that receives the notifications.',
  ])
  for (const account of [
    { monthlyBudgetUsd: undefined, alarmEmail: undefined },
    { monthlyBudgetUsd: 150, alarmEmail: 'oncall@prices.example' },
  ]) {
    const stack = new Stack()
    warnOfSilentBudget(stack, account)
    expect(warningsOf(stack)).toEqual([])
  }
})

test('an edge that only the context asks for is a warning, so that `npm run deploy` refuses it', () => {
  expect(warningsOfEnvironment('dev', 'true')).toEqual([
    '-c edge=true is not for a deployment. Set `edge` of the environment in infra/environments.ts to deploy it.',
  ])
})
