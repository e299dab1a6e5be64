import { expect, test } from 'vitest'
import {
  allOf,
  bareEdge,
  domain,
  edgeOn,
  outputsOf,
  resourcesOf,
  routeFunctionsOf,
  synthesise,
  toReadable,
} from '../../support/infra/synthesise.ts'

const on = synthesise(edgeOn, 'prod')
const bare = synthesise(bareEdge, 'prod')
const configOf = (template: typeof on) => Object(allOf(template, 'CloudFront::Distribution')[0])['DistributionConfig']

test('the distribution has HTTP/2 and 3, IPv6, and TLS 1.2 or later at its domain', () => {
  expect(configOf(on)).toMatchObject({
    Aliases: ['prices.example'],
    HttpVersion: 'http2and3',
    IPV6Enabled: true,
    PriceClass: 'PriceClass_100',
    ViewerCertificate: {
      AcmCertificateArn: domain.certificateArn,
      MinimumProtocolVersion: 'TLSv1.2_2021',
      SslSupportMethod: 'sni-only',
    },
    WebACLId: '<ApiEdgeWebAcl.Arn>',
  })
  expect(configOf(bare)).not.toHaveProperty('Aliases')
})

test('the origin is the stage, over TLS 1.2, with a shield in its region and the secret header', () => {
  expect(configOf(on)['Origins']).toMatchObject([
    {
      DomainName: '<Api>.execute-api.us-east-1.<AWS::URLSuffix>',
      OriginPath: '/v1',
      CustomOriginConfig: { OriginProtocolPolicy: 'https-only', OriginSSLProtocols: ['TLSv1.2'] },
      OriginCustomHeaders: [{ HeaderName: 'X-Origin-Secret', HeaderValue: secret }],
      OriginShield: { Enabled: true, OriginShieldRegion: 'us-east-1' },
    },
  ])
})

const secret = '{{resolve:secretsmanager:<ApiOriginSecret>:SecretString:::}}'

test('prices are kept for 10 s at most and documents for 300 s, by path and network alone', () => {
  const { DefaultCacheBehavior, CacheBehaviors } = configOf(on)
  const behavior = {
    // The function refuses unknown methods.
    AllowedMethods: ['GET', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'POST', 'DELETE'],
    Compress: true,
    FunctionAssociations: [{ EventType: 'viewer-request', FunctionARN: '<ApiCanonicalRequest.FunctionARN>' }],
    ViewerProtocolPolicy: 'redirect-to-https',
  }
  expect(DefaultCacheBehavior).toEqual({
    ...behavior,
    CachePolicyId: '<ApiDocuments>',
    TargetOriginId: expect.any(String),
  })
  expect(CacheBehaviors).toEqual([
    { ...behavior, PathPattern: '/price*', CachePolicyId: '<ApiPrices>', TargetOriginId: expect.any(String) },
  ])
  const policies = Object.values(resourcesOf(on, 'CloudFront::CachePolicy'))
  const toPolicy = (MaxTTL: number) => ({
    CachePolicyConfig: {
      Name: expect.any(String),
      MinTTL: 0,
      DefaultTTL: 0,
      MaxTTL,
      ParametersInCacheKeyAndForwardedToOrigin: {
        CookiesConfig: { CookieBehavior: 'none' },
        EnableAcceptEncodingBrotli: true,
        EnableAcceptEncodingGzip: true,
        HeadersConfig: { HeaderBehavior: 'none' },
        QueryStringsConfig: { QueryStringBehavior: 'whitelist', QueryStrings: ['network'] },
      },
    },
  })
  expect(policies).toEqual([toPolicy(300), toPolicy(10)])
})

test('no error is cached', () => {
  const codes = [400, 403, 404, 405, 414, 500, 501, 502, 503, 504]
  expect(configOf(on)['CustomErrorResponses']).toEqual(codes.map(ErrorCode => ({ ErrorCode, ErrorCachingMinTTL: 0 })))
})

test('the API refuses requests without the secret header, once the distribution sends it', () => {
  const { ApiOriginWebAcl: acl } = resourcesOf(on, 'WAFv2::WebACL')
  expect(acl).toMatchObject({
    Scope: 'REGIONAL',
    DefaultAction: { Block: {} },
    VisibilityConfig: { SampledRequestsEnabled: false },
    Rules: [
      {
        Action: { Allow: {} },
        VisibilityConfig: { SampledRequestsEnabled: false },
        Statement: {
          ByteMatchStatement: {
            FieldToMatch: { SingleHeader: { Name: 'x-origin-secret' } },
            PositionalConstraint: 'EXACTLY',
            SearchString: secret,
            TextTransformations: [{ Priority: 0, Type: 'NONE' }],
          },
        },
      },
    ],
  })
  const [association] = Object.values(on.findResources('AWS::WAFv2::WebACLAssociation'))
  expect(toReadable(association?.['Properties'])).toMatchObject({ WebACLArn: '<ApiOriginWebAcl.Arn>' })
  expect(association?.['DependsOn']).toContainEqual(expect.stringMatching(/^ApiEdge[0-9A-F]{8}$/))
  // A refusal is then 403, not 429, and the distribution needs the API's own URL.
  const types = allOf(on, 'ApiGateway::GatewayResponse').map(({ ResponseType }) => ResponseType)
  expect(types).not.toContain('WAF_FILTERED')
  expect(allOf(on, 'ApiGateway::RestApi')).toMatchObject([{ DisableExecuteApiEndpoint: false }])
})

