import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Stack } from 'aws-cdk-lib'
import { expect, test } from 'vitest'
import { networks } from '../../api/networks.ts'
import { addStack, audit } from '../../infra/add-stack.ts'
import { account, environments } from '../../infra/environments.ts'
import { PriceLookupStack } from '../../infra/price-lookup-stack.ts'
import { createApp, everythingOn, warningsOf } from '../support/infra/synthesise.ts'

const rpcUrls = networks.map(network => `rpcUrls.${network}`)
/** The settings whose lack is a warning, which `npm run deploy` refuses. */
const ofOwner: Record<string, readonly string[]> = {
  staging: rpcUrls,
  prod: ['account', 'region', 'alarmEmails.page', 'alarmEmails.ticket', ...rpcUrls],
  account: ['alarmEmail'],
}

test.each(Object.entries({ ...environments, account }))(
  '-c environment=%s synthesises one stack, warns of its missing settings, and has no finding that is not acknowledged',
  (name, settings) => {
    using app = createApp({ environment: name, validates: true })
    const stack = addStack(app) as Stack
    expect(app.synth().stacks.map(({ stackName }) => stackName)).toEqual([`price-lookup-${name}`])
    const find = (path: string) => path.split('.').reduce<unknown>((value, key) => Object(value)[key], settings)
    const missing = (ofOwner[name] ?? []).filter(path => find(path) === undefined)
    expect(warningsOf(stack).map(text => / without (\S+)\. /.exec(text)?.[1])).toEqual(missing)
  },
)

test('with everything on there is no finding that is not acknowledged either', () => {
  using app = createApp({ validates: true })
  new PriceLookupStack(app, 'everything-on', { name: 'test', ...everythingOn })
  audit(app)
  expect(app.synth().stacks).toHaveLength(1)
})

test('an unknown environment is an error of one line with the known names', async () => {
  const known = Object.keys(environments).join(', ')
  const env = { ...process.env, CDK_CONTEXT_JSON: '{"environment":"production"}' }
  await expect(promisify(execFile)(process.execPath, ['infra/app.ts'], { env })).rejects.toMatchObject({
    code: 1,
    stderr: `Missing or unknown -c environment=NAME. Known: ${known}; account, once per account and region.\n`,
  })
})
