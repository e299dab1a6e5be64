import { Stack } from 'aws-cdk-lib'
import { Match } from 'aws-cdk-lib/assertions'
import { expect, test } from 'vitest'
import { environments, findEnvironment } from '../../infra/environments.ts'
import { PriceLookupStack } from '../../infra/price-lookup-stack.ts'
import { allOf, createApp, everythingOff, everythingOn, synthesise } from './synthesise.ts'

const on = synthesise(everythingOn)
const off = synthesise(everythingOff)

/** A template as text, in which a part can be looked for wherever it stands. */
const textOf = (template: typeof on) => JSON.stringify(template.toJSON())

test('an environment is found by its name alone', () => {
  expect(Object.keys(environments)).toEqual(['dev', 'staging', 'prod'])
  expect(findEnvironment('prod')).toEqual({ name: 'prod', ...environments['prod'] })
  for (const name of [undefined, '', 'production', 'toString', '__proto__', 1]) {
    expect(findEnvironment(name)).toBeUndefined()
  }
})

test('two environments share no name, so that both live in one account', () => {
  const names = (name: string) => textOf(synthesise(everythingOff, name)).match(/[\w/-]*price-lookup[\w/-]*/g) ?? []
  const shared = new Set(names('dev')).intersection(new Set(names('staging')))
  // The service's own name, as a tag and in the problems' types, is no resource's.
  expect([...shared]).toEqual(['price-lookup'])
})

test('production is protected and keeps its logs', () => {
  const prod = new PriceLookupStack(createApp(), 'prod', { name: 'prod', ...(environments['prod'] ?? everythingOff) })
  expect(prod.terminationProtection).toBe(true)
  for (const log of Object.values(on.findResources('AWS::Logs::LogGroup'))) {
    expect(log).toMatchObject({ DeletionPolicy: 'Retain', Properties: { RetentionInDays: 365 } })
  }
  for (const log of Object.values(off.findResources('AWS::Logs::LogGroup'))) {
    expect(log).toMatchObject({ DeletionPolicy: 'Delete', Properties: { RetentionInDays: 7 } })
  }
})

test('every log group is ours, so that none is kept for ever', () => {
  // Two functions, the accesses, and what API Gateway says of itself.
  expect(Object.keys(on.findResources('AWS::Logs::LogGroup'))).toHaveLength(4)
  expect(textOf(on)).toContain('API-Gateway-Execution-Logs_')
})

test('existing parameters are read instead of created ones, with their own key, and just these', () => {
  expect(allOf(on, 'SSM::Parameter')).toEqual([])
  for (const { Environment: variables } of allOf(on, 'Lambda::Function')) {
    expect(variables).toEqual({
      Variables: {
        RPC_URLS_PARAMETER_MAINNET: '/secrets/rpc',
        RPC_URLS_PARAMETER_TESTNET: 'rpc',
        MAX_HEAD_AGE_SECONDS_MAINNET: '60',
        MAX_HEAD_AGE_SECONDS_TESTNET: '600',
      },
    })
  }
  const arn = (path: string) => ({
    'Fn::Join': [
      '',
      ['arn:', { Ref: 'AWS::Partition' }, ':ssm:', { Ref: 'AWS::Region' }, ':', { Ref: 'AWS::AccountId' }, path],
    ],
  })
  for (const { PolicyDocument } of allOf(on, 'IAM::Policy')) {
    expect(PolicyDocument).toMatchObject({
      Statement: expect.arrayContaining([
        {
          Effect: 'Allow',
          Action: 'ssm:GetParameters',
          Resource: [arn(':parameter/rpc'), arn(':parameter/secrets/rpc')],
        },
        { Effect: 'Allow', Action: 'kms:Decrypt', Resource: 'arn:aws:kms:us-east-1:000000000000:key/mainnet' },
      ]),
    })
  }
  expect(textOf(off)).not.toContain('kms:Decrypt')
})

