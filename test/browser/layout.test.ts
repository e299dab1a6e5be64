import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { feedCounts, listed, opened, queryOf, rowOf, test } from '../support/browser/board.ts'
import { listMisfits, listSmallControls } from '../support/browser/in-page.ts'
import { atLength, changeResponses } from '../support/browser/responses.ts'

/** The limits of each layout, and common widths. */
const widths = [320, 359, 360, 390, 559, 560, 640, 760, 761, 768, 820, 959, 960, 1024, 1160, 1199, 1200, 1280]

test.for([
  ['the list', '', listed],
  ['the list of the testnet, sorted by its longest header', '?network=testnet&sort=-sharePrice', listed],
  ['a search without a match', '?search=nope', (page: Page) => page.getByText('No feed matches').waitFor()],
  [
    'a record, unfolded,',
    '?feed=AAPL',
    (page: Page) => opened(page).then(() => page.getByText('What was read').click()),
  ],
] as const)(
  'at every width %s is completely visible, with the longest likely values',
  async ([, query, ready], { openBoard }) => {
    const { page } = await openBoard({ query, prepare: page => changeResponses(page, /\/price/, atLength) })
    await ready(page)
    for (const width of widths) {
      await page.setViewportSize({ width, height: 640 })
      expect(await page.evaluate(listMisfits), `at a width of ${width}`).toEqual([])
    }
  },
)

const topsOf = (page: Page, cells: string) =>
  page.locator(cells).evaluateAll(all => all.map(element => Math.round(element.getBoundingClientRect().top)))

const countLines = (page: Page, texts: string) =>
  page.locator(texts).evaluateAll(all =>
    all.map(element => {
      const range = element.ownerDocument.createRange()
      range.selectNodeContents(element)
      return new Set([...range.getClientRects()].map(({ top }) => top)).size
    }),
  )

/** By how much the search is wider than its placeholder. */
const placeholderRoom = `(() => {
  const search = document.querySelector('#search')
  const { font, paddingLeft } = getComputedStyle(search)
  const text = Object.assign(document.createElement('canvas').getContext('2d'), { font })
  return search.clientWidth - 2 * parseFloat(paddingLeft) - text.measureText(search.placeholder).width
})()`

test('the placeholder of the search is completely visible', async ({ openBoard }) => {
  const { page } = await openBoard()
  for (const width of widths) {
    await page.setViewportSize({ width, height: 640 })
    expect(await page.evaluate(placeholderRoom), `at a width of ${width}`).toBeGreaterThanOrEqual(0)
  }
})

test('on a wide page every number is one line below a header of one line, which stays in view', async ({
  openBoard,
}) => {
  const { page } = await openBoard()
  await listed(page)
  for (const width of [768, 1280]) {
    await page.setViewportSize({ width, height: 600 })
    await page.locator('#rows tr').last().scrollIntoViewIfNeeded()
    expect(new Set(await topsOf(page, 'thead th'))).toEqual(new Set([0]))
    const heights = await page.locator('thead th').evaluateAll(all => all.map(element => element.clientHeight))
    expect(Math.max(...heights)).toBeLessThanOrEqual(41)
    expect(new Set(await countLines(page, 'thead th button, #rows .digits'))).toEqual(new Set([1]))
  }
})

test('on a phone 21 feeds take less than 1,400 pixels: each has two lines, its verdict before its price, and room for a finger', async ({
  openBoard,
}) => {
  const { page } = await openBoard({ viewport: { width: 390, height: 844 } })
  await listed(page)
  expect(await page.locator('thead button').first().isVisible()).toBe(false)
  expect((await page.locator('#rows tr').first().boundingBox())?.y).toBeLessThan(0.3 * 844)
  expect(await page.evaluate('document.documentElement.scrollHeight')).toBeLessThan(1_400)
  const heights = await page.locator('#rows tr, .docs').evaluateAll(all => all.map(element => element.clientHeight))
  expect(Math.min(...heights)).toBeGreaterThanOrEqual(44)
  const cells = ['.symbol', '.status', '.served', '.price'].map(cell => rowOf(page, 'BA').locator(cell))
  const [symbol, status, served, price] = await Promise.all(cells.map(cell => cell.boundingBox()))
  expect(Number(symbol?.x) + Number(symbol?.width)).toBeLessThan(Number(status?.x))
  expect(Number(served?.x) + Number(served?.width)).toBeLessThan(Number(price?.x))
  expect(Number(served?.y)).toBeGreaterThan(Number(symbol?.y))
})

