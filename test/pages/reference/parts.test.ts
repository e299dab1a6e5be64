import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { keysOf } from '../../../api/keys-of.ts'
import { problemSlugs, problems } from '../../../api/problems.ts'
import { parameters, priceRoutes } from '../../../api/routes.ts'
import { createDescription } from '../../../api/schemas/openapi.ts'
import { statusMeanings, toStatusId } from '../../../api/statuses.ts'
import { createExamples } from '../../../pages/examples.ts'
import { writeParts } from '../../../pages/reference/parts.ts'

const document = readFileSync('docs/api.md', 'utf8')
const written = writeParts(document, createExamples())

/** Finds the row of a table that has an anchor. */
const findRow = (anchor: string) => written.split('\n').find(line => line.startsWith(`| <a id="${anchor}"></a>`))

test('docs/api.md has its parts; if not: npx vitest run --project modules test/api test/pages/reference -u', async () => {
  await expect(written).toMatchFileSnapshot('../../../docs/api.md')
})

test('the parts replace what is between their comments, and nothing else', () => {
  const emptied = document.replaceAll(/^(<!-- ([a-z ]+) -->)$.*?^(<!-- \/\2 -->)$/gms, '$1\n\nold\n\n$3')
  expect(emptied).not.toBe(document)
  expect(writeParts(emptied, createExamples())).toBe(written)
})

test.each([
  ['a part that is missing', document.replaceAll('<!-- terms -->', ''), 'the part "terms" is missing'],
  ['a part that does not end', document.replaceAll('<!-- /terms -->', ''), 'the part "terms" is missing'],
  ['an unknown part', `${document}\n<!-- prices -->\n<!-- /prices -->\n`, 'the part "prices" is not known'],
])('%s is an error with its name', (_, changed, message) => {
  expect(() => writeParts(changed, createExamples())).toThrow(message)
})

/** Lists the fields of every object of the description, as `PriceList.block`, but for those that another row has. */
function listFields(): readonly string[] {
  const { Explorer: _, ...schemas } = createDescription({}).components.schemas
  const namesOf = (id = '') => Object.keys(schemas[id]?.properties ?? {})
  const without: Readonly<Record<string, string>> = { ListedPrice: 'PriceRecord', UnreadableFeed: 'ListedPrice' }
  return Object.keys(schemas).flatMap(id => {
    const known = namesOf(without[id])
    return namesOf(id).flatMap(name => (known.includes(name) ? [] : `${id}.${name}`))
  })
}

test('every route, parameter, field, status and problem has a row with its anchor', () => {
  const anchors = [
    ...priceRoutes.map(({ operationId }) => operationId),
    ...Object.keys(parameters).map(name => `parameter-${name}`),
    ...listFields(),
    ...keysOf(statusMeanings).map(toStatusId),
    ...[...problemSlugs, 'blank'].map(slug => `problem-${slug}`),
  ]
  expect(anchors).toEqual(expect.arrayContaining(['PriceRecord.price', 'UnreadableFeed.problem', 'Problem.type']))
  expect(anchors.filter(anchor => findRow(anchor) === undefined)).toEqual([])
})

test.each([
  ['PriceRecord.multiplier', '`multiplier` | number or null | Shares per token (ERC-8056)'],
  ['PriceRecord.servesLatestRoundData', '`servesLatestRoundData` | boolean | Whether `latestRoundData()`'],
  ['PriceRecord.status', "`status` | string | The feed's own status: see [Statuses](#statuses). |"],
  ['UnreadableFeed.problem', '`problem` | object | Why it cannot be read: [a problem](#a-problem). |'],
  ['status-market-closed', 'Market closed | if the feed was deployed for it | The price is older than'],
  ['problem-internal', '`internal` | 500, 502, 504 | Something went wrong on our side. |'],
  ['problem-chain-unavailable', '`chain-unavailable` | 503 | No reading of the chain could be served.'],
])('the row %s has its type, verdict or HTTP status, and its meaning', (anchor, start) => {
  expect(findRow(anchor)?.slice(0, `| <a id="${anchor}"></a>${start}`.length)).toBe(`| <a id="${anchor}"></a>${start}`)
})

test('a problem with Retry-After has it in its row', () => {
  expect(findRow('problem-chain-unavailable')).toMatch(/<br><br>`Retry-After: 10` \|$/)
  const withPause = Object.values(problems).filter(problem => 'retryAfterSeconds' in problem)
  expect(written.match(/`Retry-After: \d+` \|$/gm)).toHaveLength(withPause.length)
})

test('every cell of a table has a text', () => {
  expect(written).toMatch(/^\| \S/m)
  expect(written).not.toMatch(/^\|.*\| *\|/m)
})

test('beside the record are a list, with a feed that is not served, and a problem', () => {
  const shown = Array.from(written.matchAll(/^```json\n(.*?)^```/gms), ([, json = '']) => JSON.parse(json))
  const feeds = [{ servesLatestRoundData: false }, { problem: { title: 'Feed unreadable' } }]
  expect(shown).toMatchObject([{ servesLatestRoundData: true }, { feeds }, { title: 'Unknown symbol' }])
})
