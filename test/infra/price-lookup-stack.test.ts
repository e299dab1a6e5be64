import { Match } from 'aws-cdk-lib/assertions'
import { expect, test } from 'vitest'
import { type Environment, environments } from '../../infra/environments.ts'
import { allOf, everythingOff, synthesise } from './synthesise.ts'

const plain: Environment = { ...everythingOff, cache: true }
const template = synthesise(plain)
const all = (type: string, of = template) => allOf(of, type)

function settingsOf(path: string, method: string, of = template): unknown {
  const [stage] = all('ApiGateway::Stage', of) as [{ MethodSettings: { ResourcePath: string; HttpMethod: string }[] }]
  return stage.MethodSettings.find(({ ResourcePath, HttpMethod }) => ResourcePath === path && HttpMethod === method)
}

/** The methods that a function answers. */
const pricesOf = () => all('ApiGateway::Method').filter(({ Integration }) => Object(Integration).Type === 'AWS_PROXY')

test('the API is regional, and its stage is v1', () => {
  template.hasResourceProperties('AWS::ApiGateway::RestApi', {
    Name: 'price-lookup-test',
    EndpointConfiguration: { Types: ['REGIONAL'] },
  })
  template.hasResourceProperties('AWS::ApiGateway::Stage', { StageName: 'v1' })
})

test('there are two routes of prices and two of documents, each with GET and a preflight, and nothing else', () => {
  expect(all('ApiGateway::Resource').map(({ PathPart }) => PathPart)).toEqual(['price', '{symbol}', 'openapi.json'])
  const methods = all('ApiGateway::Method').map(({ HttpMethod }) => HttpMethod)
  expect(methods).toEqual(Array.from({ length: 4 }, () => ['GET', 'OPTIONS']).flat())
})

test.each(['/~1price', '/~1price~1{symbol}'])('%s is cached for ten seconds, encrypted and throttled (D21)', path => {
  expect(settingsOf(path, 'GET')).toEqual({
    ResourcePath: path,
    HttpMethod: 'GET',
    CachingEnabled: true,
    CacheTtlInSeconds: 10,
    CacheDataEncrypted: true,
    DataTraceEnabled: false,
    MetricsEnabled: false,
    LoggingLevel: 'ERROR',
    ThrottlingRateLimit: 20,
    ThrottlingBurstLimit: 40,
  })
})

test('nothing else is cached, and everything else is throttled too', () => {
  expect(settingsOf('/*', '*')).toMatchObject({
    CachingEnabled: false,
    ThrottlingRateLimit: 20,
    ThrottlingBurstLimit: 40,
  })
})

test('a cache that is off is off everywhere, explicitly', () => {
  const uncached = synthesise(everythingOff)
  uncached.hasResourceProperties('AWS::ApiGateway::Stage', {
    CacheClusterEnabled: false,
    CacheClusterSize: Match.absent(),
  })
  for (const [path, method] of [
    ['/*', '*'],
    ['/~1price', 'GET'],
    ['/~1price~1{symbol}', 'GET'],
  ] as const) {
    expect(settingsOf(path, method, uncached)).toMatchObject({ CachingEnabled: false })
  }
})

test('the list is keyed by the network, one price by the network and the symbol; every key is a request parameter (D21)', () => {
  const [list, price] = pricesOf() as [
    { Integration: { CacheKeyParameters: string[] }; RequestParameters: object },
    { Integration: { CacheKeyParameters: string[] }; RequestParameters: object },
  ]
  expect(list.Integration.CacheKeyParameters).toEqual(['method.request.querystring.network'])
  expect(list.RequestParameters).toEqual({ 'method.request.querystring.network': false })
  expect(price.Integration.CacheKeyParameters).toEqual([
    'method.request.querystring.network',
    'method.request.path.symbol',
  ])
  expect(price.RequestParameters).toEqual({
    'method.request.querystring.network': false,
    'method.request.path.symbol': true,
  })
})

test('a preflight from any origin is answered without a function (D20)', () => {
  template.resourcePropertiesCountIs(
    'AWS::ApiGateway::Method',
    {
      HttpMethod: 'OPTIONS',
      Integration: {
        Type: 'MOCK',
        // The gateway's default, to let through what there is no template for, would be a 500.
        PassthroughBehavior: 'NEVER',
        RequestTemplates: { 'application/json': '{"statusCode":200}' },
        IntegrationResponses: [
          {
            StatusCode: '204',
            ResponseParameters: {
              'method.response.header.Access-Control-Allow-Origin': "'*'",
              'method.response.header.Access-Control-Allow-Methods': "'GET'",
              'method.response.header.Access-Control-Allow-Headers': "'*'",
              'method.response.header.Access-Control-Max-Age': "'600'",
            },
          },
        ],
      },
    },
    4,
  )
})

test('each route is a function of its own on the runtime that the tests run on, bundled as ESM', () => {
  const functions = all('Lambda::Function')
  expect(functions).toHaveLength(2)
  for (const properties of functions) {
    expect(properties).toMatchObject({
      Runtime: `nodejs${process.versions.node.split('.')[0]}.x`,
      Architectures: ['arm64'],
      Handler: 'index.handler',
      LoggingConfig: { LogFormat: 'JSON' },
    })
  }
})

test('an integration outlives its function, and a function the reads that it makes', () => {
  for (const { Timeout } of all('Lambda::Function')) expect(Timeout).toBeGreaterThan(2 + 3.5)
  for (const { Integration } of pricesOf()) expect(Integration).toMatchObject({ TimeoutInMillis: 12_000 })
})

