import { createHash } from 'node:crypto'
import { assert, constantFrom, property, string } from 'fast-check'
import { render } from 'velocityjs'
import { expect, test } from 'vitest'
import { exampleBaseUrl } from '../../../api/schemas/openapi.ts'
import { toVelocityTemplate } from '../../../infra/gateway/documents.ts'
import { buildDocuments } from '../../../pages/documents.ts'
import { allOf, everythingOn, outputsOf, prod, synthesise } from '../../support/infra/synthesise.ts'

const template = synthesise(prod, 'prod')
const documents = buildDocuments('/v1')
const bodies = new Map(documents.map(({ path, body }) => [path, body]))
const pages = documents.filter(({ headers }) => headers['Content-Type'].startsWith('text/html'))

interface Method {
  readonly ResourceId: string
  readonly Integration: {
    readonly IntegrationResponses: readonly { readonly ResponseTemplates?: Readonly<Record<string, string>> }[]
  }
}

/**
 * Limit of a mapping template, in bytes.
 *
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-execution-service-limits-table.html
 */
const maxTemplateBytes = 300_000

test.each(documents)(
  '$path is a fixed response below its limit, which any origin may read; HEAD has its headers and no body (D26)',
  ({ path, headers, body }) => {
    expect(headers).toMatchObject({
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Expose-Headers': 'Retry-After, Date, Age, x-amzn-RequestId',
      'Cache-Control': 'public, max-age=300',
      'X-Content-Type-Options': 'nosniff',
    })
    const sent = Object.entries(headers).map(([name, value]) => [`method.response.header.${name}`, `'${value}'`])
    const fixed = { StatusCode: '200', ResponseParameters: Object.fromEntries(sent) }
    const resource = path === '/' ? '<Api.RootResourceId>' : `<Api${path.replaceAll(/\W/g, '')}>`
    const methods = allOf<Method>(template, 'ApiGateway::Method').filter(({ ResourceId }) => ResourceId === resource)
    const [ofGet, ofHead] = methods.map(({ Integration }) => Integration.IntegrationResponses)
    const [mediaType = ''] = headers['Content-Type'].split(';')
    expect(ofGet).toEqual([{ ...fixed, ResponseTemplates: { [mediaType]: expect.any(String) } }])
    expect(ofHead).toEqual([fixed])
    const ofBody = String(ofGet?.[0]?.ResponseTemplates?.[mediaType])
    const baseUrl = String(outputsOf(template)['BaseUrl']?.Value)
    expect(render(ofBody)).toBe(body.replaceAll(exampleBaseUrl, baseUrl))
    expect(Buffer.byteLength(ofBody)).toBeLessThanOrEqual(maxTemplateBytes)
  },
)

const words = ['\\\\', 'c0', 'set', '#set($c0 = 1)', '##', '#*', '#[[', '$!c0', '#if', '#end']
const texts = string({ unit: constantFrom(...'\\$#{}()[]!.*\'"\n =x', ...words) })

test('Velocity renders the template of any text to that text', () =>
  assert(
    property(texts, text => render(toVelocityTemplate(`<${text}`)) === `<${text}`),
    { numRuns: 2_000 },
  ))

const inlineOf = (html: string, tag: string) =>
  [...html.matchAll(new RegExp(`<${tag}>(.*?)</${tag}>`, 'gs'))].map(([, text]) => text)
const hash = (text = '') => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

test.each(pages)(
  '$path has one inline script, one inline style and one icon, and its policy allows only these',
  ({ headers, body: html }) => {
    const [script, ...otherScripts] = inlineOf(html, 'script')
    const [style, ...otherStyles] = inlineOf(html, 'style')
    expect([...otherScripts, ...otherStyles]).toEqual([])
    expect(script).toContain('location')
    // The W3C's checker refuses other characters in a URL, and a `main` in a `noscript`.
    expect(html.match(/<link rel="icon" href=".*">/g)).toEqual([
      expect.stringMatching(/"data:image\/svg\+xml,[\w!$&'()*+,./:;=?@~%-]+">$/),
    ])
    expect(inlineOf(html, 'noscript').join()).not.toContain('<main')
    expect(headers).toMatchObject({ 'Content-Type': 'text/html; charset=utf-8', 'Referrer-Policy': 'no-referrer' })
    expect(headers['Content-Security-Policy']?.split('; ')).toEqual([
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
  expect(bodies.get('/')).toMatch(
    /<\/html>\n<!--\nPreact\n\nThe MIT License[^>]+ Jason Miller\n[^>]+\nSOFTWARE\.\n-->$/,
  )
})

const boardLimit =
  'A browser loads the board again after five minutes, also on a phone, and *What it costs* (docs/running.md) counts ' +
  'its bytes. `npx esbuild pages/board/main.tsx --bundle --minify --analyze --outfile=/dev/null` lists what its script ' +
  'contains: remove what has grown, or shorten something else. A higher limit needs another cost.'

test('the template is ASCII, which no encoding can change, and below its limit, 1 MB; the pages take few bytes', () => {
  const whole = JSON.stringify(synthesise(everythingOn).toJSON(), null, 1)
  expect(whole.match(/\P{ASCII}/gu)).toBeNull()
  expect(whole.length).toBeLessThan(1_000_000)
  expect(bodies.get('/')?.length, boardLimit).toBeLessThan(40_000)
  expect(bodies.get('/docs')?.length).toBeLessThan(55_000)
})
