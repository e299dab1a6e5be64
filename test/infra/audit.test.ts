import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { Stack } from 'aws-cdk-lib'
import { Queue } from 'aws-cdk-lib/aws-sqs'
import { beforeAll, expect, test } from 'vitest'
import { addStack } from '../../infra/add-stack.ts'
import { audit } from '../../infra/audit.ts'
import { environments } from '../../infra/environments.ts'
import { PriceLookupStack } from '../../infra/price-lookup-stack.ts'
import { bareEdge, createApp, edgeOn, everythingOn } from './synthesise.ts'

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
  const env = { ...process.env, CDK_CONTEXT_JSON: '{"environment":"production"}' }
  await expect(promisify(execFile)(process.execPath, ['infra/app.ts'], { env })).rejects.toMatchObject({
    code: 1,
    stderr:
      'Missing or unknown -c environment=NAME. Known: dev, staging, prod; account, once per account and region.\n',
  })
})
