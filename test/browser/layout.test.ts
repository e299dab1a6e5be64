import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { feedCounts, listed, opened, queryOf, rowOf, test } from '../support/browser/board.ts'
import { listMisfits } from '../support/browser/in-page.ts'
import { atLength, changeResponses } from '../support/browser/responses.ts'

/** The limits of each layout, and common widths. */
const widths = [320, 359, 360, 390, 559, 560, 640, 760, 761, 768, 820, 959, 960, 1024, 1160, 1199, 1200, 1280]

test.for([
  ['the list', '', listed],
  ['the list of the testnet', '?network=testnet', listed],
  ['a search without a match', '?search=nope', (page: Page) => page.getByText('No feed matches').waitFor()],
  ['a record', '?feed=AAPL', opened],
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
  page.locator(cells).evaluateAll(all => all.map(one => Math.round(one.getBoundingClientRect().top)))

const countLines = (page: Page, texts: string) =>
  page.locator(texts).evaluateAll(all =>
    all.map(one => {
      const range = one.ownerDocument.createRange()
      range.selectNodeContents(one)
      return new Set([...range.getClientRects()].map(({ top }) => top)).size
    }),
  )

test('on a wide page every number is one line below a header of one line, which stays in view', async ({
  openBoard,
}) => {
  const { page } = await openBoard()
  await listed(page)
  for (const width of [768, 1280]) {
    await page.setViewportSize({ width, height: 600 })
    await page.locator('#rows tr').last().scrollIntoViewIfNeeded()
    expect(new Set(await topsOf(page, 'thead th'))).toEqual(new Set([0]))
    const heights = await page.locator('thead th').evaluateAll(all => all.map(one => one.clientHeight))
    expect(Math.max(...heights)).toBeLessThanOrEqual(41)
    expect(new Set(await countLines(page, 'thead th button, #rows .digits'))).toEqual(new Set([1]))
  }
})

test('on a phone a row is a card with labelled values, and the first begins within 30 % of the screen', async ({
  openBoard,
}) => {
  const { page } = await openBoard({ viewport: { width: 390, height: 844 } })
  await listed(page)
  const labels = await rowOf(page, 'AAPL')
    .locator('td')
    .evaluateAll(all => all.map(one => one.ownerDocument.defaultView?.getComputedStyle(one, '::before').content))
  const names = ['Price, USD', 'Share price', '× Multiplier', 'Age', 'A contract gets']
  expect(labels).toEqual(['none', ...names.map(name => `"${name}" / ""`)])
  expect(await page.locator('thead button').first().isVisible()).toBe(false)
  expect((await page.locator('#rows tr').first().boundingBox())?.y).toBeLessThan(0.3 * 844)
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
    await page.setViewportSize({ width, height: 800 })
    const { nodes } = await session.send('Accessibility.getFullAXTree')
    const count = (role: string) => nodes.filter(node => !node.ignored && node.role?.value === role).length
    expect([count('table'), count('row'), count('columnheader')]).toEqual([1, 1 + feedCounts.mainnet, 7])
    expect([count('rowheader'), count('cell')]).toEqual([feedCounts.mainnet, 6 * feedCounts.mainnet])
    expect(await page.getByRole('table').getAttribute('role')).toBe('table')
    expect(await rowOf(page, 'AAPL').getAttribute('role')).toBe('row')
  }
})
