import { expect, test } from 'vitest'
import { environments } from '../../infra/environments.ts'
import { allOf, everythingOn, resourcesOf, synthesise, toReadable } from './synthesise.ts'

// Options that no deployed environment uses.
const on = synthesise(everythingOn)
const off = synthesise({
  ...environments.dev,
  cache: false,
  networks: {
    mainnet: { ...environments.dev.networks.mainnet, maxHeadAgeSeconds: undefined },
    testnet: { ...environments.dev.networks.testnet, maxHeadAgeSeconds: undefined },
  },
})

test('without the cache, no method is cached', () => {
  const [stage] = allOf(off, 'ApiGateway::Stage')
  expect(stage).toMatchObject({
    CacheClusterEnabled: false,
    MethodSettings: [{ CachingEnabled: false }, { CachingEnabled: false }, { CachingEnabled: false }],
  })
  expect(stage).not.toHaveProperty('CacheClusterSize')
})

test('existing parameters are read instead of created ones, decrypted with their own key', () => {
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
  const policies = allOf(on, 'IAM::Policy')
  expect(policies).toHaveLength(2)
  for (const { PolicyDocument } of policies) {
    expect(PolicyDocument).toMatchObject({
      Statement: [
        { Action: ['logs:CreateLogStream', 'logs:PutLogEvents'] },
        {
          Effect: 'Allow',
          Action: 'ssm:GetParameters',
          Resource: [
            'arn:aws:ssm:us-east-1:000000000000:parameter/rpc',
            'arn:aws:ssm:us-east-1:000000000000:parameter/secrets/rpc',
          ],
        },
        { Effect: 'Allow', Action: 'kms:Decrypt', Resource: 'arn:aws:kms:us-east-1:000000000000:key/mainnet' },
        { Action: ['xray:PutTelemetryRecords', 'xray:PutTraceSegments'] },
      ],
    })
  }
})

test('without a limit in the environment, a head of any age is accepted', () => {
  for (const { Environment: variables } of allOf(off, 'Lambda::Function')) {
    expect(Object.keys(Object(variables)['Variables'])).toEqual([
      'RPC_URLS_PARAMETER_MAINNET',
      'RPC_URLS_PARAMETER_TESTNET',
    ])
  }
})

test('each function has the reserved concurrency', () => {
  const functions = allOf(on, 'Lambda::Function')
  expect(functions.map(properties => properties['ReservedConcurrentExecutions'])).toEqual([10, 10])
})

test('a custom domain takes TLS 1.2 or later, has the routes at its root and replaces the address of API Gateway', () => {
  expect(allOf(on, 'ApiGateway::DomainName')).toEqual([
    {
      DomainName: 'prices.example',
      RegionalCertificateArn: everythingOn.domain?.certificateArn,
      SecurityPolicy: 'TLS_1_2',
      EndpointConfiguration: { Types: ['REGIONAL'] },
    },
  ])
  expect(allOf(on, 'ApiGateway::BasePathMapping')).toEqual([
    { DomainName: '<ApiDomain>', RestApiId: '<Api>', Stage: '<ApiDeploymentStagev1>' },
  ])
  expect(resourcesOf(on, 'ApiGateway::RestApi')).toMatchObject({ Api: { DisableExecuteApiEndpoint: true } })
  expect(toReadable(on.toJSON()['Outputs'])).toEqual({
    BaseUrl: { Value: 'https://prices.example', Description: expect.any(String) },
    DomainTarget: { Value: '<ApiDomain.RegionalDomainName>', Description: expect.any(String) },
  })
})

test('a web ACL refuses an address that sends too many requests in five minutes', () => {
  const metrics = (MetricName: string) => ({
    CloudWatchMetricsEnabled: true,
    MetricName,
    SampledRequestsEnabled: false,
  })
  expect(allOf(on, 'WAFv2::WebACL')).toEqual([
    {
      Scope: 'REGIONAL',
      DefaultAction: { Allow: {} },
      VisibilityConfig: metrics('price-lookup'),
      Rules: [
        {
          Name: 'too-many-requests',
          Priority: 0,
          Action: { Block: {} },
          Statement: { RateBasedStatement: { AggregateKeyType: 'IP', EvaluationWindowSec: 300, Limit: 1_000 } },
          VisibilityConfig: metrics('too-many-requests'),
        },
      ],
    },
  ])
  const stage = '/restapis/<Api>/stages/<ApiDeploymentStagev1>'
  expect(allOf(on, 'WAFv2::WebACLAssociation')).toEqual([
    { ResourceArn: `arn:aws:apigateway:us-east-1::${stage}`, WebACLArn: '<ApiWebAcl.Arn>' },
  ])
})

test('alarms are sent to the email address', () => {
  expect(allOf(on, 'SNS::Subscription')).toEqual([
    { Protocol: 'email', Endpoint: 'oncall@prices.example', TopicArn: '<Alarms>' },
  ])
})
