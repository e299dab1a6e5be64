import { describe, expect, test } from 'vitest'
import { networkFacts, networks } from '../../api/networks.ts'
import { environments, findEnvironment } from '../../infra/environments.ts'
import { PriceLookupStack } from '../../infra/price-lookup-stack.ts'
import { allOf, createApp, routeFunctionsOf, synthesise, toVariables } from '../support/infra/synthesise.ts'

/** The deployed environments, and the settings in which they differ. One with limits has a canary and a probe, too. */
const deployed = [
  { name: 'dev', rate: 20, burst: 40, logDays: 7, isProduction: false, perAddress: undefined, containers: undefined },
  { name: 'staging', rate: 100, burst: 200, logDays: 30, isProduction: false, perAddress: 600, containers: 10 },
  { name: 'prod', rate: 500, burst: 1_000, logDays: 365, isProduction: true, perAddress: 600, containers: 50 },
] as const

describe.each(deployed)('$name', ({ name, rate, burst, logDays, isProduction, perAddress, containers }) => {
  const template = synthesise(environments[name], name)

  test(`${isProduction ? 'is' : 'is not'} protected from deletion, and has its name and the service as tags`, () => {
    using app = createApp()
    const { terminationProtection, tags } = new PriceLookupStack(app, 'stack', { name, ...environments[name] })
    expect(terminationProtection).toBe(isProduction)
    expect(tags.tagValues()).toEqual({ service: 'price-lookup', environment: name })
  })

  test(`caches the two price routes for 10 seconds, and takes ${rate} requests per second of each method (D21)`, () => {
    const uncached = {
      ResourcePath: '/*',
      HttpMethod: '*',
      CachingEnabled: false,
      DataTraceEnabled: false,
      MetricsEnabled: false,
      LoggingLevel: 'ERROR',
      ThrottlingRateLimit: rate,
      ThrottlingBurstLimit: burst,
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

  test(`has three log groups of ${logDays} days, which ${isProduction ? 'outlive' : 'do not outlive'} the stack`, () => {
    // `RetainExceptOnCreate`: a stack whose first deployment failed leaves none behind.
    const settings = isProduction
      ? { DeletionPolicy: 'RetainExceptOnCreate', UpdateReplacePolicy: 'Retain' }
      : { DeletionPolicy: 'Delete', UpdateReplacePolicy: 'Delete' }
    const logGroups = Object.values(template.findResources('AWS::Logs::LogGroup'))
    expect(logGroups.map(({ Type: _, Metadata: __, ...rest }) => rest)).toEqual(
      [{}, {}, { LogGroupName: expect.anything() }].map(named => ({
        ...settings,
        Properties: { RetentionInDays: logDays, ...named },
      })),
    )
  })

  test('has its literal parameters, its reserved containers, and its limit of requests per address', () => {
    // No reference to a parameter: `sam local` takes its logical id for its name.
    const functions = routeFunctionsOf(template)
    expect(functions).toHaveLength(2)
    for (const { MemorySize, Timeout, Environment, ReservedConcurrentExecutions } of functions) {
      expect({ MemorySize, Timeout, Environment }).toEqual({
        MemorySize: 1_024,
        Timeout: 10,
        Environment: { Variables: toVariables(name) },
      })
      expect(ReservedConcurrentExecutions).toBe(containers)
    }
    const [acl] = allOf(template, 'WAFv2::WebACL')
    expect(Object(acl)['Rules']?.[0].Statement.RateBasedStatement.Limit).toBe(perAddress)
  })

  test('creates a parameter per network, with a literal URL, which is the public one of the chain', () => {
    expect(allOf(template, 'SSM::Parameter')).toEqual(
      networks.map(network => ({
        Name: `/price-lookup/${name}/rpc-urls/${network}`,
        Description: `One to three RPC URLs of the ${network}, in order of preference, separated by spaces`,
        Type: 'String',
        Value: networkFacts[network].rpcUrl,
      })),
    )
  })
})

test('staging and prod have a web ACL, a canary and a probe besides; no environment has a domain or a subscription', () => {
  const typesOf = (name: keyof typeof environments) => {
    const resources = Object.values<{ Type: string }>(synthesise(environments[name], name).toJSON()['Resources'])
    return new Set(resources.map(({ Type }) => Type))
  }
  const webAcl = ['WAFv2::WebACL', 'WAFv2::WebACLAssociation']
  const canary = ['CodeDeploy::Application', 'CodeDeploy::DeploymentGroup']
  const probe = ['Events::Rule', 'Lambda::EventInvokeConfig']
  const added = [...webAcl, ...canary, ...probe].map(type => `AWS::${type}`)
  expect(typesOf('prod')).toEqual(typesOf('dev').union(new Set(added)))
  expect(typesOf('staging')).toEqual(typesOf('prod'))
  expect([...typesOf('prod')].join()).not.toMatch(/Domain|Subscription|RecordSet|Budget/)
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
