import { expect, test } from 'vitest'
import { networkFacts, networks } from '../../../api/networks.ts'
import { PriceLookupStack } from '../../../infra/price-lookup-stack.ts'
import { routes } from '../../support/infra/routes.ts'
import {
  allOf,
  createApp,
  dependenciesOf,
  everythingOn,
  prod,
  resourcesOf,
  statementsOf,
  synthesise,
} from '../../support/infra/synthesise.ts'

const template = synthesise(prod, 'prod')
const on = synthesise(everythingOn)
const ids = routes.map(({ id }) => id)

/** The variables that name the parameters, without a reference: `sam local` would take its logical id for the name. */
const toVariables = (toName: (network: (typeof networks)[number]) => string | undefined) =>
  Object.fromEntries(networks.map(network => [`RPC_URLS_PARAMETER_${network.toUpperCase()}`, toName(network)]))

/** `getaddrinfo` uses half of the threads, and each network has up to three names. */
const enoughThreads = expect.toSatisfy(size => Number(size) / 2 > 3 * networks.length)

test('each route has a function with its own role, on the runtime of the tests, with literal parameters', () => {
  const functions = resourcesOf(template, 'Lambda::Function')
  expect(Object.keys(functions)).toEqual([...ids, 'Probe', 'RpcCheck', 'BeforeAllowTraffic'])
  const variables = toVariables(network => `/price-lookup/prod/rpc-urls/${network}`)
  for (const id of ids)
    expect(functions[id]).toMatchObject({
      Runtime: `nodejs${process.versions.node.split('.')[0]}.x`,
      Architectures: ['arm64'],
      MemorySize: 1_024,
      Timeout: 10,
      ReservedConcurrentExecutions: 50,
      Environment: { Variables: { ...variables, UV_THREADPOOL_SIZE: enoughThreads } },
      Role: `<${id}Role.Arn>`,
      LoggingConfig: { LogFormat: 'JSON', LogGroup: '<RequestLog>' },
    })
})

test('the stack creates a parameter per network, with the public URL of the chain, and before the functions', () => {
  const created = allOf<{ Name: string; Value: string }>(template, 'SSM::Parameter')
  expect(created.map(({ Name, Value }) => [Name, Value])).toEqual(
    networks.map(network => [`/price-lookup/prod/rpc-urls/${network}`, networkFacts[network].rpcUrl]),
  )
  // The policies refer to no parameter, so the roles, for which the functions wait, must state their dependency.
  const waited = dependenciesOf(template, 'IAM::Role')
  for (const id of ids) expect(waited[`${id}Role`]).toEqual(networks.map(network => `RpcUrls${network}`).toSorted())
})

test('a function that reads the chain may write the request log and read the parameters; the probe may write the log', () => {
  const writing = ['logs:CreateLogStream', 'logs:PutLogEvents']
  const write = { Effect: 'Allow', Action: writing, Resource: '<RequestLog.Arn>' }
  const parameters = 'arn:<AWS::Partition>:ssm:<AWS::Region>:<AWS::AccountId>:parameter/price-lookup/prod/rpc-urls/*'
  const read = { Effect: 'Allow', Action: 'ssm:GetParameters', Resource: parameters }
  for (const id of [...ids, 'RpcCheck']) expect(statementsOf(template, id)).toEqual([write, read])
  expect(statementsOf(template, 'Probe')).toEqual([write])
})

test('existing parameters are read and decrypted with their key, and so are all others below their path', () => {
  expect(allOf(on, 'SSM::Parameter')).toEqual([])
  const Variables = toVariables(network => everythingOn.rpcUrls[network]?.name)
  const path = 'arn:aws:ssm:us-east-1:000000000000:parameter/price-lookup/test/rpc-urls/*'
  const decrypt = {
    Effect: 'Allow',
    Action: 'kms:Decrypt',
    Resource: 'arn:aws:kms:us-east-1:000000000000:key/own',
    Condition: {
      StringEquals: { 'kms:ViaService': 'ssm.us-east-1.amazonaws.com' },
      StringLike: { 'kms:EncryptionContext:PARAMETER_ARN': path },
    },
  }
  for (const id of ids) {
    expect(resourcesOf(on, 'Lambda::Function')[id]).toMatchObject({ Environment: { Variables } })
    const [, ...statements] = statementsOf(on, id)
    expect(statements).toEqual([{ Effect: 'Allow', Action: 'ssm:GetParameters', Resource: path }, decrypt])
  }
})

test.each([
  '/price-lookup/prod/rpc-urls/mainnet-secret',
  '/price-lookup/test/rpc-urls',
  '/price-lookup/test/rpc-urls/mainnet',
])('an existing parameter called %s, which the functions may not read or the stack deletes, is an error', name => {
  using app = createApp()
  const rpcUrls = { mainnet: { name, kmsKeyArn: undefined } }
  new PriceLookupStack(app, 'stack', { name: 'test', ...prod, rpcUrls })
  expect(() => app.synth()).toThrow(
    `rpcUrls.mainnet of test is ${name}. Name another parameter below /price-lookup/test/rpc-urls/ in ` +
      'infra/environments.ts: the functions read no other, and those with the names of networks belong to the stack.',
  )
})

test('former versions are kept, but none that was rolled back', () => {
  const versions = Object.values(template.findResources('AWS::Lambda::Version'))
  // A version that a rollback kept would make the next deployment of the same code fail: Lambda publishes it only once.
  const policies = { DeletionPolicy: 'RetainExceptOnCreate', UpdateReplacePolicy: 'Retain' }
  expect(versions).toEqual(ids.map(() => expect.objectContaining(policies)))
})
