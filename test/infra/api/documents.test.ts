import { createHash } from 'node:crypto'
import { Stack } from 'aws-cdk-lib'
import { RestApi } from 'aws-cdk-lib/aws-apigateway'
import { assert, constantFrom, property, string } from 'fast-check'
import { render } from 'velocityjs'
import { expect, test } from 'vitest'
import { createDescription, exampleBaseUrl } from '../../../api/schemas/openapi.ts'
import { addDocument, toVelocityTemplate } from '../../../infra/api/documents.ts'
import { buildBoard, buildReference } from '../../../pages/build.ts'
import { formatDescription } from '../../../pages/documents.ts'
import { createExamples } from '../../../pages/examples.ts'
import { allOf, createApp, everythingOn, outputsOf, prod, synthesise } from '../../support/infra/synthesise.ts'

const template = synthesise(prod, 'prod')
const board = buildBoard('/v1')
const examples = createExamples()
const reference = buildReference('/v1', examples)
const description = formatDescription(examples)
const withBaseUrl = (text: string) => text.replaceAll(exampleBaseUrl, `${outputsOf(template)['BaseUrl']?.Value}`)
const pages = [
  { name: 'board', resource: '<Api.RootResourceId>', ...board },
  { name: 'reference', resource: '<Apidocs>', ...reference },
]
const documents = [
  ...pages.map(({ name, resource, html, contentSecurityPolicy }) => ({
    name,
    resource,
    text: withBaseUrl(html),
    mediaType: 'text/html',
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': contentSecurityPolicy,
      'Referrer-Policy': 'no-referrer',
    },
  })),
  {
    name: 'description',
    resource: '<Apiopenapijson>',
    text: withBaseUrl(description),
    mediaType: 'application/json',
    headers: { 'Content-Type': 'application/json' },
  },
]

test.each(documents)(
  'the $name is a fixed response that any origin may read; HEAD has its headers and no body (D26)',
  ({ resource, text, mediaType, headers }) => {
    const sent = Object.entries({
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Expose-Headers': 'Retry-After, Date, Age',
      'Cache-Control': 'public, max-age=300',
      'X-Content-Type-Options': 'nosniff',
      ...headers,
    }).map(([name, value]) => [`method.response.header.${name}`, `'${value}'`])
    const StatusCode = '200'
    const integration = (templates: object) => ({
      Type: 'MOCK',
      // A request with another content type gets UNSUPPORTED_MEDIA_TYPE (415).
      PassthroughBehavior: 'NEVER',
      RequestTemplates: { 'application/json': '{"statusCode":200}' },
      IntegrationResponses: [{ StatusCode, ResponseParameters: Object.fromEntries(sent), ...templates }],
    })
    const declared = Object.fromEntries(sent.map(([name]) => [name, true]))
    const methods = allOf(template, 'ApiGateway::Method').filter(({ ResourceId }) => ResourceId === resource)
    const [getMethod, headMethod] = methods
    const body = Object(getMethod?.['Integration']).IntegrationResponses[0].ResponseTemplates[mediaType]
    const method = {
      RestApiId: '<Api>',
      ResourceId: resource,
      AuthorizationType: 'NONE',
      MethodResponses: [{ StatusCode, ResponseParameters: declared }],
    }
    expect(getMethod).toEqual({
      ...method,
      HttpMethod: 'GET',
      Integration: integration({ ResponseTemplates: { [mediaType]: body } }),
    })
    expect(headMethod).toEqual({ ...method, HttpMethod: 'HEAD', Integration: integration({}) })
    // Velocity renders the template to the document.
    expect(render(body)).toBe(text)
  },
)

const words = ['\\\\', 'c0', 'set', '#set($c0 = 1)', '##', '#*', '#[[', '$!c0', '#if', '#end']
const texts = string({ unit: constantFrom(...'\\$#{}()[]!.*\'"\n =x', ...words) })

test('Velocity renders the template of any text to that text', () =>
  assert(
    property(texts, text => render(toVelocityTemplate(`<${text}`)) === `<${text}`),
    { numRuns: 2_000 },
  ))

test('the description that is served is the whole description', () => {
  expect(JSON.parse(description)).toEqual(JSON.parse(JSON.stringify(createDescription(examples))))
})

test('a document above the limit of a mapping template, 300,000 bytes, fails the synthesis', () => {
  const addDocumentOf = (bytes: number) => () => {
    using app = createApp()
    addDocument(new RestApi(new Stack(app), 'Api').root, { headers: {}, body: 'x'.repeat(bytes) }, '')
  }
  expect(addDocumentOf(300_000)).not.toThrow()
  expect(addDocumentOf(300_001)).toThrow('/ exceeds 300000 bytes, the limit of a mapping template.')
})

const inlineOf = (html: string, tag: string) =>
  [...html.matchAll(new RegExp(`<${tag}>(.*?)</${tag}>`, 'gs'))].map(([, text]) => text)
const hash = (text = '') => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

test.each(pages)(
  'the $name has one inline script, one inline style and one icon, and its policy allows only these',
  ({ html, contentSecurityPolicy }) => {
    const [script, ...otherScripts] = inlineOf(html, 'script')
    const [style, ...otherStyles] = inlineOf(html, 'style')
    expect([...otherScripts, ...otherStyles]).toEqual([])
    expect(script).toContain('location')
    // The W3C's checker refuses other characters in a URL, and a `main` in a `noscript`.
    expect(html.match(/<link rel="icon" href=".*">/g)).toEqual([
      expect.stringMatching(/"data:image\/svg\+xml,[\w!$&'()*+,./:;=?@~%-]+">$/),
    ])
    expect(inlineOf(html, 'noscript').join()).not.toContain('<main')
    expect(contentSecurityPolicy.split('; ')).toEqual([
      "default-src 'none'",
      `script-src ${hash(script)}`,
      `style-src ${hash(style)}`,
      "connect-src 'self'",
      'img-src data:',
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ])
  },
)

test('the board ends with the licence of Preact, which its script contains', () => {
  expect(board.html).toMatch(/<\/html>\n<!--\nPreact\n\nThe MIT License[^>]+ Jason Miller\n[^>]+\nSOFTWARE\.\n-->$/)
})

test('the template is ASCII, which no encoding can change, and below its limit, 1 MB; the pages take few bytes', () => {
  const whole = JSON.stringify(synthesise(everythingOn).toJSON(), null, 1)
  expect(whole.match(/\P{ASCII}/gu)).toBeNull()
  expect(whole.length).toBeLessThan(1_000_000)
  for (const [{ html }, maxBytes] of [
    [board, 40_000],
    [reference, 55_000],
  ] as const)
    expect(html.length).toBeLessThan(maxBytes)
})
