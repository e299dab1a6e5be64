import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { synthesise } from '../../../local/synthesise.ts'
import { UnsupportedTemplate } from '../../../local/template/cloudformation.ts'
import { parseTemplate, type Template } from '../../../local/template/template.ts'
import { toVariables } from '../../support/infra/synthesise.ts'

/** A property of the template to set: the construct's path in the stack, the property's path, and the value (undefined: delete). */
type Change = readonly [construct: string, property: string, value: unknown]
type JsonObject = Record<string, unknown>
type TemplateJson = { Resources: Record<string, { Properties: JsonObject; Metadata: JsonObject }> }

let folder: string
let synthesised: TemplateJson
let template: Template

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'price-lookup-template-'))
  synthesised = JSON.parse(await readFile(await synthesise(folder), 'utf8'))
  template = parseTemplate(synthesised, '/folder')
})

afterAll(() => rm(folder, { recursive: true }))

/** Parses a template with a change. An empty construct is the template itself. Spaces separate the names of a property's path. */
function parseChanged(construct: string, property: string, value: unknown): Template {
  const changed = structuredClone(synthesised)
  const names = property.split(' ')
  const last = names.pop() ?? ''
  const path = `price-lookup-dev/${construct}/Resource`
  const resource = Object.values(changed.Resources).find(({ Metadata }) => Metadata?.['aws:cdk:path'] === path)
  const parent: JsonObject = construct === '' ? { ...changed } : (resource?.Properties ?? {})
  const target = names.reduce((object, name) => object[name] as JsonObject, parent)
  if (value === undefined) delete target[last]
  else target[last] = value
  return parseTemplate(changed, '/folder')
}

const page = 'Api/Default/GET'
const price = 'Api/Default/price/{symbol}/GET'
const preflight = 'Api/Default/price/OPTIONS'
const stage = 'Api/DeploymentStage.v1'

test('the routes of the real template, of which only two are cached (D21, D26)', () => {
  const { apiId, stageName, baseUrl, cacheCluster, routes } = template
  expect({ apiId, stageName, baseUrl, cacheCluster }).toEqual({
    apiId: expect.stringMatching(/^Api/),
    stageName: 'v1',
    baseUrl: `https://{${apiId}}.execute-api.{AWS::Region}.{AWS::URLSuffix}/v1`,
    cacheCluster: true,
  })
  const described = routes.map(({ httpMethod, resourcePath, settings: { cacheTtlMs }, integration }) => {
    const by = integration.type === 'MOCK' ? integration.reply.status : integration.functionId.replace(/Alias.*/, '')
    return [`${httpMethod} ${resourcePath}`, `${by}`.replace(/[0-9A-F]{8}$/, ''), cacheTtlMs]
  })
  const pricesAt = (path: string, name: string) => [
    [`GET ${path}`, name, 10_000],
    [`HEAD ${path}`, name, undefined],
    [`OPTIONS ${path}`, '204', undefined],
  ]
  const documentAt = (path: string) =>
    ['GET', 'HEAD', 'OPTIONS'].map(method => [`${method} ${path}`, method === 'OPTIONS' ? '204' : '200', undefined])
  expect(described).toEqual([
    ...pricesAt('/price', 'ListPrices'),
    ...pricesAt('/price/{symbol}', 'GetPrice'),
    ...['/', '/openapi.json', '/docs'].flatMap(documentAt),
  ])
  for (const { settings } of routes) expect(settings.throttling).toEqual({ requestsPerSecond: 20, burst: 40 })
})

test('the functions and parameters of the real template', () => {
  const { functions, parameters } = template
  expect([...functions.values()].find(({ name }) => name === 'GetPrice')).toEqual({
    name: 'GetPrice',
    entry: expect.stringMatching(/^\/folder\/asset\.[0-9a-f]+\/index\.js$/),
    handlerName: 'handler',
    runtime: 'nodejs24.x',
    timeoutMs: 10_000,
    memoryMb: 1_024,
    environment: { ...toVariables('dev'), AGREEMENT: '1' },
  })
  const names = Object.entries(toVariables('dev')).filter(([variable]) => variable.startsWith('RPC_URLS_'))
  expect([...parameters.keys()]).toEqual(names.map(([, name]) => name))
})

const resource = (Type: string) => ({ Type, Properties: {}, Metadata: {} })
const response = 'Integration IntegrationResponses 0'
const html = `${response} ResponseTemplates text/html`
const fixed = 'Expected a fixed value in single quotes.'
const text = 'Expected a text without references and directives.'

