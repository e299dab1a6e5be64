import type { Template } from 'aws-cdk-lib/assertions'
import { expect, test } from 'vitest'
import { environments } from '../../infra/environments.ts'
import { PriceLookupStack } from '../../infra/price-lookup-stack.ts'
import { routes } from '../support/infra/routes.ts'
import {
  allOf,
  createApp,
  dependenciesOf,
  everythingOn,
  outputsOf,
  prod,
  resourcesOf,
  synthesise,
} from '../support/infra/synthesise.ts'

const template = synthesise(prod, 'prod')
const staging = synthesise(environments.staging, 'staging')

test('prod is protected from deletion, and has its name and the service as tags', () => {
  using app = createApp()
  const stack = new PriceLookupStack(app, 'stack', { name: 'prod', ...prod })
  expect(stack.terminationProtection).toBe(true)
  expect(stack.tags.tagValues()).toEqual({ service: 'price-lookup', environment: 'prod' })
})

test('the stage caches GET of the price routes for 10 seconds, and limits each method (D21)', () => {
  const uncached = {
    ResourcePath: '/*',
    HttpMethod: '*',
    CachingEnabled: false,
    // A data trace would log requests and responses.
    DataTraceEnabled: false,
    MetricsEnabled: false,
    LoggingLevel: 'ERROR',
    ThrottlingRateLimit: 50,
    ThrottlingBurstLimit: 100,
  }
  const cached = {
    ...uncached,
    HttpMethod: 'GET',
    CachingEnabled: true,
    CacheTtlInSeconds: 10,
    CacheDataEncrypted: true,
    ThrottlingRateLimit: 500,
    ThrottlingBurstLimit: 1_000,
  }
  const ofRoutes = routes.map(({ path }) => ({ ...cached, ResourcePath: `/${path.replaceAll('/', '~1')}` }))
  expect(allOf(template, 'ApiGateway::Stage')).toMatchObject([
    { StageName: 'v1', CacheClusterEnabled: true, CacheClusterSize: '0.5', MethodSettings: [uncached, ...ofRoutes] },
  ])
})

test('methods that are not cached have a tenth of the rate, but at least 20 requests a second', () => {
  const others = { ThrottlingRateLimit: 20, ThrottlingBurstLimit: 40 }
  const cached = { ThrottlingRateLimit: 100, ThrottlingBurstLimit: 200 }
  expect(allOf(staging, 'ApiGateway::Stage')).toMatchObject([{ MethodSettings: [others, ...routes.map(() => cached)] }])
})

test('without the cache, no method is cached', () => {
  const [stage] = allOf(synthesise({ ...prod, cache: false }), 'ApiGateway::Stage')
  const uncached = { CachingEnabled: false }
  expect(stage).toMatchObject({ CacheClusterEnabled: false, MethodSettings: [uncached, ...routes.map(() => uncached)] })
})

test('the log groups of prod are kept for a year and outlive the stack; those of staging do neither', () => {
  const logGroupsOf = (of: Template) => Object.values(of.findResources('AWS::Logs::LogGroup'))
  // With `RetainExceptOnCreate`, a stack whose first deployment failed leaves no log group behind.
  const outlives = { DeletionPolicy: 'RetainExceptOnCreate', UpdateReplacePolicy: 'Retain' }
  const ofProd = { ...outlives, Properties: { RetentionInDays: 365 } }
  const ofStaging = { DeletionPolicy: 'Delete', UpdateReplacePolicy: 'Delete', Properties: { RetentionInDays: 30 } }
  expect(logGroupsOf(template)).toMatchObject(Array(3).fill(ofProd))
  expect(logGroupsOf(staging)).toMatchObject(Array(3).fill(ofStaging))
  // The stage waits for this log group: otherwise API Gateway would create it first, without retention.
  expect(Object.values(dependenciesOf(template, 'ApiGateway::Stage'))).toEqual([['ApiExecutionLog']])
})

test('the access log has no free text of the caller, and not the caller’s address', () => {
  const [stage] = allOf<{ AccessLogSetting: { Format: string } }>(template, 'ApiGateway::Stage')
  const variables = Object.values<string>(JSON.parse(String(stage?.AccessLogSetting.Format)))
  expect(variables).toContain('$context.status')
  for (const variable of variables)
    expect(variable).not.toMatch(/\.(identity|authorizer|path|protocol|domain\w*|requestOverride|message\w*)\b/)
})

test('a web ACL refuses an address with more than 600 requests in five minutes', () => {
  const limit = { RateBasedStatement: { AggregateKeyType: 'IP', EvaluationWindowSec: 300, Limit: 600 } }
  expect(allOf(template, 'WAFv2::WebACL')).toMatchObject([
    { Scope: 'REGIONAL', DefaultAction: { Allow: {} }, Rules: [{ Action: { Block: {} }, Statement: limit }] },
  ])
  const stage = expect.stringMatching(/\/restapis\/<Api>\/stages\/<ApiDeploymentStagev1>$/)
  expect(allOf(template, 'WAFv2::WebACLAssociation')).toEqual([{ ResourceArn: stage, WebACLArn: '<ApiWebAcl.Arn>' }])
})

test('pages and gateway responses change after the canary: the stage waits for the aliases', () => {
  const [waited] = Object.values(dependenciesOf(template, 'ApiGateway::Deployment'))
  const methods = Object.entries(resourcesOf(template, 'ApiGateway::Method'))
  const ofAliases = methods.filter(([, method]) => JSON.stringify(method).includes('Aliaslive>'))
  expect(ofAliases).toHaveLength(2 * routes.length)
  expect(waited).toEqual(expect.arrayContaining(ofAliases.map(([id]) => id)))
})

test('API and domain take IPv4 alone, by TLS 1.3 or 1.2 with forward secrecy (D34)', () => {
  const tls = { SecurityPolicy: 'SecurityPolicy_TLS13_1_2_PFS_PQ_2025_09', EndpointAccessMode: 'STRICT' }
  const endpoint = { ...tls, EndpointConfiguration: { Types: ['REGIONAL'], IpAddressType: 'ipv4' } }
  const on = synthesise(everythingOn)
  for (const type of ['ApiGateway::RestApi', 'ApiGateway::DomainName'])
    expect(allOf(on, type)).toEqual([expect.objectContaining(endpoint)])
})

test('the outputs are the URL, the log, the parameters, and each function with its version, for a rollback', () => {
  const values = Object.entries(outputsOf(template)).map(([name, { Value }]) => [name, Value])
  expect(Object.fromEntries(values)).toEqual({
    // Without a domain, the URL is API Gateway's own.
    BaseUrl: 'https://<Api>.execute-api.<AWS::Region>.<AWS::URLSuffix>/v1',
    RequestLogName: '<RequestLog>',
    RpcUrlsMainnet: '/price-lookup/prod/rpc-urls/mainnet',
    RpcUrlsTestnet: '/price-lookup/prod/rpc-urls/testnet',
    ...Object.fromEntries(
      routes.flatMap(({ id }) => [
        [`${id}Function`, `<${id}>`],
        [`${id}Version`, `<${id}CurrentVersion.Version>`],
      ]),
    ),
  })
})

test('the outputs name the parameters of the environment, if it has its own (D22)', () => {
  expect(outputsOf(synthesise(everythingOn))).toMatchObject({
    RpcUrlsMainnet: { Value: '/price-lookup/test/rpc-urls/own-key' },
    RpcUrlsTestnet: { Value: '/price-lookup/test/rpc-urls/testnet-secret' },
  })
})
