import { beforeAll, expect, test } from 'vitest'
import { readDescription } from '../../../infra/api/openapi-document.ts'
import { formatReference } from '../../../infra/reference/page.ts'
import registry from '../../../lambda/feeds/registry.json' with { type: 'json' }
import { problemSlugs } from '../../../lambda/problems.ts'
import { allResponses, description } from '../../support/contract/document.ts'

let page: string
beforeAll(() => {
  page = formatReference(readDescription())
})

/** Changes a copy of the description. */
function formatChanged(change: (copy: Record<string, Record<string, unknown>>) => void): string {
  const copy = structuredClone(readDescription()) as Record<string, Record<string, unknown>>
  change(copy)
  return formatReference(copy)
}

const toText = (html: string) =>
  html
    .replaceAll(/<\/(span|p|th)>/g, ' ')
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll(/&(quot|#39);/g, (_, name) => (name === 'quot' ? '"' : "'"))
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
    .trim()

const idsOf = (html: string) => [...html.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id)

/** Returns the text of the row or section with an id. */
function textAt(id: string): string {
  const start = page.indexOf(` id="${id}"`)
  expect(start, id).toBeGreaterThan(0)
  return toText(page.slice(page.indexOf('>', start) + 1).split(/<\/dd>|<section|<h2/)[0] ?? '')
}

/** A description as text: without the marks of CommonMark, and with its lists of terms as tables. */
const plain = (commonMark: unknown) =>
  String(commonMark)
    .replaceAll(/^- `(.*?)`: ([a-z])/gm, (_, term, letter) => `${term} ${letter.toUpperCase()}`)
    .replaceAll(/[`*]|^- /gm, '')
    .replaceAll(/\s+/g, ' ')
    .trim()

const operations = Object.entries(description.paths).map(([path, { get }]) => [path, Object(get)] as const)

test.each(operations)('the operation of %s has its parameters, responses and problems', (path, operation) => {
  const { operationId: id, parameters = [], responses } = operation
  expect(textAt(id)).toContain(`GET ${path}${` ${operation.summary} ${plain(operation.description)}`}`)
  for (const { name, description: words } of parameters) expect(textAt(`${id}.${name}`)).toContain(plain(words))
  for (const [status, { headers, description: words }] of Object.entries<Record<string, object>>(responses)) {
    if (Number(status) >= 400) expect(textAt(`${id}.${status}`)).toContain(plain(words))
    else for (const header of Object.keys(headers ?? {})) expect(textAt(`${id}.${status}.${header}`)).not.toBe('')
  }
})

test('every field of every object has its type, null, limits, meaning and example', () => {
  const inherited = Object.keys(Object(description.components.schemas['PriceRecord']?.['properties']))
  const anchors = Object.entries(description.components.schemas).flatMap(([name, { properties }]) => {
    const fields = Object.entries<Record<string, unknown>>(Object(properties)).filter(
      ([field]) => name !== 'ListedPrice' || !inherited.includes(field),
    )
    return fields.some(([field]) => field === 'type') ? [] : fields.map(([field, schema]) => ({ name, field, schema }))
  })
  for (const { name, field, schema } of anchors)
    expect(textAt(`${name}.${field}`), `${name}.${field}`).toContain(plain(schema['description']))
  expect(anchors).toHaveLength(33)
  const multiplier = plain(description.components.schemas['Multiplier']?.['description'])
  expect(textAt('PriceRecord.multiplier')).toBe(`multiplier number or null format decimal > 0 ${multiplier} Example: 4`)
  const reverts = textAt('PriceRecord.latestRoundDataReverts')
  expect(reverts).toMatch(/^latestRoundDataReverts string matches \^\(FeedUnavailable\|/)
  expect(reverts).toMatch(/ may be absent Present only .*Example: "FeedUnavailable"$/)
  expect(textAt('ListedPrice')).toContain('It has all fields of PriceRecord, and: url string format uri')
})

test('every problem has its type, statuses and meaning', () => {
  const described = Object.values(allResponses).flatMap(({ content }) => {
    const { schema } = content?.['application/problem+json'] ?? {}
    return [Object(schema).oneOf ?? schema ?? []].flat()
  })
  for (const { properties, description: words } of described) {
    const text = textAt(`problem-${properties.type.const.split(':').at(-1)}`)
    for (const part of [properties.type.const, properties.title.const, plain(words)]) expect(text).toContain(part)
  }
  for (const slug of problemSlugs) expect(textAt(`problem-${slug}`)).toContain(`urn:problem-type:price-lookup:${slug}`)
  expect(textAt('problem-internal')).toMatch(/^internal 500, 502, 504 Internal error /)
  expect(textAt('problem-chain-unavailable')).toContain('Retry-After: 10')
})

test('the field of a symbol suggests every registered one', () => {
  expect(page).toMatch(/<input name="symbol" [^>]*list="symbols"/)
  const [, options = ''] = /<datalist id="symbols">(.*?)<\/datalist>/s.exec(page) ?? []
  const suggested = [...options.matchAll(/<option value="([^"]+)">/g)].map(([, symbol]) => symbol)
  expect(suggested).toEqual(Object.values(registry).flatMap(feeds => feeds.map(({ symbol }) => symbol)))
})

test('an anchor exists once, and every link within the page leads to one', () => {
  const ids = idsOf(page)
  expect(ids).toEqual([...new Set(ids)])
  const targets = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id)
  expect(targets.filter(id => !ids.includes(id ?? ''))).toEqual([])
})

test('what the page would not show is an error', () => {
  const change = (keyword: object) => () =>
    formatChanged(({ components }) => Object.assign(Object(components?.['schemas']).PriceRecord, keyword))
  expect(change({ maxProperties: 20 })).toThrow('maxProperties')
  expect(change({ title: 'Record' })).toThrow('title')
})

test('text is escaped, also HTML in a description', () => {
  const evil = '<img src=x onerror="alert(1)"> & `<b>`'
  const changed = formatChanged(({ info = {}, paths = {} }) => {
    Object.assign(info, { title: evil, summary: evil, description: evil })
    Object.assign(Object(paths['/price']).get, { summary: evil, description: evil })
  })
  expect(changed).not.toMatch(/<img|<b>/)
  expect(changed).toContain(
    '<title>&lt;img src=x onerror=&quot;alert(1)&quot;&gt; &amp; `&lt;b&gt;`: API reference</title>',
  )
  expect(changed).toContain('<p>&lt;img src=x onerror=&quot;alert(1)&quot;&gt; &amp; <code>&lt;b&gt;</code></p>')
})