test('nobody but the API’s own routes may invoke a function, not even the console’s test button', () => {
  expect(all('Lambda::Permission')).toHaveLength(2)
  for (const { SourceArn } of all('Lambda::Permission')) {
    expect(JSON.stringify(SourceArn)).not.toContain('test-invoke-stage')
    expect(JSON.stringify(SourceArn)).toMatch(/\/GET\/price/)
  }
})

test('the stack creates a parameter per network, with the chain’s own public URL (D22)', () => {
  expect(all('SSM::Parameter').map(({ Name, Type, Value }) => ({ Name, Type, Value }))).toEqual([
    {
      Name: '/price-lookup/test/rpc-urls/mainnet',
      Type: 'String',
      Value: 'https://rpc.mainnet.chain.robinhood.com',
    },
    {
      Name: '/price-lookup/test/rpc-urls/testnet',
      Type: 'String',
      Value: 'https://rpc.testnet.chain.robinhood.com',
    },
  ])
})

const parameterArn = (name: unknown) => ({
  'Fn::Join': [
    '',
    [
      'arn:',
      { Ref: 'AWS::Partition' },
      ':ssm:',
      { Ref: 'AWS::Region' },
      ':',
      { Ref: 'AWS::AccountId' },
      ...[name].flat(),
    ],
  ],
})

test('a function may write its own log and read the two parameters, and nothing else', () => {
  expect(all('IAM::Role').map(({ ManagedPolicyArns }) => ManagedPolicyArns)).toEqual([undefined, undefined])
  const logs = ['ListPrices', 'GetPrice'].map(id => {
    const [log] = Object.keys(template.findResources('AWS::Logs::LogGroup')).filter(name => name.startsWith(`${id}Log`))
    return log
  })
  const [mainnet, testnet] = Object.keys(template.findResources('AWS::SSM::Parameter'))
  expect(all('IAM::Policy').map(({ PolicyDocument }) => PolicyDocument)).toEqual(
    logs.map(log => ({
      Version: '2012-10-17',
      Statement: [
        {
          Effect: 'Allow',
          Action: ['logs:CreateLogStream', 'logs:PutLogEvents'],
          Resource: { 'Fn::GetAtt': [log, 'Arn'] },
        },
        {
          Effect: 'Allow',
          Action: 'ssm:GetParameters',
          Resource: [mainnet, testnet].map(name => parameterArn([':parameter', { Ref: name }])),
        },
        // Traces know no resources.
        { Effect: 'Allow', Action: ['xray:PutTelemetryRecords', 'xray:PutTraceSegments'], Resource: '*' },
      ],
    })),
  )
})

test('what the gateway says by itself is a problem that any origin may read (D19, D20)', () => {
  for (const { ResponseParameters, ResponseTemplates } of all('ApiGateway::GatewayResponse')) {
    expect(ResponseParameters).toMatchObject({
      'gatewayresponse.header.Access-Control-Allow-Origin': "'*'",
      'gatewayresponse.header.Cache-Control': "'no-store'",
      'gatewayresponse.header.Content-Type': "'application/problem+json'",
    })
    const { 'application/json': body } = ResponseTemplates as Record<string, string>
    expect(Object.keys(JSON.parse(body ?? ''))).toEqual(expect.arrayContaining(['type', 'title', 'detail']))
  }
})

test.each([
  ['MISSING_AUTHENTICATION_TOKEN', 404, 'unknown-route'],
  ['INVALID_SIGNATURE', 404, 'unknown-route'],
  ['RESOURCE_NOT_FOUND', 404, 'unknown-route'],
  ['THROTTLED', 429, 'too-many-requests'],
  ['QUOTA_EXCEEDED', 429, 'too-many-requests'],
  ['INTEGRATION_FAILURE', 502, 'internal'],
  ['INTEGRATION_TIMEOUT', 504, 'internal'],
])('%s is %i %s (D19)', (type, status, slug) => {
  const [response] = all('ApiGateway::GatewayResponse').filter(({ ResponseType }) => ResponseType === type)
  expect(response).toMatchObject({ StatusCode: String(status) })
  const body = Object(response)['ResponseTemplates']['application/json']
  expect(JSON.parse(body)).toMatchObject({ status, type: `urn:problem-type:price-lookup:${slug}` })
})

test('a throttled caller is told when to come back (D19)', () => {
  template.hasResourceProperties('AWS::ApiGateway::GatewayResponse', {
    ResponseType: 'THROTTLED',
    ResponseParameters: { 'gatewayresponse.header.Retry-After': "'1'" },
  })
})

test.each(['DEFAULT_4XX', 'DEFAULT_5XX'])(
  '%s names no status, which would overwrite all others or belie them',
  type => {
    const [response] = all('ApiGateway::GatewayResponse').filter(({ ResponseType }) => ResponseType === type)
    expect(response).not.toHaveProperty('StatusCode')
    expect(JSON.parse(Object(response)['ResponseTemplates']['application/json'])).not.toHaveProperty('status')
  },
)

test('the public base URL is an output, without a trailing slash', () => {
  const { Value } = template.findOutputs('BaseUrl')['BaseUrl'] as { Value: { 'Fn::Join': [string, unknown[]] } }
  expect(Value['Fn::Join'][1].at(-1)).toEqual({ Ref: expect.stringContaining('Stage') })
  expect(Object.keys(template.toJSON()['Outputs'])).toEqual(['BaseUrl'])
})

test.each(Object.keys(environments))('the stack of %s can be synthesised', name => {
  expect(all('Lambda::Function', synthesise(environments[name] ?? plain, name))).toHaveLength(2)
})
