import { afterAll, beforeAll, expect, test } from 'vitest'
import { UnsupportedTemplate } from '../../local/template/cloudformation.ts'
import { readTemplate } from '../../local/template.ts'
import { type Change, changeSettings, type SynthesisedStack, synthesiseStack } from './stack-copy.ts'

let stack: SynthesisedStack

beforeAll(async () => {
  stack = await synthesiseStack()
}, 60_000)

afterAll(() => stack.remove())

const readChanged = async (...changes: Change[]) => readTemplate(await stack.copy(changes))

const page = 'Api/Default/GET'
const price = 'Api/Default/price/{symbol}/GET'
const preflight = 'Api/Default/price/OPTIONS'
const stage = 'Api/DeploymentStage.v1'
const network = 'method.request.querystring.network'
const symbol = 'method.request.path.symbol'
const throttling = { requestsPerSecond: 20, burst: 40 }

test('the routes of the real template', async () => {
  const { apiId, stageName, cacheCluster, routes } = await readTemplate(stack.path)
  expect({ apiId, stageName, cacheCluster }).toEqual({
    apiId: expect.stringMatching(/^Api/),
    stageName: 'v1',
    cacheCluster: true,
  })
  const uncached = { cacheTtlMs: undefined, throttling }
  const mock = { type: 'MOCK', contentTypes: ['application/json'], passesOthers: false }
  const preflightOf = (resourcePath: string) => ({
    resourcePath,
    httpMethod: 'OPTIONS',
    requestParameters: {},
    integration: {
      ...mock,
      status: 204,
      headers: {
        'Access-Control-Allow-Headers': '*',
        'Access-Control-Allow-Methods': 'GET',
        'Access-Control-Allow-Origin': '*',
        'Access-Control-Max-Age': '600',
      },
      body: '',
    },
    settings: uncached,
  })
  const documentAt = (resourcePath: string, headers: object, body: RegExp, httpMethod = 'GET') => ({
    resourcePath,
    httpMethod,
    requestParameters: {},
    integration: {
      ...mock,
      status: 200,
      headers: expect.objectContaining(headers),
      body: expect.stringMatching(body),
    },
    settings: uncached,
  })
  const readAt = (resourcePath: string, functionId: RegExp, requestParameters: object) => ({
    resourcePath,
    httpMethod: 'GET',
    requestParameters,
    integration: {
      type: 'AWS_PROXY',
      timeoutMs: 12_000,
      functionId: expect.stringMatching(functionId),
      cacheKeyParameters: Object.keys(requestParameters),
    },
    settings: { cacheTtlMs: 10_000, throttling },
  })
  const headAt = (resourcePath: string, functionId: RegExp) => {
    const { integration, ...route } = readAt(resourcePath, functionId, {})
    return { ...route, httpMethod: 'HEAD', integration, settings: uncached }
  }
  const html = {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': expect.stringMatching(/^default-src 'none'; .*; frame-ancestors 'none'$/),
  }
  expect(routes.map(({ resourceId, ...route }) => route)).toEqual([
    readAt('/price', /^ListPrices/, { [network]: false }),
    headAt('/price', /^ListPrices/),
    preflightOf('/price'),
    readAt('/price/{symbol}', /^GetPrice/, { [network]: false, [symbol]: true }),
    headAt('/price/{symbol}', /^GetPrice/),
    preflightOf('/price/{symbol}'),
    documentAt('/', html, /^<!doctype html>.*<\/html>$/s),
    documentAt('/', html, /^$/, 'HEAD'),
    preflightOf('/'),
    documentAt('/openapi.json', { 'Content-Type': 'application/json' }, /^\{"openapi":"3\.1\./),
    documentAt('/openapi.json', { 'Content-Type': 'application/json' }, /^$/, 'HEAD'),
    preflightOf('/openapi.json'),
    documentAt('/docs', html, /^<!doctype html>.*<\/html>$/s),
    documentAt('/docs', html, /^$/, 'HEAD'),
    preflightOf('/docs'),
  ])
})

test('the documents and preflights are not cached, and throttled like everything else (D26)', async () => {
  const { routes } = await readTemplate(stack.path)
  const settings = routes.filter(({ integration }) => integration.type === 'MOCK').map(route => route.settings)
  expect(settings).toEqual(settings.map(() => ({ cacheTtlMs: undefined, throttling })))
})

test('the gateway responses of the real template', async () => {
  const { gatewayResponses } = await readTemplate(stack.path)
  expect(gatewayResponses.get('THROTTLED')).toEqual({
    status: 429,
    headers: {
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Expose-Headers': 'Retry-After, Date, Age',
      'Cache-Control': 'no-store',
      'Content-Type': 'application/problem+json',
      'Retry-After': '1',
    },
    body: expect.stringContaining('too-many-requests'),
  })
  expect(gatewayResponses.get('DEFAULT_5XX')?.status).toBeUndefined()
})

test('the functions and parameters of the real template', async () => {
  const { functions, parameters } = await readTemplate(stack.path)
  expect([...functions.values()].find(({ name }) => name === 'GetPrice')).toEqual({
    logicalId: expect.stringMatching(/^GetPrice/),
    name: 'GetPrice',
    entry: expect.stringMatching(/\/asset\.[0-9a-f]+\/index\.js$/),
    handlerName: 'handler',
    runtime: 'nodejs24.x',
    timeoutMs: 10_000,
    memoryMb: 1_024,
    environment: {
      RPC_URLS_PARAMETER_MAINNET: '/price-lookup/dev/rpc-urls/mainnet',
      RPC_URLS_PARAMETER_TESTNET: '/price-lookup/dev/rpc-urls/testnet',
    },
  })
  expect([...parameters.keys()]).toEqual(['/price-lookup/dev/rpc-urls/mainnet', '/price-lookup/dev/rpc-urls/testnet'])
})

test("a method's own settings inherit nothing: missing ones have API Gateway's defaults", async () => {
  const { routes } = await readChanged(
    changeSettings('GET /price', 'ThrottlingRateLimit', undefined),
    changeSettings('GET /price', 'ThrottlingBurstLimit', undefined),
    changeSettings('GET /price', 'CachingEnabled', undefined),
    changeSettings('GET /price/{symbol}', 'CacheTtlInSeconds', undefined),
  )
  const cachedOrFixed = routes.filter(({ httpMethod }) => httpMethod !== 'HEAD')
  expect(cachedOrFixed.slice(0, 4).map(({ settings }) => settings)).toEqual([
    { cacheTtlMs: undefined, throttling: { requestsPerSecond: 10_000, burst: 5_000 } },
    { cacheTtlMs: undefined, throttling },
    { cacheTtlMs: 300_000, throttling },
    { cacheTtlMs: undefined, throttling },
  ])
})

test('the defaults of integrations: 29 seconds, and the content type of the response template', async () => {
  const contentType = 'Integration IntegrationResponses 0 ResponseParameters method.response.header.Content-Type'
  const { routes } = await readChanged(
    [price, 'Integration TimeoutInMillis', undefined],
    [page, contentType, undefined],
  )
  const integrationAt = (path: string) => routes.find(({ resourcePath }) => resourcePath === path)?.integration
  expect(integrationAt('/price/{symbol}')).toMatchObject({ timeoutMs: 29_000 })
  expect(integrationAt('/')).toMatchObject({ headers: { 'Content-Type': 'text/html' } })
})

test('a text may be a reference, an attribute or a join', async () => {
  const { functions, parameters } = await readChanged([
    'GetPrice',
    'Environment Variables',
    {
      REF: { Ref: 'AWS::Region' },
      NAME: { Ref: 'RpcUrlsmainnet4C197875' },
      ATTRIBUTE: { 'Fn::GetAtt': ['RpcUrlsmainnet4C197875', 'Value'] },
      JOIN: { 'Fn::Join': ['-', ['a', { Ref: 'AWS::AccountId' }]] },
    },
  ])
  const [[name, value] = []] = parameters
  expect([...functions.values()].find(fn => fn.name === 'GetPrice')?.environment).toEqual({
    REF: 'us-east-1',
    NAME: name,
    ATTRIBUTE: value,
    JOIN: 'a-000000000000',
  })
})

const resource = (Type: string) => ({ Type, Properties: {}, Metadata: {} })
const parameter = resource('AWS::SSM::Parameter')
const response = 'Integration IntegrationResponses 0'
const logId = 'RequestLog68F896B3'
const variableA = 'Environment Variables A'
const fixed = 'Expected a fixed value in single quotes.'

// The message begins with the path of the changed property, unless another path is given.
test.for<[...change: Change, reason?: string, path?: string]>([
  [price, 'RequestParameters', { [symbol]: true }, `${network} is missing.`],
  [price, 'Integration CacheKeyParameters 0', 'method.request.header.Accept', 'Expected a path or query parameter.'],
  [price, 'Integration Type', 'HTTP_PROXY', "Invalid discriminator value. Expected 'AWS_PROXY' | 'MOCK'."],
  [price, 'Integration IntegrationHttpMethod', 'GET', 'Invalid input: expected "POST".'],
  [price, 'Integration RequestParameters', {}],
  [price, 'Integration Uri', 'arn:x', 'Expected the URI of a function.'],
  [price, 'AuthorizerId', 'a'],
  [price, 'AuthorizationType', 'AWS_IAM', 'Invalid input: expected "NONE".'],
  [price, 'ApiKeyRequired', true, 'Invalid input: expected false.'],
  [price, 'RequestValidatorId', 'a'],
  [price, 'HttpMethod', 'ANY', 'ANY is not supported.'],
  ['Api/Default/price/{symbol}', 'PathPart', '{all+}', 'A parameter of several segments is not supported.'],
  [stage, 'Variables', {}],
  [stage, 'CanarySetting', {}],
  ['Api', 'MinimumCompressionSize', 1],
  [stage, 'MethodSettings 1 ResourcePath', '/~1x', 'The API does not have this method.', 'MethodSettings 1'],
  [stage, 'MethodSettings 1 Shade', 1],
  [stage, 'MethodSettings 1 CachingEnabled', 'true', 'Invalid input: expected boolean, received string.'],
  [
    preflight,
    'Integration IntegrationResponses',
    [{ StatusCode: '204' }, { StatusCode: '500' }],
    'Expected one response.',
  ],
  [preflight, `${response} StatusCode`, '2xx', 'Expected an HTTP status.'],
  [preflight, `${response} SelectionPattern`, '5..'],
  [
    ...([page, 'Integration PassthroughBehavior', 'SOMETIMES'] as const),
    'Invalid option: expected one of "WHEN_NO_MATCH"|"WHEN_NO_TEMPLATES"|"NEVER".',
  ],
  [page, `${response} ResponseTemplates`, { a: 'a', b: 'b' }, 'A second response template is not supported.'],
  [
    ...([page, `${response} ResponseTemplates text/html`, '$context.requestId'] as const),
    '{"type":"references","id":"context"} is not supported in a response template.',
  ],
  [page, `${response} ResponseParameters method.response.header.X`, 'integration.response.header.X', fixed],
  ['Api/THROTTLED', 'ResponseTemplates application/json', '$context.path', 'A variable is not supported.'],
  ['Api/THROTTLED', 'ResponseTemplates text/plain', 'x'],
  ['Api/THROTTLED', 'ResponseParameters gatewayresponse.header.X', 'method.request.header.X', fixed],
  ['GetPrice', variableA, { 'Fn::Select': [0, ['a']] }, '{"Fn::Select":[0,["a"]]} is not supported.'],
  ['GetPrice', variableA, { Ref: 'AWS::StackName' }, 'Ref of AWS::StackName (not a resource) is not supported.'],
  ['GetPrice', variableA, { Ref: logId }, `Ref of ${logId} (AWS::Logs::LogGroup) is not supported.`],
  ['GetPrice', 'Layers', []],
  ['GetPrice/Aliaslive', 'RoutingConfig', { AdditionalVersionWeights: [] }],
  ['GetPrice', 'Metadata aws:asset:path', '/nowhere', 'There is no /nowhere/index.js or .mjs.', ''],
  [
    '',
    'Resources Plan',
    resource('AWS::ApiGateway::UsagePlan'),
    'AWS::ApiGateway::UsagePlan is not supported.',
    'Plan',
  ],
  ['', 'Resources Two', resource('AWS::ApiGateway::Stage'), 'A second AWS::ApiGateway::Stage is not supported.', 'Two'],
  ['', 'Resources Some', { ...parameter, Condition: 'c' }, 'A condition is not supported.', 'Some Condition'],
])('%s: %s = %j is not supported', async ([construct, property, value, reason, path = property]) => {
  const error = await readChanged([construct, property, value]).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(UnsupportedTemplate)
  // CDK writes a logical id as the construct's path without separators, and a hash.
  const message = (error as Error).message.replace(/^(\w+)[0-9A-F]{8}(?=[.:])/, '$1')
  const id = construct.replaceAll(/Default|\W/g, '')
  const where = [id, ...path.split(' ')].filter(name => name !== '').join('.')
  expect(message).toBe(`${where}: ${reason ?? 'This property is not supported.'}`)
})
