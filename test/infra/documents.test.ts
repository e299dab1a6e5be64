import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { assert, constantFrom, property, string } from 'fast-check'
import { render } from 'velocityjs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { buildBoardPage } from '../../infra/board-page.ts'
import { environments } from '../../infra/environments.ts'
import { readOpenApiDocument } from '../../infra/openapi-document.ts'
import { toVelocityTemplate } from '../../infra/velocity-text.ts'
import { allOf, everythingOn, synthesise } from './synthesise.ts'

const template = synthesise(environments.prod)
const { html, contentSecurityPolicy } = buildBoardPage()
const description = readOpenApiDocument()

interface MockMethod {
  ResourceId: unknown
  Integration: {
    Type: string
    RequestTemplates: object
    PassthroughBehavior: string
    IntegrationResponses: [{ ResponseParameters: object; ResponseTemplates?: Record<string, string> }]
  }
  MethodResponses: { StatusCode: string; ResponseParameters: object }[]
}

/** Finds the method of a document by its media type. */
function documentOf(mediaType: string): MockMethod & { body: string } {
  const methods = allOf(template, 'ApiGateway::Method') as unknown as MockMethod[]
  for (const method of methods) {
    const body = method.Integration.IntegrationResponses?.[0].ResponseTemplates?.[mediaType]
    if (body !== undefined) return { ...method, body }
  }
  throw new Error(`No document is served as ${mediaType}.`)
}

const headersOf = (mediaType: string) =>
  documentOf(mediaType).Integration.IntegrationResponses[0].ResponseParameters as Record<string, string>

test('the board is at the root, and any origin may read it (D20, D26)', () => {
  expect(documentOf('text/html').ResourceId).toBe('<Api.RootResourceId>')
  expect(headersOf('text/html')).toEqual({
    'method.response.header.Access-Control-Allow-Origin': "'*'",
    'method.response.header.Access-Control-Expose-Headers': "'Retry-After, Date, Age'",
    'method.response.header.Cache-Control': "'public, max-age=300'",
    'method.response.header.Content-Security-Policy': `'${contentSecurityPolicy}'`,
    'method.response.header.Content-Type': "'text/html; charset=utf-8'",
    'method.response.header.Referrer-Policy': "'no-referrer'",
    'method.response.header.X-Content-Type-Options': "'nosniff'",
  })
})

test('the description is JSON, and any origin may read it (D20, D26)', () => {
  expect(headersOf('application/json')).toEqual({
    'method.response.header.Access-Control-Allow-Origin': "'*'",
    'method.response.header.Access-Control-Expose-Headers': "'Retry-After, Date, Age'",
    'method.response.header.Cache-Control': "'public, max-age=300'",
    'method.response.header.Content-Type': "'application/json'",
    'method.response.header.X-Content-Type-Options': "'nosniff'",
  })
})

test.each(['text/html', 'application/json'])(
  'the document in %s is a fixed answer, and every header of it is declared (D26)',
  mediaType => {
    const { Integration, MethodResponses } = documentOf(mediaType)
    expect(Integration).toMatchObject({
      Type: 'MOCK',
      RequestTemplates: { 'application/json': '{"statusCode":200}' },
      PassthroughBehavior: 'NEVER',
      IntegrationResponses: [{ StatusCode: '200' }],
    })
    const declared = Object.keys(headersOf(mediaType)).map(name => [name, true])
    expect(MethodResponses).toEqual([{ StatusCode: '200', ResponseParameters: Object.fromEntries(declared) }])
  },
)

test.each(['text/html', 'application/json'])('HEAD of the document in %s has its headers and no body', mediaType => {
  const { ResourceId, Integration } = documentOf(mediaType)
  const methods = allOf(template, 'ApiGateway::Method') as unknown as (MockMethod & { HttpMethod: string })[]
  const head = methods.find(method => method.HttpMethod === 'HEAD' && method.ResourceId === ResourceId)
  const { ResponseTemplates: _, ...response } = Integration.IntegrationResponses[0]
  expect(head?.Integration).toEqual({ ...Integration, IntegrationResponses: [response] })
})

