import { readFileSync } from 'node:fs'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { createExamples } from '../../../pages/examples.ts'
import { writeParts } from '../../../pages/reference/parts.ts'
import { renderReference } from '../../../pages/reference/render.ts'

const document = writeParts(readFileSync('docs/api.md', 'utf8'), createExamples())
const page = renderReference(document)

const toText = (html = '') =>
  html
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()

/** Returns the text of the section with an id. */
const sectionOf = (id: string) => toText(page.split(`<section aria-labelledby="${id}">`)[1]?.split('</section>')[0])

test('the sections are in the order in which a caller needs them, and linked', () => {
  const ids = [
    ...['quick-start', 'what-to-check-before-you-use-a-price', 'exact-numbers', 'what-the-words-mean'],
    ...['routes', 'fields', 'problems', 'statuses', 'check-a-record-on-chain'],
    ...['access-age-compatibility-other-requests', 'what-is-verified', 'monitoring'],
  ]
  const headings = page.matchAll(/<section aria-labelledby="(.*?)">\n<h2 id="(.*?)">/g)
  expect(Array.from(headings, ([, label, id]) => [label, id])).toEqual(ids.map(id => [id, id]))
  const [, contents = ''] = /<nav aria-label="Contents">(.*?)<\/nav>/s.exec(page) ?? []
  expect(Array.from(contents.matchAll(/href="#(.*?)"/g), ([, id]) => id)).toEqual(ids)
})

test.each([
  'servesLatestRoundData',
  'chainId',
  'A served price can be wrong',
  'A symbol identifies no token',
  'ageSeconds',
  'Date plus Age',
  'poll the list',
  '15_000',
])('what to check before the use of a price includes %j', words => {
  expect(sectionOf('what-to-check-before-you-use-a-price')).toContain(words)
})

test.each<[passes: boolean, what: string, change: Partial<Checked>]>([
  [true, 'a served price of the mainnet', {}],
  [false, 'a price that is not served', { servesLatestRoundData: false }],
  [false, 'a record without a price', { price: null }],
  [false, 'a price of the testnet', { chainId: 46630 }],
])('the rule for the use of a price is %s for %s', (passes, _, change) => {
  const [, code = ''] = /<pre>(servesLatestRoundData .*)<\/pre>/.exec(page) ?? []
  const record: Checked = { servesLatestRoundData: true, price: 1079.9, chainId: 4663, ...change }
  const rule = code.replaceAll('&amp;', '&')
  expect(runInNewContext(rule, record)).toBe(passes)
})

interface Checked {
  readonly servesLatestRoundData: boolean
  readonly price: number | null
  readonly chainId: number
}

test.each(['429 (too-many-requests)', '503 (chain-unavailable)', 'from 500 on as internal'])(
  'what to do after a problem includes %j',
  words => {
    expect(sectionOf('problems')).toContain(words)
  },
)

test('of feed, served, per token, observation, staged, switch, recorded and total return, none is used before its meaning', () => {
  const text = page.slice(page.indexOf('<section aria-labelledby="what-the-words-mean">')).toLowerCase()
  for (const term of [
    'Feed, served',
    'Per token, per share',
    'Observation',
    'Staged, switch',
    'Recorded',
    'Total return',
  ]) {
    const [before = '', after] = text.split(new RegExp(`<strong id="[^"]*">${term.toLowerCase()}</strong>`))
    expect(after, term).toBeDefined()
    for (const word of term.toLowerCase().split(', '))
      expect(toText(before), term).not.toMatch(new RegExp(`\\b${word}\\b`))
  }
})

test('every link within the page leads to its one anchor, nothing is in italics, and no link is relative', () => {
  const ids = Array.from(page.matchAll(/ id="([^"]+)"/g), ([, id]) => id)
  expect(ids).toEqual([...new Set(ids)])
  const targets = Array.from(page.matchAll(/href="#([^"]+)"/g), ([, id]) => id)
  expect(targets.length).toBeGreaterThan(50)
  expect(targets.filter(id => !ids.includes(id))).toEqual([])
  expect(page.match(/<em>.*?<\/em>| href="(?!https:|[/#]).*?"/g)).toBeNull()
})

test.each([
  ['`/price/CRWD`', '<a href="/price/CRWD"><code>/price/CRWD</code></a>'],
  ['`/price/{symbol}`', '<code>/price/{symbol}</code>'],
  ['`/prices`', '<code>/prices</code>'],
  ['[it](../api/openapi.json)', '<a href="/openapi.json">it</a>'],
  ['[it](decisions.md#d1)', 'it'],
  ['`https://prices.example/v1`', '<code><span class="url">https://prices.example/v1</span></code>'],
  ['[it](https://prices.example/v1/docs)', '<a href="https://prices.example/v1/docs">it</a>'],
  ['https://prices.example/v1', '<a href="https://prices.example/v1">https://prices.example/v1</a>'],
  ['**A rule**', '<strong id="a-rule">A rule</strong>'],
  ['<a id="a-rule"></a>**A rule**', '<strong id="a-rule">A rule</strong>'],
])('%s becomes %s', (markdown, html) => {
  expect(renderReference(markdown)).toContain(`<p>${html}</p>`)
})

test('a URL in a block of code is an element, whose base URL the script of the page replaces', () => {
  const block = "```sh\ncurl 'https://prices.example/v1/price?network=testnet' & jq\n```"
  const url = '<span class="url">https://prices.example/v1/price?network=testnet</span>'
  expect(renderReference(block)).toContain(`<pre>curl '${url}' &amp; jq</pre>`)
})

test('a row with an anchor links to itself, and a status that is not served is marked', () => {
  const row = /<tr role="row" id="status-stale">.*?<\/tr>/.exec(page)?.[0]
  expect(row).toContain('<th role="rowheader" scope="row" data-column="status"><a href="#status-stale">Stale</a></th>')
  expect(row).toContain('<td role="cell" data-column="served" class="refused">no</td>')
  expect(row).toMatch(/<td role="cell" data-column="meaning"><p>.+<\/p><p>.+<\/p><\/td>/)
})

test('HTML other than that of the document is text', () => {
  const hostile = '<img src=x onerror="alert(1)"> & `<b>` <a id="x" href="javascript:0"> <!-- --> <i>'
  const places = [
    hostile,
    `<div>${hostile}`,
    `| a |\n|---|\n| ${hostile} |`,
    `\`\`\`\n${hostile}\n\`\`\``,
    `## ${hostile}`,
  ]
  for (const markdown of places) {
    const html = renderReference(`\n${markdown}`)
    expect(html).toContain('&lt;img')
    expect(html).not.toMatch(/<(img|b|i|div)\b|<a id="x"/)
  }
})

test('what concerns the repository alone, its files and comments are not on the page', () => {
  for (const text of ['In this repository', 'infra/environments.ts', 'decisions.md', '<!--']) {
    expect(document).toContain(text)
    expect(page).not.toContain(text)
  }
})
