import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { Stack } from 'aws-cdk-lib'
import { expect, test } from 'vitest'
import { addStack, audit, warnOfMissingSettings, warnOfSilentBudget } from '../../infra/add-stack.ts'
import { account, environments, findEnvironment } from '../../infra/environments.ts'
import { PriceLookupStack } from '../../infra/price-lookup-stack.ts'
import { createApp, everythingOn, warningsOf } from '../support/infra/synthesise.ts'

test.each([...Object.keys(environments), 'account'])(
  '-c environment=%s synthesises one stack, warns of its missing settings, and has no finding that is not acknowledged',
  name => {
    using app = createApp({ environment: name, validates: true })
    const stack = addStack(app) as Stack
    expect(app.synth().stacks.map(({ stackName }) => stackName)).toEqual([`price-lookup-${name}`])
    using bare = createApp()
    const warned = new Stack(bare)
    const environment = findEnvironment(name)
    if (environment === undefined) warnOfSilentBudget(warned, account)
    else warnOfMissingSettings(warned, environment)
    expect(warningsOf(stack)).toEqual(warningsOf(warned))
  },
)

test('with everything on there is no finding that is not acknowledged either', () => {
  using app = createApp({ validates: true })
  new PriceLookupStack(app, 'everything-on', { name: 'test', ...everythingOn })
  audit(app)
  expect(app.synth().stacks).toHaveLength(1)
})

test('an unknown environment is an error with the known names and the commands', async () => {
  const known = Object.keys(environments).join(', ')
  const env = { ...process.env, CDK_CONTEXT_JSON: '{"environment":"production"}' }
  await expect(promisify(execFile)(process.execPath, ['infra/app.ts'], { env })).rejects.toMatchObject({
    code: 1,
    stderr: `Missing or unknown environment. Known: ${known}; account, once per account and region.
  npm run deploy -- -c environment=NAME
  npx cdk synth -c environment=NAME
`,
  })
})