test('on a phone every control of a record has room for a finger, at the same place for every feed', async ({
  openBoard,
}) => {
  const viewport = { width: 390, height: 844 }
  const { page } = await openBoard({ query: '?feed=AAPL', viewport, hasTouch: true, isMobile: true })
  await opened(page)
  expect(await page.evaluate(listSmallControls)).toEqual([])
  const next = page.getByRole('button', { name: 'Next feed' })
  const before = await next.boundingBox()
  for (const symbol of ['AMC', 'AVGO', 'BA']) {
    await next.tap()
    await page.getByRole('heading', { name: symbol }).waitFor()
    expect(await next.boundingBox()).toEqual(before)
  }
})

test('on a phone a search does not move the list', async ({ openBoard }) => {
  for (const width of [320, 390]) {
    const { page } = await openBoard({ viewport: { width, height: 844 } })
    await listed(page)
    const before = await page.locator('#feeds').boundingBox()
    await page.getByLabel('Search').fill('st')
    await page.getByText(/^\d+ of \d+ feeds$/).waitFor()
    expect((await page.locator('#feeds').boundingBox())?.y).toBe(before?.y)
  }
})

test('the decimal points of a column are aligned', async ({ openBoard }) => {
  const { page } = await openBoard()
  await listed(page)
  for (const width of [1280, 820, 768]) {
    await page.setViewportSize({ width, height: 800 })
    for (const column of ['price', 'sharePrice', 'multiplier']) {
      const edges: number[] = await page
        .locator(`td.${column} .fraction`)
        .evaluateAll(all => all.map(fraction => Math.round(10 * fraction.getBoundingClientRect().left)))
      expect(edges).toHaveLength(feedCounts.mainnet)
      // Chromium positions glyphs in units of 1/64 pixel.
      expect(Math.max(...edges) - Math.min(...edges)).toBeLessThanOrEqual(1)
    }
  }
})

test('on a phone the order is chosen from a list of every column in both directions', async ({ openBoard }) => {
  const { page } = await openBoard({ query: '?sort=-served', viewport: { width: 390, height: 800 } })
  const sort = page.getByLabel('Sort')
  expect(await sort.inputValue()).toBe('-served')
  expect(await sort.locator('option').count()).toBe(14)
  await sort.selectOption('-price')
  expect(await queryOf(page)).toBe('?sort=-price')
})

test('at every width the table is a table in the accessibility tree', async ({ openBoard }) => {
  const { page } = await openBoard()
  await listed(page)
  const session = await page.context().newCDPSession(page)
  for (const width of [390, 820, 1024, 1280]) {
    const columnCount = width > 760 ? 7 : 4
    await page.setViewportSize({ width, height: 800 })
    const { nodes } = await session.send('Accessibility.getFullAXTree')
    const count = (role: string) => nodes.filter(node => !node.ignored && node.role?.value === role).length
    expect([count('table'), count('row'), count('columnheader')]).toEqual([1, 1 + feedCounts.mainnet, columnCount])
    expect([count('rowheader'), count('cell')]).toEqual([feedCounts.mainnet, (columnCount - 1) * feedCounts.mainnet])
    expect(await page.getByRole('table').getAttribute('role')).toBe('table')
    expect(await rowOf(page, 'AAPL').getAttribute('role')).toBe('row')
  }
})
