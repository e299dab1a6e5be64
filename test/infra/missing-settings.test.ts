import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { type App, Stack } from 'aws-cdk-lib'
import { Annotations, Match } from 'aws-cdk-lib/assertions'
import { expect, test } from 'vitest'
import { addStack } from '../../infra/add-stack.ts'
import { type Environment, environments } from '../../infra/environments.ts'
import { PriceLookupStack } from '../../infra/price-lookup-stack.ts'
import { createApp, everythingOn } from './synthesise.ts'

const create = (app: App, environment: Environment) =>
  new PriceLookupStack(app, 'price-lookup-test', { name: 'test', ...environment })

function warningsOf(environment: Environment): readonly string[] {
  using app = createApp()
  const warnings = Annotations.fromStack(create(app, environment)).findWarning('*', Match.anyValue())
  return warnings.map(({ entry }) => String(entry.data).replace(/ \[ack: .*\]$/, ''))
}

const providers =
  'an existing SecureString with at least two RPC URLs of different providers (docs/operations.md, "RPC URLs").'

test('prod warns of each setting that is missing, with the remedy', () => {
  expect(warningsOf(environments.prod)).toEqual([
    'test has no account. Set it in infra/environments.ts: the id of the AWS account, so that no other account is deployed to.',
    'test has no region. Set it in infra/environments.ts: the AWS region, so that no second copy is created in another one.',
    'test has no alarmEmail. Set it in infra/environments.ts: the address that receives the alarms.',
    `test has no networks.mainnet.rpcUrls.name. Set it in infra/environments.ts: ${providers}`,
    `test has no networks.testnet.rpcUrls.name. Set it in infra/environments.ts: ${providers}`,
  ])
})

test('an environment that is complete, or not in production, has no warning', () => {
  for (const environment of [everythingOn, environments.dev, environments.staging]) {
    expect(warningsOf(environment)).toEqual([])
  }
})

test('an edge that only the context asks for is a warning, so that `npm run deploy` refuses it', () => {
  using app = createApp({ environment: 'dev' })
  app.node.setContext('edge', 'true')
  const [warning] = Annotations.fromStack(addStack(app) ?? new Stack()).findWarning('*', Match.anyValue())
  expect(String(warning?.entry.data)).toMatch(/^-c edge=true is not for a deployment\. Set `edge` of the environment /)
})

test('a stack belongs to the account and region of its environment, so that the CLI refuses credentials of another', () => {
  using app = createApp()
  const { account, region } = create(app, everythingOn)
  expect({ account, region }).toEqual({ account: '000000000000', region: 'us-east-1' })
})

test('`npm run deploy` makes the warnings errors of the CLI, before it calls AWS', async () => {
  expect(JSON.parse(await readFile('package.json', 'utf8')).scripts.deploy).toBe('cdk deploy --strict')
  const output = await mkdtemp(join(tmpdir(), 'price-lookup-strict-'))
  const cdk = createRequire(import.meta.url).resolve('aws-cdk/bin/cdk')
  const args = [cdk, 'synth', '--quiet', '--strict', '-c', 'environment=prod', '--output', output]
  const env = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env['PATH']}` }
  await expect(promisify(execFile)(process.execPath, args, { env })).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('prod has no alarmEmail.'),
  })
  await rm(output, { recursive: true })
}, 60_000)
