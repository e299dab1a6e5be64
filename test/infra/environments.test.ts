import type { Template } from 'aws-cdk-lib/assertions'
import { describe, expect, test } from 'vitest'
import { environments, findEnvironment } from '../../infra/environments.ts'
import { PriceLookupStack } from '../../infra/price-lookup-stack.ts'
import { networkFacts, networks } from '../../lambda/networks.ts'
import { allOf, createApp, resourcesOf, routeFunctionsOf, synthesise, toVariables } from './synthesise.ts'

const small = { afterDeletion: 'Delete', isProtected: false, limits: undefined, canary: false, probe: false } as const

/** The deployed environments, and the settings in which they differ. */
const deployed = [
  { name: 'dev', rate: 20, burst: 40, logDays: 7, ...small },
  {
    ...small,
    name: 'staging',
    rate: 100,
    burst: 200,
    logDays: 30,
    // Like prod, so that prod is not the first to have them.
    limits: { requestsPerAddress: 600, concurrency: 10 },
    canary: true,
    probe: true,
  },
  {
    name: 'prod',
    rate: 500,
    burst: 1_000,
    logDays: 365,
    afterDeletion: 'RetainExceptOnCreate',
    isProtected: true,
    limits: { requestsPerAddress: 600, concurrency: 50 },
    canary: true,
    probe: true,
  },
] as const
const templateOf = ({ name }: { readonly name: keyof typeof environments }): Template =>
  synthesise(environments[name], name)

const withHeadLimit = networks.filter(network => networkFacts[network].maxHeadAgeSeconds !== undefined)

