import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { assert, constantFrom, property, string } from 'fast-check'
import { render } from 'velocityjs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { toVelocityTemplate } from '../../infra/documents.ts'
import { environments } from '../../infra/environments.ts'
import { readOpenApiDocument } from '../../infra/openapi-document.ts'
import { buildBoard, buildReference, type Page } from '../../infra/page.ts'
import { allOf, everythingOn, synthesise } from './synthesise.ts'

const template = synthesise(environments.prod)
const board = buildBoard()
const reference = buildReference()
const description = readOpenApiDocument()
const pages: [name: string, resourceId: string, page: Page][] = [
  ['board', '<Api.RootResourceId>', board],
  ['reference', '<Apidocs>', reference],
]
/** The documents, by the resource of each. */
const documents = [...pages.map(([, id, { html }]) => [id, html] as const), ['<Apiopenapijson>', description] as const]

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

/** Finds the method that sends the document of a resource, and its template. */
function documentOf(resourceId: string): MockMethod & { body: string } {
  const methods = allOf(template, 'ApiGateway::Method') as unknown as MockMethod[]
  for (const method of methods.filter(({ ResourceId }) => ResourceId === resourceId)) {
    const [body] = Object.values(method.Integration.IntegrationResponses[0].ResponseTemplates ?? {})
    if (body !== undefined) return { ...method, body }
  }
  throw new Error(`${resourceId} sends no document.`)
}

const headersOf = (resourceId: string) =>
  documentOf(resourceId).Integration.IntegrationResponses[0].ResponseParameters as Record<string, string>

test.each(pages)('any origin may read the %s (D20, D26)', (_, resourceId, { contentSecurityPolicy }) => {
  expect(headersOf(resourceId)).toEqual({
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
  expect(headersOf('<Apiopenapijson>')).toEqual({
    'method.response.header.Access-Control-Allow-Origin': "'*'",
    'method.response.header.Access-Control-Expose-Headers': "'Retry-After, Date, Age'",
    'method.response.header.Cache-Control': "'public, max-age=300'",
    'method.response.header.Content-Type': "'application/json'",
    'method.response.header.X-Content-Type-Options': "'nosniff'",
  })
})

test.each(documents)('the document of %s is a fixed answer, and every header of it is declared (D26)', resourceId => {
  const { Integration, MethodResponses } = documentOf(resourceId)
  expect(Integration).toMatchObject({
    Type: 'MOCK',
    RequestTemplates: { 'application/json': '{"statusCode":200}' },
    PassthroughBehavior: 'NEVER',
    IntegrationResponses: [{ StatusCode: '200' }],
  })
  const declared = Object.keys(headersOf(resourceId)).map(name => [name, true])
  expect(MethodResponses).toEqual([{ StatusCode: '200', ResponseParameters: Object.fromEntries(declared) }])
})

test.each(documents)('HEAD of the document of %s has its headers and no body', resourceId => {
  const { Integration } = documentOf(resourceId)
  const methods = allOf(template, 'ApiGateway::Method') as unknown as (MockMethod & { HttpMethod: string })[]
  const head = methods.find(method => method.HttpMethod === 'HEAD' && method.ResourceId === resourceId)
  const { ResponseTemplates: _, ...response } = Integration.IntegrationResponses[0]
  expect(head?.Integration).toEqual({ ...Integration, IntegrationResponses: [response] })
})

test.each(documents)('Velocity renders the template of %s to its document', (resourceId, text) => {
  expect(render(documentOf(resourceId).body)).toBe(text)
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

test.each(documents)('the document of %s is ASCII, which no encoding can change', (_, text) => {
  expect(text).toMatch(/^\p{ASCII}+$/u)
})

test('the description is the whole openapi.yaml, with the networks (D5)', () => {
  const text = readFileSync('openapi.yaml', 'utf8')
    .replace('x-network: slug', 'enum: [mainnet, testnet]')
    .replace('x-network: name', 'enum: [Robinhood Chain, Robinhood Chain Testnet]')
    .replace('x-network: chainId', 'enum: [4663, 46630]')
  const { openapi, paths, ...rest } = parse(text)
  expect(JSON.parse(description)).toEqual({ openapi, paths, ...rest })
  expect(openapi).toMatch(/^3\.1\./)
  expect(Object.keys(paths).sort()).toEqual(['/', '/docs', '/openapi.json', '/price', '/price/{symbol}'])
})

const inlineOf = (html: string, tag: string) =>
  [...html.matchAll(new RegExp(`<${tag}>(.*?)</${tag}>`, 'gs'))].map(([, text]) => text)
const hash = (text = '') => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

test.each(pages)(
  'the %s has one inline script and one inline style, and its policy allows only these',
  (_name, _id, { html, contentSecurityPolicy }) => {
    const [script, ...otherScripts] = inlineOf(html, 'script')
    const [style, ...otherStyles] = inlineOf(html, 'style')
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
  },
)

test.each(pages)(
  'the %s has nothing that its policy blocks: no style or event attributes, and no external resources',
  (_name, _id, { html }) => {
    const markup = html.replace(/<script>.*<\/script>/s, '').replaceAll('http://www.w3.org/2000/svg', '')
    expect(/<[^>]*\s(style|on\w+)=/i.exec(markup)).toBeNull()
    // In the text of the reference are addresses, which nothing requests.
    expect(/<[^>]*=["']?(https?:)?\/\/|@import|url\(/.exec(markup)).toBeNull()
  },
)

test('docs/operations.md has the sizes of the documents, and their cost', () => {
  const stated = /its bytes, some (\d+), (\d+) and (\d+) kB, or \$([\d.]+), \$([\d.]+) and \$([\d.]+) a million/.exec(
    readFileSync('docs/operations.md', 'utf8'),
  )
  const [first = 0, second = 0, third = 0, ...dollars] = (stated ?? []).slice(1).map(Number)
  const kilobytes = [first, second, third]
  const actual = [board.html, reference.html, description].map(({ length }) => length / 1_000)
  actual.forEach((size, index) => {
    expect(Math.abs(size / (kilobytes[index] ?? 0) - 1), `document ${index} has ${size} kB`).toBeLessThan(0.15)
  })
  expect(dollars).toEqual(kilobytes.map(size => Number((size * 0.09).toFixed(1))))
})

test('the documents are far below the limits of AWS: 300 kB for a mapping template, 1 MB for a stack', () => {
  for (const [resourceId] of documents) expect(Buffer.byteLength(documentOf(resourceId).body)).toBeLessThan(150_000)
  const whole = JSON.stringify(synthesise(everythingOn).toJSON(), null, 1)
  expect(Buffer.byteLength(whole)).toBeLessThan(1_000_000)
  for (const [{ html }, maxBytes] of [
    [board, 80_000],
    [reference, 100_000],
  ] as const) {
    expect(html.length).toBeLessThan(maxBytes)
    expect(gzipSync(html, { level: 9 }).length).toBeLessThan(60_000)
  }
})