// The message begins with the path of the changed property, unless another path is given.
test.for<[...change: Change, reason?: string, path?: string]>([
  [price, 'Integration CacheKeyParameters 0', 'method.request.header.Accept', 'Expected a path or query parameter.'],
  [price, 'Integration Type', 'HTTP_PROXY', "Invalid discriminator value. Expected 'AWS_PROXY' | 'MOCK'."],
  [price, 'Integration IntegrationHttpMethod', 'GET', 'Invalid input: expected "POST".'],
  [price, 'Integration TimeoutInMillis', undefined, 'Invalid input: expected number, received undefined.'],
  [price, 'Integration RequestParameters', {}],
  [price, 'Integration Uri', { 'Fn::Join': ['', ['arn:x']] }, 'Expected the URI of an alias.'],
  [price, 'AuthorizerId', 'a'],
  [price, 'AuthorizationType', 'AWS_IAM', 'Invalid input: expected "NONE".'],
  [price, 'HttpMethod', 'ANY', 'Invalid option: expected one of "GET"|"HEAD"|"OPTIONS".'],
  ['Api/Default/price/{symbol}', 'PathPart', '{all+}', 'Expected a text or a parameter of one segment.'],
  [stage, 'Variables', {}],
  ['Api', 'MinimumCompressionSize', 1],
  [stage, 'MethodSettings 1 Shade', 1],
  [stage, 'MethodSettings 1 CachingEnabled', 'true', 'Invalid input: expected boolean, received string.'],
  [stage, 'MethodSettings 0 HttpMethod', 'GET', 'Invalid input: expected "*".'],
  [
    ...([preflight, 'Integration IntegrationResponses'] as const),
    ...([[{ StatusCode: '204' }, { StatusCode: '500' }], 'Expected one response.'] as const),
  ],
  [preflight, `${response} StatusCode`, '2xx', 'Expected an HTTP status.'],
  [preflight, `${response} SelectionPattern`, '5..'],
  [page, 'Integration PassthroughBehavior', 'WHEN_NO_MATCH', 'Invalid input: expected "NEVER".'],
  [page, 'Integration RequestTemplates text/plain', ''],
  [page, `${response} ResponseTemplates`, { a: 'a', b: 'b' }, 'Expected one response template.'],
  [page, html, '$context.requestId', text],
  [page, `${response} ResponseParameters method.response.header.X`, 'integration.response.header.X', fixed],
  ['', 'Outputs BaseUrl', undefined, 'Invalid input: expected object, received undefined.', 'Template Outputs BaseUrl'],
  ['Api/THROTTLED', 'ResponseTemplates application/json', '$context.path', 'A variable is not supported.'],
  ['Api/THROTTLED', 'ResponseTemplates text/plain', 'x'],
  ['Api/THROTTLED', 'ResponseType', 'QUOTA', 'There is no gateway response THROTTLED.', 'Resources'],
  ['GetPrice', 'Environment Variables A', { Ref: 'Api' }, 'Invalid input: expected string, received object.'],
  ['GetPrice', 'Handler', 'index.other', 'Invalid input: expected "index.handler".'],
  ['GetPrice', 'Layers', []],
  ['GetPrice/Aliaslive', 'RoutingConfig', { AdditionalVersionWeights: [] }],
  [
    '',
    'Resources Plan',
    resource('AWS::ApiGateway::UsagePlan'),
    'AWS::ApiGateway::UsagePlan is not supported.',
    'Plan',
  ],
  ['', 'Resources Two', resource('AWS::ApiGateway::Stage'), 'Expected one AWS::ApiGateway::Stage.', 'Resources'],
  [
    '',
    'Resources Some',
    { ...resource('A'), Condition: 'c' },
    'A condition is not supported.',
    'Template Resources Some Condition',
  ],
])('%s: %s = %j is not supported', ([construct, property, value, reason, path = property]) => {
  let thrown: unknown
  try {
    parseChanged(construct, property, value)
  } catch (error) {
    thrown = error
  }
  expect(thrown).toBeInstanceOf(UnsupportedTemplate)
  // CDK writes a logical id as the construct's path without separators, and a hash.
  const message = (thrown as Error).message.replace(/^(\w+)[0-9A-F]{8}(?=[.:])/, '$1')
  const id = path === 'Resources' ? '' : construct.replaceAll(/Default|\W/g, '')
  const where = [id, ...path.split(' ')].filter(name => name !== '').join('.')
  expect(message).toBe(`${where}: ${reason ?? 'This property is not supported.'}`)
})

test.each(['$c0', '\\$c0', "#set($c0 = '$')$c0", '#set($c0 = "$context.path")', 'a { color: #fff }', '#if(true)x#end'])(
  'the response template %j is not supported',
  template => {
    expect(() => parseChanged(page, html, template)).toThrow(text)
  },
)

test('a response template is rendered', () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: references of Velocity
  const template = "#set($c0 = '#')#set($c1 = '\\$')${c0}set(${c1}a = 1)"
  const { routes } = parseChanged(page, html, template)
  expect(routes.map(({ integration }) => integration)).toContainEqual({
    type: 'MOCK',
    reply: expect.objectContaining({ body: '#set(\\$a = 1)' }),
  })
})
