import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { synthesise } from '../../../local/synthesise.ts'
import { UnsupportedTemplate } from '../../../local/template/cloudformation.ts'
import { parseTemplate, type Template } from '../../../local/template/template.ts'
import { toVariables } from '../../support/infra/synthesise.ts'

/** A property of the template to set: the construct's path in the stack, the property's path, and the value. */
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
function parseChanged(...[construct, property, value]: Change): Template {
  const changed = structuredClone(synthesised)
  const names = property.split(' ')
  const last = names.pop() ?? ''
  const path = `price-lookup-dev/${construct}/Resource`
  const resource = Object.values(changed.Resources).find(({ Metadata }) => Metadata?.['aws:cdk:path'] === path)
  const parent: JsonObject = construct === '' ? { ...changed } : (resource?.Properties ?? {})
  const target = names.reduce((object, name) => object[name] as JsonObject, parent)
  target[last] = value
  return parseTemplate(changed, '/folder')
}

const page = 'Api/Default/GET'
const price = 'Api/Default/price/{symbol}/GET'
const preflight = 'Api/Default/price/OPTIONS'
const stage = 'Api/DeploymentStage.v1'

test('the routes of the real template, of which only two are cached', () => {
  const { stageName, baseUrl, cacheCluster, routes } = template
  expect({ stageName, baseUrl, cacheCluster }).toEqual({
    stageName: 'v1',
    baseUrl: expect.stringMatching(/^https:\/\/{Api\w+}\.execute-api\.{AWS::Region}\.{AWS::URLSuffix}\/v1$/),
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
    runtime: 'nodejs24.x',
    timeoutMs: 10_000,
    memoryMb: 1_024,
    environment: toVariables('dev'),
  })
  const names = Object.entries(toVariables('dev')).filter(([variable]) => variable.startsWith('RPC_URLS_'))
  expect([...parameters.keys()]).toEqual(names.map(([, name]) => name))
  // The URL of the deployment is not that of the local gateway.
  expect(parseChanged('GetPrice', 'Environment Variables PUBLIC_BASE_URL', template.baseUrl).functions).toEqual(
    functions,
  )
})

const response = 'Integration IntegrationResponses 0'
const html = `${response} ResponseTemplates text/html`

test.each<Change>([
  [price, 'Integration CacheKeyParameters 0', 'method.request.header.Accept'],
  [price, 'Integration Type', 'HTTP_PROXY'],
  [price, 'Integration RequestParameters', {}],
  [price, 'Integration Uri', { 'Fn::Join': ['', ['arn:x']] }],
  [price, 'AuthorizerId', 'a'],
  [price, 'AuthorizationType', 'AWS_IAM'],
  [price, 'HttpMethod', 'ANY'],
  ['Api/Default/price/{symbol}', 'PathPart', '{all+}'],
  [stage, 'Variables', {}],
  ['Api', 'MinimumCompressionSize', 1],
  [stage, 'MethodSettings 1 Shade', 1],
  [stage, 'MethodSettings 0 HttpMethod', 'GET'],
  [preflight, 'Integration IntegrationResponses', [{ StatusCode: '204' }, { StatusCode: '500' }]],
  [preflight, `${response} SelectionPattern`, '5..'],
  [page, 'Integration PassthroughBehavior', 'WHEN_NO_MATCH'],
  [page, 'Integration RequestTemplates text/plain', ''],
  [page, `${response} ResponseTemplates`, { a: 'a', b: 'b' }],
  [page, `${response} ResponseParameters method.response.header.X`, 'integration.response.header.X'],
  ['Api/THROTTLED', 'ResponseTemplates application/json', '$context.path'],
  ['Api/THROTTLED', 'ResponseTemplates text/plain', 'x'],
  ['GetPrice', 'Environment Variables A', { Ref: 'Api' }],
  ['GetPrice', 'Layers', []],
  ['GetPrice/Aliaslive', 'RoutingConfig', { AdditionalVersionWeights: [] }],
])('%s: %s = %j is an error that begins with its path', (...change) => {
  const [construct, property] = change
  // CDK writes a logical id as the construct's path without separators, and a hash.
  const id = construct.replaceAll(/Default|\W/g, '')
  const path = property.replaceAll(' ', '.')
  expect(() => parseChanged(...change)).toThrow(new RegExp(`^${id}[0-9A-F]{8}.${path}: .+\\.$`))
})

const resource = (Type: string) => ({ Type, Properties: {}, Metadata: {} })

test.each<[...Change, message: string]>([
  ['', 'Resources A', resource('AWS::ApiGateway::UsagePlan'), 'A: AWS::ApiGateway::UsagePlan is not supported.'],
  ['', 'Resources A', resource('AWS::ApiGateway::Stage'), 'Resources: Expected one AWS::ApiGateway::Stage.'],
  ['', 'Resources A', { Type: '', Condition: 'c' }, 'Template.Resources.A.Condition: A condition is not supported.'],
  ['Api/THROTTLED', 'ResponseType', 'QUOTA', 'Resources: There is no gateway response THROTTLED.'],
])('%s: %s = %j is the error: %s', (construct, property, value, message) => {
  expect(() => parseChanged(construct, property, value)).toThrow(message)
})

test.each(['$c0', '\\$c0', "#set($c0 = '$')$c0", '#set($c0 = "$context.path")', 'a { color: #fff }', '#if(true)x#end'])(
  'the response template %j is not supported',
  template => {
    expect(() => parseChanged(page, html, template)).toThrow(UnsupportedTemplate)
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