test('a head of any age is believed where the environment sets no limit', () => {
  for (const { Environment: variables } of allOf(off, 'Lambda::Function')) {
    // Plain names: whoever plays the template alone, as SAM does, takes a reference to a parameter for its name.
    expect(Object(variables)['Variables']).toEqual({
      RPC_URLS_PARAMETER_MAINNET: expect.stringMatching(/^\/price-lookup\/\w+\/rpc-urls\/mainnet$/),
      RPC_URLS_PARAMETER_TESTNET: expect.stringMatching(/^\/price-lookup\/\w+\/rpc-urls\/testnet$/),
    })
  }
})

test('a domain of its own has TLS 1.2, is where the API is, and switches the other off', () => {
  on.hasResourceProperties('AWS::ApiGateway::DomainName', {
    DomainName: 'prices.example',
    SecurityPolicy: 'TLS_1_2',
    EndpointConfiguration: { Types: ['REGIONAL'] },
  })
  on.hasResourceProperties('AWS::ApiGateway::BasePathMapping', { BasePath: Match.absent() })
  on.hasResourceProperties('AWS::ApiGateway::RestApi', { DisableExecuteApiEndpoint: true })
  expect(on.findOutputs('BaseUrl')['BaseUrl']).toMatchObject({ Value: 'https://prices.example' })
  expect(on.findOutputs('*')).toHaveProperty('DomainTarget')
})

test('without a domain of its own the API is where API Gateway puts it', () => {
  off.resourceCountIs('AWS::ApiGateway::DomainName', 0)
  off.hasResourceProperties('AWS::ApiGateway::RestApi', { DisableExecuteApiEndpoint: false })
})

test('a rate rule refuses an address, and says so like any throttling', () => {
  on.hasResourceProperties('AWS::WAFv2::WebACL', {
    Scope: 'REGIONAL',
    DefaultAction: { Allow: {} },
    Rules: [
      {
        Action: { Block: {} },
        Statement: { RateBasedStatement: { AggregateKeyType: 'IP', EvaluationWindowSec: 300, Limit: 1_000 } },
      },
    ],
  })
  on.resourceCountIs('AWS::WAFv2::WebACLAssociation', 1)
  off.resourceCountIs('AWS::WAFv2::WebACL', 0)
  on.hasResourceProperties('AWS::ApiGateway::GatewayResponse', { ResponseType: 'WAF_FILTERED', StatusCode: '429' })
})

test('memory and concurrency are the environment’s', () => {
  on.allResourcesProperties('AWS::Lambda::Function', { MemorySize: 1_024, ReservedConcurrentExecutions: 10 })
  off.allResourcesProperties('AWS::Lambda::Function', { MemorySize: 512, ReservedConcurrentExecutions: Match.absent() })
})

test('requests are traced from the gateway to the functions', () => {
  off.allResourcesProperties('AWS::Lambda::Function', { TracingConfig: { Mode: 'Active' } })
  off.allResourcesProperties('AWS::ApiGateway::Stage', { TracingEnabled: true })
})

test('the access log is JSON, and holds nothing that a caller writes nor where a caller is', () => {
  const [stage] = allOf(off, 'ApiGateway::Stage')
  const format = JSON.parse(Object(stage)['AccessLogSetting']['Format'])
  expect(format).toEqual({
    requestId: '$context.requestId',
    extendedRequestId: '$context.extendedRequestId',
    requestTime: '$context.requestTime',
    httpMethod: '$context.httpMethod',
    resourcePath: '$context.resourcePath',
    status: '$context.status',
    responseLatency: '$context.responseLatency',
    responseLength: '$context.responseLength',
    integrationLatency: '$context.integrationLatency',
    integrationStatus: '$context.integrationStatus',
    errorResponseType: '$context.error.responseType',
    xrayTraceId: '$context.xrayTraceId',
  })
})

test('everything carries the service’s and the environment’s name as tags', () => {
  const stack = new PriceLookupStack(createApp(), 'tagged', { name: 'test', ...everythingOff })
  expect(Stack.of(stack).tags.tagValues()).toEqual({ service: 'price-lookup', environment: 'test' })
})
