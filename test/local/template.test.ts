import { afterAll, beforeAll, expect, test } from 'vitest'
import { TemplateNotUnderstood } from '../../local/template/values.ts'
import { readTemplate } from '../../local/template.ts'
import { resourceAt, type SynthesisedStack, settingsOf, synthesiseStack, type TemplateJson } from './stack-copy.ts'

let stack: SynthesisedStack

beforeAll(async () => {
  stack = await synthesiseStack()
}, 60_000)

afterAll(() => stack.remove())

const priceMethod = 'Api/Default/price/{symbol}/GET/Resource'
const preflightMethod = 'Api/Default/price/OPTIONS/Resource'

async function readChanged(change: (template: TemplateJson) => void) {
  return readTemplate(await stack.copy(change))
}

test('the real template is understood: its routes', async () => {
  const { apiId, stageName, cacheCluster, routes } = await readTemplate(stack.path)
  expect({ apiId, stageName, cacheCluster }).toEqual({
    apiId: expect.stringMatching(/^Api/),
    stageName: 'v1',
    cacheCluster: true,
  })
  const preflight = {
    requestParameters: {},
    integration: {
      type: 'MOCK',
      status: 204,
      headers: {
        'Access-Control-Allow-Headers': '*',
        'Access-Control-Allow-Methods': 'GET',
        'Access-Control-Allow-Origin': '*',
        'Access-Control-Max-Age': '600',
      },
      body: '',
      contentTypes: ['application/json'],
      passesOthers: false,
    },
    settings: { cacheTtlMs: undefined, throttling: { requestsPerSecond: 20, burst: 40 } },
  }
  const get = { httpMethod: 'GET', settings: { ...preflight.settings, cacheTtlMs: 10_000 } }
  const integration = { type: 'AWS_PROXY', timeoutMs: 12_000 }
  const network = 'method.request.querystring.network'
  const symbol = 'method.request.path.symbol'
  expect(routes.map(({ resourceId, ...route }) => route)).toEqual([
    {
      ...get,
      resourcePath: '/price',
      requestParameters: { [network]: false },
      integration: { ...integration, functionId: expect.stringMatching(/^ListPrices/), cacheKeyParameters: [network] },
    },
    { ...preflight, resourcePath: '/price', httpMethod: 'OPTIONS' },
    {
      ...get,
      resourcePath: '/price/{symbol}',
      requestParameters: { [network]: false, [symbol]: true },
      integration: {
        ...integration,
        functionId: expect.stringMatching(/^GetPrice/),
        cacheKeyParameters: [network, symbol],
      },
    },
    { ...preflight, resourcePath: '/price/{symbol}', httpMethod: 'OPTIONS' },
    {
      ...preflight,
      resourcePath: '/',
      httpMethod: 'GET',
      integration: {
        type: 'MOCK',
        status: 200,
        headers: expect.objectContaining({
          'Content-Type': 'text/html; charset=utf-8',
          'Content-Security-Policy': expect.stringMatching(/^default-src 'none'; .*; frame-ancestors 'none'$/),
        }),
        body: expect.stringMatching(/^<!doctype html>.*<\/html>$/s),
        contentTypes: ['application/json'],
        passesOthers: false,
      },
    },
    { ...preflight, resourcePath: '/', httpMethod: 'OPTIONS' },
    {
      ...preflight,
      resourcePath: '/openapi.json',
      httpMethod: 'GET',
      integration: {
        type: 'MOCK',
        status: 200,
        headers: expect.objectContaining({ 'Content-Type': 'application/json' }),
        body: expect.stringMatching(/^\{"openapi":"3\.1\./),
        contentTypes: ['application/json'],
        passesOthers: false,
      },
    },
    { ...preflight, resourcePath: '/openapi.json', httpMethod: 'OPTIONS' },
  ])
})

test('the documents are not cached, and are throttled as everything else (D26)', async () => {
  const { routes } = await readTemplate(stack.path)
  const documents = routes.filter(({ integration }) => integration.type === 'MOCK')
  const throttling = { requestsPerSecond: 20, burst: 40 }
  for (const { settings } of documents) expect(settings).toEqual({ cacheTtlMs: undefined, throttling })
})

test("a document without a content type has its template's", async () => {
  const { routes } = await readChanged(template => {
    delete parametersOf(template)['method.response.header.Content-Type']
  })
  const headers = routes.flatMap(({ integration }) => ('headers' in integration ? [integration.headers] : []))
  expect(headers.map(each => each['Content-Type'])).toContain('text/html')
})

test('the real template is understood: its gateway responses', async () => {
  const { gatewayResponses } = await readTemplate(stack.path)
  expect(gatewayResponses.get('THROTTLED')).toEqual({
    status: 429,
    headers: {
      'Access-Control-Allow-Origin': '*',
      'Cache-Control': 'no-store',
      'Content-Type': 'application/problem+json',
      'Retry-After': '1',
    },
    body: expect.stringContaining('too-many-requests'),
  })
  expect(gatewayResponses.get('DEFAULT_5XX')?.status).toBeUndefined()
})

test('the real template is understood: its functions and parameters', async () => {
  const { functions, parameters } = await readTemplate(stack.path)
  const getPrice = [...functions.values()].find(({ name }) => name === 'GetPrice')
  expect(getPrice).toEqual({
    logicalId: expect.stringMatching(/^GetPrice/),
    name: 'GetPrice',
    entry: expect.stringMatching(/\/asset\.[0-9a-f]+\/index\.js$/),
    handlerName: 'handler',
    runtime: 'nodejs24.x',
    timeoutMs: 10_000,
    memoryMb: 1_024,
    environment: {
      MAX_HEAD_AGE_SECONDS_MAINNET: '60',
      RPC_URLS_PARAMETER_MAINNET: '/price-lookup/dev/rpc-urls/mainnet',
      RPC_URLS_PARAMETER_TESTNET: '/price-lookup/dev/rpc-urls/testnet',
    },
  })
  expect([...parameters.keys()]).toEqual(['/price-lookup/dev/rpc-urls/mainnet', '/price-lookup/dev/rpc-urls/testnet'])
})

test("a method's own settings inherit nothing: what they leave out has API Gateway's default", async () => {
  const { routes } = await readChanged(template => {
    for (const name of ['ThrottlingRateLimit', 'ThrottlingBurstLimit', 'CachingEnabled']) {
      delete settingsOf(template, '/~1price', 'GET')[name]
    }
    delete settingsOf(template, '/~1price~1{symbol}', 'GET')['CacheTtlInSeconds']
  })
  expect(routes.slice(0, 4).map(({ settings }) => settings)).toEqual([
    { cacheTtlMs: undefined, throttling: { requestsPerSecond: 10_000, burst: 5_000 } },
    { cacheTtlMs: undefined, throttling: { requestsPerSecond: 20, burst: 40 } },
    { cacheTtlMs: 300_000, throttling: { requestsPerSecond: 20, burst: 40 } },
    { cacheTtlMs: undefined, throttling: { requestsPerSecond: 20, burst: 40 } },
  ])
})

test('an integration without a time limit has 29 seconds', async () => {
  const { routes } = await readChanged(template => {
    delete integrationOf(template)['TimeoutInMillis']
  })
  expect(routes[2]?.integration).toMatchObject({ timeoutMs: 29_000 })
})

test('a text may be a reference, an attribute, a join or a substitution', async () => {
  const { functions } = await readChanged(template => {
    resourceAt(template, 'GetPrice/Resource').Properties['Environment'] = {
      Variables: {
        REF: { Ref: 'AWS::Region' },
        ATTRIBUTE: { 'Fn::GetAtt': [idOf(template, 'RpcUrls-mainnet/Resource'), 'Value'] },
        JOIN: { 'Fn::Join': ['-', ['a', { Ref: 'AWS::AccountId' }]] },
        // biome-ignore lint/suspicious/noTemplateCurlyInString: it is CloudFormation's placeholder
        SUB: { 'Fn::Sub': ['${AWS::Partition} ${given} ${!kept}', { given: { Ref: 'AWS::URLSuffix' } }] },
      },
    }
  })
  const getPrice = [...functions.values()].find(({ name }) => name === 'GetPrice')
  expect(getPrice?.environment).toEqual({
    REF: 'us-east-1',
    ATTRIBUTE: expect.stringMatching(/^https:/),
    JOIN: 'a-000000000000',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is CloudFormation's placeholder
    SUB: 'aws amazonaws.com ${kept}',
  })
})

test.for<[what: string, change: (template: TemplateJson) => void, message: RegExp]>([
  [
    'a cache key that the method does not declare',
    template => {
      resourceAt(template, priceMethod).Properties['RequestParameters'] = { 'method.request.path.symbol': true }
    },
    /^ApipricesymbolGET\w+: the cache key method\.request\.querystring\.network is not among its RequestParameters\.$/,
  ],
  [
    'a cache key out of a header',
    template => {
      integrationOf(template)['CacheKeyParameters'] = ['method.request.header.Accept']
    },
    /the cache key method\.request\.header\.Accept/,
  ],
  [
    'another integration',
    template => Object.assign(integrationOf(template), { Type: 'HTTP_PROXY' }),
    /type HTTP_PROXY/,
  ],
  [
    'a mapped integration',
    template => Object.assign(integrationOf(template), { RequestParameters: {} }),
    /RequestParameters/,
  ],
  [
    'an integration that is no function',
    template => Object.assign(integrationOf(template), { Uri: 'arn:x' }),
    /arn:x is not/,
  ],
  [
    'an authorizer',
    template => Object.assign(resourceAt(template, priceMethod).Properties, { AuthorizerId: 'a' }),
    /AuthorizerId/,
  ],
  [
    'IAM',
    template => Object.assign(resourceAt(template, priceMethod).Properties, { AuthorizationType: 'AWS_IAM' }),
    /AWS_IAM/,
  ],
  [
    'API keys',
    template => Object.assign(resourceAt(template, priceMethod).Properties, { ApiKeyRequired: true }),
    /API keys/,
  ],
  [
    'a validator',
    template => Object.assign(resourceAt(template, priceMethod).Properties, { RequestValidatorId: 'a' }),
    /RequestValidatorId/,
  ],
  ['any method', template => Object.assign(resourceAt(template, priceMethod).Properties, { HttpMethod: 'ANY' }), /ANY/],
  [
    'a greedy path',
    template =>
      Object.assign(resourceAt(template, 'Api/Default/price/{symbol}/Resource').Properties, { PathPart: '{all+}' }),
    /\{all\+\}/,
  ],
  ['stage variables', template => Object.assign(stageOf(template), { Variables: {} }), /Variables/],
  ['a canary', template => Object.assign(stageOf(template), { CanarySetting: {} }), /CanarySetting/],
  [
    'compression',
    template => Object.assign(resourceAt(template, 'Api/Resource').Properties, { MinimumCompressionSize: 1 }),
    /MinimumCompressionSize/,
  ],
  [
    'settings of no method',
    template => Object.assign(settingsOf(template, '/~1price', 'GET'), { ResourcePath: '/~1prices' }),
    /no method \/~1prices GET/,
  ],
  ['an unknown setting', template => Object.assign(settingsOf(template, '/~1price', 'GET'), { Shade: 1 }), /Shade/],
  [
    'a choice of mock responses',
    template => {
      const { Integration } = resourceAt(template, preflightMethod).Properties as {
        Integration: Record<string, unknown[]>
      }
      Integration['IntegrationResponses']?.push({ StatusCode: '500', SelectionPattern: '5..' })
    },
    /one response/,
  ],
  [
    'an unknown passthrough',
    template => Object.assign(pageOf(template), { PassthroughBehavior: 'SOMETIMES' }),
    /no PassthroughBehavior SOMETIMES/,
  ],
  [
    'a choice of response templates',
    template => {
      responseOf(template)['ResponseTemplates'] = { 'text/html': 'a', 'text/plain': 'b' }
    },
    /one response template/,
  ],
  [
    'a response template with variables',
    template => {
      responseOf(template)['ResponseTemplates'] = { 'text/html': '$context.requestId' }
    },
    /^ApiGET\w+ Integration text\/html: .*the reference context/,
  ],
  [
    'a document with a mapped header',
    template => {
      parametersOf(template)['method.response.header.X'] = 'integration.response.header.X'
    },
    /header\.X is not a header with a fixed value/,
  ],
  [
    'a gateway response with variables',
    template => {
      resourceAt(template, 'Api/THROTTLED/Resource').Properties['ResponseTemplates'] = {
        'application/json': '$context.path',
      }
    },
    /variables in a body/,
  ],
  [
    'a gateway response with a mapped header',
    template => {
      resourceAt(template, 'Api/THROTTLED/Resource').Properties['ResponseParameters'] = {
        'gatewayresponse.header.X': 'method.request.header.X',
      }
    },
    /header\.X is not a header with a fixed value/,
  ],
  [
    'another function of CloudFormation',
    template => {
      resourceAt(template, 'GetPrice/Resource').Properties['Environment'] = {
        Variables: { A: { 'Fn::Select': [0, ['a']] } },
      }
    },
    /^GetPrice\w+ Environment A: .*Fn::Select/,
  ],
  [
    'a reference to what is not played',
    template => {
      const Ref = idOf(template, 'GetPriceLog/Resource')
      resourceAt(template, 'GetPrice/Resource').Properties['Environment'] = { Variables: { A: { Ref } } }
    },
    /does not know the Ref of GetPriceLog\w+, AWS::Logs::LogGroup/,
  ],
  ['layers', template => Object.assign(resourceAt(template, 'GetPrice/Resource').Properties, { Layers: [] }), /Layers/],
  [
    'a missing bundle',
    template => Object.assign(resourceAt(template, 'GetPrice/Resource').Metadata, { 'aws:asset:path': 'x' }),
    /there is no x\/index\.js or \.mjs/,
  ],
  [
    'a usage plan',
    template => {
      template.Resources['Plan'] = { Type: 'AWS::ApiGateway::UsagePlan', Properties: {}, Metadata: {} }
    },
    /^Plan: .*UsagePlan/,
  ],
  [
    'a second stage',
    template => {
      template.Resources['Second'] = resourceAt(template, 'Api/DeploymentStage.v1/Resource')
    },
    /^Second: is a second AWS::ApiGateway::Stage/,
  ],
])('%s is refused', async ([, change, message]) => {
  const read = readChanged(change)
  await expect(read).rejects.toThrow(TemplateNotUnderstood)
  await expect(read).rejects.toThrow(message)
})

function integrationOf(template: TemplateJson): Record<string, unknown> {
  return resourceAt(template, priceMethod).Properties['Integration'] as Record<string, unknown>
}

/** The integration of the page at the root. */
function pageOf(template: TemplateJson): { IntegrationResponses: [Record<string, unknown>] } {
  const { Integration } = resourceAt(template, 'Api/Default/GET/Resource').Properties as {
    Integration: { IntegrationResponses: [Record<string, unknown>] }
  }
  return Integration
}

/** Its one response. */
function responseOf(template: TemplateJson): Record<string, unknown> {
  return pageOf(template).IntegrationResponses[0]
}

function parametersOf(template: TemplateJson): Record<string, unknown> {
  return responseOf(template)['ResponseParameters'] as Record<string, unknown>
}

function stageOf(template: TemplateJson): Record<string, unknown> {
  return resourceAt(template, 'Api/DeploymentStage.v1/Resource').Properties
}

function idOf(template: TemplateJson, path: string): string {
  const resource = resourceAt(template, path)
  return Object.keys(template.Resources).find(id => template.Resources[id] === resource) ?? ''
}