test('Velocity renders each template to its document', () => {
  expect(render(documentOf('text/html').body)).toBe(html)
  expect(render(documentOf('application/json').body)).toBe(description)
})

const units = [
  ...'\\$#{}()[]!.*\'"\n =x',
  '\\\\',
  'c0',
  'set',
  '#set($c0 = 1)',
  '##',
  '#*',
  '#[[',
  '$!c0',
  '#if',
  '#end',
]
const texts = string({ unit: constantFrom(...units) })

test('Velocity renders the template of any text to that text', () =>
  assert(
    property(texts, text => render(toVelocityTemplate(`<${text}`)) === `<${text}`),
    { numRuns: 2_000 },
  ))

test('the documents are ASCII, which no encoding can change', () => {
  expect(html).toMatch(/^\p{ASCII}+$/u)
  expect(description).toMatch(/^\p{ASCII}+$/u)
})

test('the description is the whole openapi.yaml, with the networks (D5)', () => {
  const text = readFileSync('openapi.yaml', 'utf8')
    .replace('x-network: slug', 'enum: [mainnet, testnet]')
    .replace('x-network: name', 'enum: [Robinhood Chain, Robinhood Chain Testnet]')
    .replace('x-network: chainId', 'enum: [4663, 46630]')
  const { openapi, paths, ...rest } = parse(text)
  expect(JSON.parse(description)).toEqual({ openapi, paths, ...rest })
  expect(openapi).toMatch(/^3\.1\./)
  expect(Object.keys(paths).sort()).toEqual(['/', '/openapi.json', '/price', '/price/{symbol}'])
})

const inlineOf = (tag: string) => [...html.matchAll(new RegExp(`<${tag}>(.*?)</${tag}>`, 'gs'))].map(([, text]) => text)
const hash = (text = '') => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

test('the page has one inline script and one inline style, and its policy allows only these', () => {
  const [script, ...otherScripts] = inlineOf('script')
  const [style, ...otherStyles] = inlineOf('style')
  expect([...otherScripts, ...otherStyles]).toEqual([])
  expect(script).toContain('fetch(')
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
})

test('the page has nothing that its policy blocks: no style or event attributes, and no external resources', () => {
  const markup = html.replace(/<script>.*<\/script>/s, '').replaceAll('http://www.w3.org/2000/svg', '')
  expect(/<[^>]*\s(style|on\w+)=/i.exec(markup)).toBeNull()
  expect(/(https?:)?\/\/|@import/.exec(markup)).toBeNull()
})

test('docs/operations.md has the sizes of the documents, and their cost', () => {
  const stated = /its bytes, some (\d+) and (\d+) kB, or \$([\d.]+) and \$([\d.]+) a million/.exec(
    readFileSync('docs/operations.md', 'utf8'),
  )
  const [page = 0, text = 0, ...dollars] = (stated ?? []).slice(1).map(Number)
  expect(Math.abs(html.length / 1_000 / page - 1), `the board has ${html.length} bytes`).toBeLessThan(0.15)
  expect(Math.abs(description.length / 1_000 / text - 1), `the API's has ${description.length}`).toBeLessThan(0.15)
  expect(dollars).toEqual([page, text].map(kilobytes => Number((kilobytes * 0.09).toFixed(1))))
})

test('the documents are far below the limits of AWS: 300 kB for a mapping template, 1 MB for a stack', () => {
  for (const mediaType of ['text/html', 'application/json']) {
    expect(Buffer.byteLength(documentOf(mediaType).body)).toBeLessThan(150_000)
  }
  const whole = JSON.stringify(synthesise(everythingOn).toJSON(), null, 1)
  expect(Buffer.byteLength(whole)).toBeLessThan(1_000_000)
  expect(gzipSync(html, { level: 9 }).length).toBeLessThan(60_000)
})