describe.each(deployed)('$name', environment => {
  const { name, rate, burst, logDays, afterDeletion, isProtected, limits, canary, probe } = environment
  const template = templateOf(environment)

  test(`${isProtected ? 'is' : 'is not'} protected from deletion, and has its name and the service as tags`, () => {
    using app = createApp()
    const { terminationProtection, tags } = new PriceLookupStack(app, 'stack', { name, ...environments[name] })
    expect(terminationProtection).toBe(isProtected)
    expect(tags.tagValues()).toEqual({ service: 'price-lookup', environment: name })
  })

  test(`caches the two price routes for 10 seconds, and takes ${rate} requests per second of each method (D21)`, () => {
    const uncached = {
      ...{ ResourcePath: '/*', HttpMethod: '*', CachingEnabled: false, DataTraceEnabled: false, MetricsEnabled: false },
      ...{ LoggingLevel: 'ERROR', ThrottlingRateLimit: rate, ThrottlingBurstLimit: burst },
    }
    const cached = { HttpMethod: 'GET', CachingEnabled: true, CacheTtlInSeconds: 10, CacheDataEncrypted: true }
    const routes = ['/~1price', '/~1price~1{symbol}'].map(ResourcePath => ({ ...uncached, ...cached, ResourcePath }))
    expect(allOf(template, 'ApiGateway::Stage')).toEqual([
      expect.objectContaining({
        CacheClusterEnabled: true,
        CacheClusterSize: '0.5',
        MethodSettings: [uncached, ...routes],
      }),
    ])
  })

  test(`has three log groups of ${logDays} days; when the stack is deleted: ${afterDeletion}`, () => {
    // `RetainExceptOnCreate`: a stack whose first deployment failed leaves none behind.
    const afterUpdate = afterDeletion === 'Delete' ? 'Delete' : 'Retain'
    const settings = { DeletionPolicy: afterDeletion, UpdateReplacePolicy: afterUpdate }
    const logGroups = Object.values(template.findResources('AWS::Logs::LogGroup'))
    expect(logGroups.map(({ Type: _, Metadata: __, ...rest }) => rest)).toEqual(
      [{}, {}, { LogGroupName: expect.anything() }].map(named => ({
        ...settings,
        Properties: { RetentionInDays: logDays, ...named },
      })),
    )
  })

  test(`reserves ${limits?.concurrency ?? 'no'} containers of each function, and limits an address to ${limits?.requestsPerAddress ?? 'no'} requests`, () => {
    // No reference to a parameter: `sam local` takes its logical id for its name.
    const Variables = toVariables(name)
    const functions = routeFunctionsOf(template).map(properties => [
      ...[properties['MemorySize'], properties['Timeout'], properties['Environment']],
      properties['ReservedConcurrentExecutions'],
    ])
    const expected = [1_024, 10, { Variables }, limits?.concurrency]
    expect(functions).toEqual([expected, expected])
    const [acl] = allOf(template, 'WAFv2::WebACL')
    expect(Object(acl)['Rules']?.[0].Statement.RateBasedStatement.Limit).toBe(limits?.requestsPerAddress)
  })

  test('creates a parameter per network, with a literal URL, which is the public one of the chain (D22)', () => {
    expect(allOf(template, 'SSM::Parameter')).toEqual(
      networks.map(network => ({
        Name: `/price-lookup/${name}/rpc-urls/${network}`,
        Description: `One to three RPC URLs of the ${network}, in order of preference, separated by spaces`,
        Type: 'String',
        Value: networkFacts[network].rpcUrl,
      })),
    )
  })

  test('has these resources and no other: no domain and no subscription', () => {
    const types = Object.values<{ Type: string }>(template.toJSON()['Resources']).map(({ Type }) => Type)
    const counts = Object.entries(Object.groupBy(types, type => type)).map(([type, all]) => [type, all?.length])
    expect(Object.fromEntries(counts)).toEqual({
      'AWS::ApiGateway::Deployment': 1,
      'AWS::ApiGateway::GatewayResponse': 10,
      'AWS::ApiGateway::Method': 15,
      'AWS::ApiGateway::Resource': 4,
      'AWS::ApiGateway::RestApi': 1,
      'AWS::ApiGateway::Stage': 1,
      'AWS::CloudWatch::Alarm': 11 + 3 * networks.length + withHeadLimit.length + (probe ? 2 : 0),
      'AWS::CloudWatch::Dashboard': 1,
      'AWS::IAM::Policy': 2 + (canary ? 3 : 0) + (probe ? 1 : 0),
      'AWS::IAM::Role': 2 + (canary ? 3 : 0) + (probe ? 1 : 0),
      'AWS::Lambda::Alias': 2,
      'AWS::Lambda::Function': 2 + (canary ? 1 : 0) + (probe ? 1 : 0),
      'AWS::Lambda::Permission': 4 + (probe ? 1 : 0),
      'AWS::Lambda::Version': 2,
      'AWS::Logs::LogGroup': 3,
      'AWS::Logs::MetricFilter': 10,
      'AWS::SNS::Topic': 2,
      'AWS::SNS::TopicPolicy': 2,
      'AWS::SSM::Parameter': networks.length,
      'AWS::XRay::SamplingRule': 1,
      ...(limits && { 'AWS::WAFv2::WebACL': 1, 'AWS::WAFv2::WebACLAssociation': 1 }),
      ...(canary && { 'AWS::CodeDeploy::Application': 1, 'AWS::CodeDeploy::DeploymentGroup': 2 }),
      ...(probe && { 'AWS::Events::Rule': 1, 'AWS::Lambda::EventInvokeConfig': 1 }),
    })
  })

  test('traces 5 % of the requests to its stage, and not the first of every second', () => {
    const every = { Host: '*', HTTPMethod: '*', ResourceARN: '*', URLPath: '*' }
    const ServiceName = `price-lookup-${name}/<ApiDeploymentStagev1>`
    const rate = { ReservoirSize: 0, FixedRate: 0.05, Priority: 1_000, Version: 1 }
    const rule = { RuleName: `price-lookup-${name}`, ServiceName, ServiceType: 'AWS::ApiGateway::Stage', ...rate }
    expect(allOf(template, 'XRay::SamplingRule')).toEqual([{ SamplingRule: { ...rule, ...every } }])
  })

  test('has a template of plain ASCII, which no encoding can change', () => {
    expect(JSON.stringify(template.toJSON()).match(/\P{ASCII}/gu)).toBeNull()
  })

  test('is at API Gateway’s own address, for IPv4 and IPv6, by TLS 1.3 or 1.2 with forward secrecy', () => {
    expect(resourcesOf(template, 'ApiGateway::RestApi')).toEqual({
      Api: {
        Name: `price-lookup-${name}`,
        Description: 'Price Lookup',
        EndpointConfiguration: { Types: ['REGIONAL'], IpAddressType: 'dualstack' },
        DisableExecuteApiEndpoint: false,
        SecurityPolicy: 'SecurityPolicy_TLS13_1_2_PFS_PQ_2025_09',
        EndpointAccessMode: 'STRICT',
      },
    })
  })
})

test('no two environments share the name of a resource, so that all fit into one account', () => {
  const names = Object.entries(environments)
    .map(([name, environment]) => synthesise(environment, name))
    .flatMap(template => [...new Set(JSON.stringify(template.toJSON()).match(/[\w/-]*price-lookup[\w/-]*/gi))])
  // The namespace of the problem types and the tag are shared, and name no resource.
  expect(new Set(names.filter((name, index) => names.indexOf(name) < index))).toEqual(new Set(['price-lookup']))
})

test('an environment is found by its exact name', () => {
  expect(findEnvironment('prod')).toEqual({ name: 'prod', ...environments.prod })
  for (const name of [undefined, '', 'production', 'toString', '__proto__', 1]) {
    expect(findEnvironment(name)).toBeUndefined()
  }
})