test('the distribution refuses an address with too many requests with a problem of any origin', () => {
  const { ApiEdgeWebAcl: acl } = resourcesOf(on, 'WAFv2::WebACL')
  const ResponseHeaders = expect.arrayContaining([
    { Name: 'Access-Control-Allow-Origin', Value: '*' },
    { Name: 'Retry-After', Value: '1' },
  ])
  const CustomResponse = { ResponseCode: 429, CustomResponseBodyKey: 'problem', ResponseHeaders }
  expect(acl).toMatchObject({
    Scope: 'CLOUDFRONT',
    VisibilityConfig: { SampledRequestsEnabled: true },
    CustomResponseBodies: { problem: { Content: expect.stringContaining(':too-many-requests"') } },
    Rules: [
      {
        Action: { Block: { CustomResponse } },
        Statement: { RateBasedStatement: { AggregateKeyType: 'IP', EvaluationWindowSec: 300, Limit: 1_000 } },
      },
    ],
  })
})

test.each([
  ['its domain', on, 'https://prices.example'],
  ['CloudFront’s own name', bare, 'https://<ApiEdge.DomainName>'],
])('the public URL is %s: of the functions, the probe and the output (D18b)', (_, template, url) => {
  const probe = resourcesOf(template, 'Lambda::Function')['Probe']
  for (const { Environment } of [...routeFunctionsOf(template), Object(probe)]) {
    expect(Object(Environment)['Variables']).toMatchObject({ PUBLIC_BASE_URL: url })
  }
  expect(outputsOf(template)).toMatchObject({ BaseUrl: { Value: url } })
})

test('the records of the domain lead to the distribution, for IPv4 and IPv6', () => {
  const records = allOf(on, 'Route53::RecordSet')
  expect(records.map(({ Type, AliasTarget }) => [Type, Object(AliasTarget).DNSName])).toEqual([
    ['A', '<ApiEdge.DomainName>'],
    ['AAAA', '<ApiEdge.DomainName>'],
  ])
  expect(allOf(on, 'ApiGateway::DomainName')).toEqual([])
})

test('the access log has no address of a caller', () => {
  const [{ RecordFields } = {}] = allOf(on, 'Logs::Delivery')
  expect(RecordFields).toContain('sc-status')
  expect(RecordFields).not.toContain('c-ip')
  expect(RecordFields).not.toContain('x-forwarded-for')
})

test('an edge that writes no log has no delivery of lines', () => {
  expect(allOf(bare, 'Logs::Delivery')).toEqual([])
})

test('while the API’s own URL serves, it keeps its cache and its rate rule, which does not count the edge', () => {
  const { ApiWebAcl: acl } = resourcesOf(bare, 'WAFv2::WebACL')
  const match = { FieldToMatch: { SingleHeader: { Name: 'x-origin-secret' } }, SearchString: secret }
  const ScopeDownStatement = { NotStatement: { Statement: { ByteMatchStatement: match } } }
  expect(acl).toMatchObject({
    Scope: 'REGIONAL',
    DefaultAction: { Allow: {} },
    // A sample would show the secret.
    VisibilityConfig: { SampledRequestsEnabled: false },
    Rules: [
      {
        Action: { Block: {} },
        Statement: { RateBasedStatement: { AggregateKeyType: 'IP', Limit: 600, ScopeDownStatement } },
        VisibilityConfig: { SampledRequestsEnabled: false },
      },
    ],
  })
  expect(allOf(bare, 'WAFv2::WebACLAssociation')).toMatchObject([{ WebACLArn: '<ApiWebAcl.Arn>' }])
  const types = allOf(bare, 'ApiGateway::GatewayResponse').map(({ ResponseType }) => ResponseType)
  expect(types).toContain('WAF_FILTERED')
  expect(allOf(bare, 'ApiGateway::Stage')).toMatchObject([{ CacheClusterEnabled: true }])
})

test('an edge needs the region us-east-1', () => {
  for (const region of ['eu-west-1', undefined])
    expect(() => synthesise({ ...edgeOn, region })).toThrow('test has an edge, so its region must be us-east-1')
})
