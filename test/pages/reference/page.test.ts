import { renderToStaticMarkup } from 'preact-render-to-string'
import { expect, test } from 'vitest'
import { keysOf } from '../../../api/keys-of.ts'
import { problemSlugs } from '../../../api/problems.ts'
import { parameters, priceRoutes } from '../../../api/routes.ts'
import { listedPrice, priceList, unreadableFeed } from '../../../api/schemas/list.ts'
import { createDescription } from '../../../api/schemas/openapi.ts'
import { problemBody } from '../../../api/schemas/problem-body.ts'
import { priceRecord } from '../../../api/schemas/record.ts'
import { statusDetails, statuses, toStatusId } from '../../../api/statuses.ts'
import { createExamples } from '../../../pages/examples.ts'
import { formatReference } from '../../../pages/reference/page.tsx'
import { Prose } from '../../../pages/reference/prose.tsx'

const examples = createExamples()
const page = formatReference(examples)

const entities: Readonly<Record<string, string>> = {
  ...{ '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&amp;': '&' },
}

const toText = (html: string) =>
  html
    .replaceAll(/<\/(p|th|td|h2|h3|pre|li)>/g, ' ')
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll(/&(lt|gt|quot|#39|amp);/g, entity => entities[entity] ?? entity)
    .replaceAll(/\s+/g, ' ')
    .trim()

/** Returns the text of the row with an id. */
const rowOf = (id: string) => toText(page.split(`<tr role="row" id="${id}">`)[1]?.split('</tr>')[0] ?? '')

/** A description as text, without the marks of CommonMark. */
const plain = (commonMark = '') => commonMark.replaceAll(/[`*]/g, '').replaceAll(/\s+/g, ' ').trim()

test('the sections are in the order of a reader', () => {
  expect([...page.matchAll(/<h2 id="(\w+)"/g)].map(([, id]) => id)).toEqual([
    ...['start', 'routes', 'fields', 'statuses', 'problems', 'about'],
  ])
})

test('the Quick start has the caveats of a price and of a symbol, how often to ask, and what 429 means', () => {
  const start = toText(page.split('<h2 id="start">')[1]?.split('</section>')[0] ?? '')
  for (const words of ['A served price can be wrong', 'A symbol identifies no token', 'Ask once in', '429 means'])
    expect(start).toContain(words)
})

test('what per token, staged, switch, recorded and total return mean is stated before all else that uses them', () => {
  const text = toText(page)
  for (const term of ['Per token', 'Staged, switch', 'Recorded', 'Total return'])
    for (const word of term.toLowerCase().split(', ')) {
      const [before = ''] = text.toLowerCase().split(term.toLowerCase())
      expect(before, word).not.toContain(word)
    }
})

test('beside the record are a list, with a feed that is not served, and a problem with its hints', () => {
  const shown = [...page.matchAll(/<pre>(\{.*?)<\/pre>/gs)].map(([, json = '']) => JSON.parse(toText(json)))
  const feeds = [{ servesLatestRoundData: false }, { problem: { title: 'Feed unreadable' } }]
  expect(shown).toMatchObject([{ servesLatestRoundData: true }, { feeds }, { similarSymbols: ['AAPL'] }])
})

test.each(priceRoutes)(
  'the row of $path has its description, and one link that opens it',
  ({ operationId, ...route }) => {
    const path = route.path.replace('{symbol}', 'CRWD')
    expect(rowOf(operationId)).toBe(`GET ${route.path} ${plain(route.description)} ${path}`)
    expect(page.match(new RegExp(`href="${path}"`, 'g'))).toHaveLength(1)
  },
)

test.each(Object.entries(parameters))('the row of the parameter %s has its meaning', (name, { description }) => {
  expect(rowOf(`parameter-${name}`)).toContain(plain(description))
})

test('every field has its type and meaning', () => {
  const { name, maxAgeSeconds, url } = listedPrice.shape
  const ofList = { PriceList: priceList.shape, ListedPrice: { name, maxAgeSeconds, url } }
  const objects = { PriceRecord: priceRecord.shape, ...ofList }
  for (const [object, shape] of Object.entries({ ...objects, Problem: problemBody.shape }))
    for (const [field, { description }] of Object.entries(shape))
      if (!['status', 'explorer'].includes(field)) expect(rowOf(`${object}.${field}`)).toContain(plain(description))
  expect(Object.keys(unreadableFeed.shape).filter(field => page.includes(`id="UnreadableFeed.${field}"`))).toEqual([
    'problem',
  ])
  expect(rowOf('PriceRecord.multiplier')).toMatch(/^multiplier number or null Shares per token/)
  expect(rowOf('PriceRecord.servesLatestRoundData')).toMatch(/^servesLatestRoundData boolean Whether/)
  expect(rowOf('PriceRecord.status')).toBe("status string The feed's own status: see Statuses.")
})

test('every object of the description has its fields, but for the links to the explorer', () => {
  const { Explorer: _, ...schemas } = createDescription({}).components.schemas
  const objects = Object.keys(schemas).filter(id => schemas[id]?.type === 'object')
  expect(objects.filter(id => !page.includes(`<h3 id="${id}">`))).toEqual([])
})

test.each(keysOf(statuses))('the row of %s has its meaning, whether it is served, and its details', status => {
  const { meaning, served } = statuses[status]
  expect(rowOf(toStatusId(status))).toBe(`${status} ${served} ${meaning} ${plain(statusDetails[status])}`)
})

test('every problem has its HTTP statuses and its detail', () => {
  for (const slug of problemSlugs) expect(rowOf(`problem-${slug}`)).toMatch(new RegExp(`^${slug} \\d{3}`))
  expect(rowOf('problem-internal')).toBe('internal 500, 502, 504 Something went wrong on our side.')
  expect(rowOf('problem-chain-unavailable')).toMatch(/^chain-unavailable 503 .* Retry-After: 10$/)
})

test('every link within the page leads to its one anchor, and every reference is a link', () => {
  const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
  expect(ids).toEqual([...new Set(ids)])
  const targets = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id)
  expect(targets.length).toBeGreaterThan(50)
  expect(targets.filter(id => !ids.includes(id))).toEqual([])
  expect(page).not.toContain('<em>')
  expect(page).not.toMatch(/ href="(?!https:|[/#])/)
})

test('text is escaped, also HTML in a description', () => {
  const evil = '</pre><img src=x onerror="alert(1)"> & `<b>`'
  const changed = formatReference({ ...examples, PriceRecord: { summary: evil, value: { symbol: evil } } })
  expect(changed).not.toMatch(/<img|<b>/)
  expect(renderToStaticMarkup(Prose({ children: `a ${evil}` }))).not.toMatch(/<img|<b>|<\/pre>/)
})
