import { expect, test } from 'vitest'
import { ofEachNetwork } from '../../api/networks.ts'
import { priceRoutes } from '../../api/routes.ts'
import { PriceLookupStack } from '../../infra/price-lookup-stack.ts'
import { toVariables, variables } from '../../lambda/settings.ts'
import {
  allOf,
  createApp,
  domain,
  everythingOn,
  outputsOf,
  prod,
  resourcesOf,
  routeFunctionsOf,
  synthesise,
} from '../support/infra/synthesise.ts'

// Options that no deployed environment uses.
const on = synthesise(everythingOn)

test('without the cache, no method is cached', () => {
  const [stage] = allOf(synthesise({ ...prod, cache: false }), 'ApiGateway::Stage')
  expect(stage).toMatchObject({
    CacheClusterEnabled: false,
    MethodSettings: [undefined, ...priceRoutes].map(() => ({ CachingEnabled: false })),
  })
  expect(stage).not.toHaveProperty('CacheClusterSize')
})

const ofPath = (path: string) => `arn:aws:ssm:us-east-1:000000000000:parameter/price-lookup/test/rpc-urls/${path}`

test('existing parameters are read and decrypted with their key, and so are all others below their path', () => {
  expect(allOf(on, 'SSM::Parameter')).toEqual([])
  const rpcUrlsParameters = ofEachNetwork(network => everythingOn.rpcUrls[network]?.name ?? '')
  const Variables = toVariables({ ...everythingOn, rpcUrlsParameters, publicBaseUrl: `https://${domain.name}` })
  const environments = routeFunctionsOf(on).map(({ Environment }) => Environment)
  expect(environments).toMatchObject(priceRoutes.map(() => ({ Variables })))
  const policies = allOf(on, 'IAM::Policy').filter(({ Roles }) => /^<(List|Get)/.test(String(Roles)))
  expect(policies).toHaveLength(priceRoutes.length)
  for (const { PolicyDocument } of policies) {
    expect(PolicyDocument).toMatchObject({
      Statement: [
        { Action: ['logs:CreateLogStream', 'logs:PutLogEvents'] },
        { Effect: 'Allow', Action: 'ssm:GetParameters', Resource: ofPath('*') },
        {
          Effect: 'Allow',
          Action: 'kms:Decrypt',
          Resource: 'arn:aws:kms:us-east-1:000000000000:key/own',
          Condition: {
            StringEquals: { 'kms:ViaService': 'ssm.us-east-1.amazonaws.com' },
            StringLike: { 'kms:EncryptionContext:PARAMETER_ARN': ofPath('*') },
          },
        },
      ],
    })
  }
})

test.each([
  '/secrets/rpc',
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

test('a custom domain takes TLS 1.3 or 1.2 with forward secrecy, IPv4 and IPv6, and has the routes at its root', () => {
  expect(allOf(on, 'ApiGateway::DomainName')).toEqual([
    {
      DomainName: 'prices.example',
      RegionalCertificateArn: domain.certificateArn,
      SecurityPolicy: 'SecurityPolicy_TLS13_1_2_PFS_PQ_2025_09',
      EndpointAccessMode: 'STRICT',
      EndpointConfiguration: { Types: ['REGIONAL'], IpAddressType: 'dualstack' },
    },
  ])
  expect(allOf(on, 'ApiGateway::BasePathMapping')).toEqual([
    { DomainName: '<ApiDomain>', RestApiId: '<Api>', Stage: '<ApiDeploymentStagev1>' },
  ])
})

test('with a hosted zone, the stack makes the records of the domain; without, only their target is an output', () => {
  const record = (Type: string) => ({
    Name: 'prices.example.',
    Type,
    HostedZoneId: 'Z0000000000000000000',
    AliasTarget: { DNSName: '<ApiDomain.RegionalDomainName>', HostedZoneId: '<ApiDomain.RegionalHostedZoneId>' },
  })
  expect(allOf(on, 'Route53::RecordSet')).toEqual([record('A'), record('AAAA')])
  const byHand = synthesise({ ...everythingOn, domain: { ...domain, hostedZone: undefined } })
  expect(allOf(byHand, 'Route53::RecordSet')).toEqual([])
  for (const template of [on, byHand]) {
    expect(outputsOf(template)).toMatchObject({ DomainTarget: { Value: '<ApiDomain.RegionalDomainName>' } })
  }
})

test('a domain is the URL of the outputs and functions, and API Gateway’s own stays on (D18b)', () => {
  const baseUrl = 'https://prices.example'
  expect(outputsOf(on)).toMatchObject({ BaseUrl: { Value: baseUrl } })
  const [api] = allOf(on, 'ApiGateway::RestApi')
  expect(api).not.toHaveProperty('DisableExecuteApiEndpoint')
  const functions = resourcesOf(on, 'Lambda::Function')
  for (const name of ['ListPrices', 'GetPrice', 'Probe', 'BeforeAllowTraffic']) {
    expect(functions[name]).toMatchObject({ Environment: { Variables: { [variables.publicBaseUrl]: baseUrl } } })
  }
})

test('a web ACL refuses an address that sends too many requests in five minutes', () => {
  const shown = { CloudWatchMetricsEnabled: true, SampledRequestsEnabled: true }
  expect(allOf(on, 'WAFv2::WebACL')).toEqual([
    {
      Name: 'price-lookup-test',
      Scope: 'REGIONAL',
      DefaultAction: { Allow: {} },
      VisibilityConfig: { ...shown, MetricName: 'price-lookup-test' },
      Rules: [
        {
          Name: 'too-many-requests',
          Priority: 0,
          Action: { Block: {} },
          Statement: { RateBasedStatement: { AggregateKeyType: 'IP', EvaluationWindowSec: 300, Limit: 1_000 } },
          VisibilityConfig: { ...shown, MetricName: 'price-lookup-test-too-many-requests' },
        },
      ],
    },
  ])
  const stage = '/restapis/<Api>/stages/<ApiDeploymentStagev1>'
  expect(allOf(on, 'WAFv2::WebACLAssociation')).toEqual([
    { ResourceArn: `arn:aws:apigateway:us-east-1::${stage}`, WebACLArn: '<ApiWebAcl.Arn>' },
  ])
})

test('alarms are sent to the email address of their urgency', () => {
  expect(allOf(on, 'SNS::Subscription')).toEqual([
    { Protocol: 'email', Endpoint: 'oncall@prices.example', TopicArn: '<Alarmspage>' },
    { Protocol: 'email', Endpoint: 'team@prices.example', TopicArn: '<Alarmsticket>' },
  ])
})
