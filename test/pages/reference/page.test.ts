import { renderToStaticMarkup } from 'preact-render-to-string'
import { expect, test } from 'vitest'
import { about } from '../../../api/about.ts'
import { problemDocument } from '../../../api/problem-document.ts'
import { problemSlugs, toProblemType } from '../../../api/problems.ts'
import { listedPrice, priceList, priceRecord, unreadableFeed } from '../../../api/record.ts'
import { listProblems } from '../../../api/responses.ts'
import { parameters, priceRoutes } from '../../../api/routes.ts'
import { createExamples } from '../../../infra/api/examples.ts'
import registry from '../../../lambda/feeds/registry.json' with { type: 'json' }
import { buildReference } from '../../../pages/build.ts'
import { Prose } from '../../../pages/reference/prose.tsx'
import { formatReference } from '../../../pages/reference/reference.tsx'

const examples = createExamples()
const page = formatReference({ examples, symbols: [] })

const toText = (html: string) =>
  html
    .replaceAll(/<\/(span|p|th|dt|h2|h3)>/g, ' ')
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll(/&(quot|#39);/g, (_, name) => (name === 'quot' ? '"' : "'"))
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
    .trim()

/** Returns the text of the row or section with an id. */
function textAt(id: string): string {
  const start = page.indexOf(` id="${id}"`)
  expect(start, id).toBeGreaterThan(0)
  return toText(page.slice(page.indexOf('>', start) + 1).split(/<\/dd>|<section|<h2/)[0] ?? '')
}

/** A description as text: without the marks of CommonMark, and with its lists of terms as tables. */
const plain = (commonMark = '') =>
  commonMark
    .replaceAll(/^- `(.*?)`: ([a-z])/gm, (_, term, letter) => `${term} ${letter.toUpperCase()}`)
    .replaceAll(/[`*]|^- /gm, '')
    .replaceAll(/\s+/g, ' ')
    .trim()

test.each(priceRoutes)('the operation of $path has its parameters, response and problems', route => {
  const { path, operationId, summary, description } = route
  expect(textAt(operationId)).toContain(`GET ${path} ${summary} ${plain(description)}`)
  for (const name of route.parameters)
    expect(textAt(`${operationId}.${name}`)).toContain(plain(parameters[name].description))
  expect(toText(page)).toContain(`Response 200 Body: application/json, ${route.success}.`)
  for (const { status, slug } of listProblems(route)) expect(textAt(`${operationId}.${status}`)).toContain(slug)
  expect(textAt(`${operationId}.500`)).toBe('500 not-configured or internal')
})

test('each operation states that another method is 404 unknown-route', () => {
  const stated = toText(page).split('Any method but GET, HEAD and OPTIONS is 404 unknown-route.').length - 1
  expect(stated).toBe(priceRoutes.length)
})

test('every header of a success has its value', () => {
  expect(textAt('getPrice.200.Cache-Control')).toMatch(/^Cache-Control always public, must-revalidate, .* A cache may/)
  expect(textAt('getPrice.200.Expires')).toMatch(/ Example: Fri, 20 Nov 2026 21:56:43 GMT$/)
})

const objects = {
  PriceRecord: priceRecord,
  PriceList: priceList,
  UnreadableFeed: unreadableFeed,
  Problem: problemDocument,
}

test('every field of every object has its type, null, limits, meaning and example', () => {
  const { name, url } = listedPrice.shape
  const all = { ...objects, ListedPrice: { shape: { name, url } }, Explorer: priceRecord.shape.explorer }
  for (const [object, { shape }] of Object.entries(all))
    for (const [field, { description }] of Object.entries(shape)) {
      const isObject = ['explorer', 'problem'].includes(field)
      expect(textAt(`${object}.${field}`)).toContain(isObject ? `${field} ` : plain(description))
    }
  const { description } = priceRecord.shape.multiplier
  expect(textAt('PriceRecord.multiplier')).toBe(
    `multiplier number or null format decimal > 0 ${plain(description)} Example: 4`,
  )
  expect(textAt('PriceRecord.status')).toMatch(/^status string one of OK, .* Example: "Market closed"$/)
  const reverts = textAt('PriceRecord.latestRoundDataReverts')
  expect(reverts).toMatch(/^latestRoundDataReverts string matches \^\(FeedUnavailable\|/)
  expect(reverts).toMatch(/ may be absent Present only .*Example: "FeedUnavailable"$/)
  expect(textAt('ListedPrice')).toContain('It has all fields of PriceRecord, and: name string')
  expect(textAt('Explorer.feed')).toMatch(/Example: "https:/)
  expect(textAt('PriceList.feeds')).toMatch(/^feeds array of ListedPrice or UnreadableFeed /)
  expect(textAt('UnreadableFeed.problem')).toBe('problem Problem')
})

test('every problem has its type, statuses and example', () => {
  for (const slug of problemSlugs) expect(textAt(`problem-${slug}`)).toContain(`"type": "${toProblemType(slug)}"`)
  expect(textAt('problem-internal')).toMatch(/^internal 500, 502, 504 Internal error /)
  expect(textAt('problem-chain-unavailable')).toContain('Retry-After: 10')
  expect(textAt('problem-blank')).toMatch(/^about:blank 400, 403, 415 Bad request Unsupported media type /)
})

test('the page states what the API is', () => {
  expect(toText(page)).toContain(`${about.summary} Version ${about.version}.`)
  expect(textAt('about')).toContain(' Compatibility Within v1, fields of the list')
})

test('the field of a symbol suggests every registered one', () => {
  const { html } = buildReference(examples)
  expect(html).toMatch(/<input name="symbol" [^>]*list="symbols"/)
  const [, options = ''] = /<datalist id="symbols">(.*?)<\/datalist>/s.exec(html) ?? []
  const suggested = [...options.matchAll(/<option value="([^"]+)">/g)].map(([, symbol]) => symbol)
  expect(suggested).toEqual(Object.values(registry).flatMap(feeds => feeds.map(({ symbol }) => symbol)))
})

test('an anchor exists once, and every link within the page leads to one', () => {
  const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
  expect(ids).toEqual([...new Set(ids)])
  const targets = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id)
  expect(targets.length).toBeGreaterThan(100)
  expect(targets.filter(id => !ids.includes(id))).toEqual([])
})

test('text is escaped, also HTML in a description', () => {
  const evil = '</pre><img src=x onerror="alert(1)"> & `<b>`'
  const body = { ...examples.PriceRecord, [evil]: { symbol: evil } }
  const changed = formatReference({
    examples: { ...examples, PriceRecord: body },
    symbols: [{ symbol: evil, label: evil }],
  })
  expect(changed).not.toMatch(/<img|<b>/)
  expect(changed).toContain('<option value="&lt;/pre>&lt;img src=x onerror=&quot;alert(1)&quot;> &amp; `&lt;b>`">')
  expect(renderToStaticMarkup(Prose({ children: `a ${evil}` }))).not.toMatch(/<img|<b>|<\/pre>/)
})
