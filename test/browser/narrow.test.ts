import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { parseExactly, type ShownList } from '../../board/price-answer.ts'
import { arrange, formatView, parseView } from '../../board/view.ts'
import { atLength, changeAnswers, listPath } from './answers.ts'
import { feedCounts, rowOf, symbolsOf, test } from './board.ts'
import { listAside, listClipped, listTooWide } from './in-page.ts'

const listed = (page: Page) => page.locator('tbody tr').first().waitFor()

const topsOf = (page: Page, cells: string) =>
  page.locator(cells).evaluateAll(all => all.map(one => Math.round(one.getBoundingClientRect().top)))

test.for([768, 1280])(
  'at a width of %i each row is one line below a header of one line, which stays in view',
  async (width, { openBoard }) => {
    const { page } = await openBoard({ viewport: { width, height: 600 } })
    await listed(page)
    await rowOf(page, 'SNAP').scrollIntoViewIfNeeded()
    expect(new Set(await topsOf(page, 'thead th'))).toEqual(new Set([0]))
    expect(new Set(await topsOf(page, 'tbody tr:last-child > *')).size).toBe(1)
    const heights = await page.locator('thead th, tbody .served').evaluateAll(all => all.map(one => one.clientHeight))
    expect(Math.max(...heights)).toBeLessThanOrEqual(41)
    const lines = page.locator('thead th button, tbody .served span')
    expect(
      new Set(
        await lines.evaluateAll(all =>
          all.map(one => {
            const range = one.ownerDocument.createRange()
            range.selectNodeContents(one)
            return new Set([...range.getClientRects()].map(({ top }) => top)).size
          }),
        ),
      ),
    ).toEqual(new Set([1]))
  },
)

test('on a phone a row is a card in which each value has a label', async ({ openBoard }) => {
  const { page } = await openBoard({ viewport: { width: 390, height: 844 } })
  await listed(page)
  const labels = await rowOf(page, 'AAPL')
    .locator('td')
    .evaluateAll(all => all.map(one => one.ownerDocument.defaultView?.getComputedStyle(one, '::before').content))
  const names = ['Price, USD', 'Share price', '× Multiplier', 'Age', 'latestRoundData()']
  expect(labels).toEqual(['none', ...names.map(name => `"${name}" / ""`)])
  expect(
    await page
      .locator('thead th')
      .first()
      .evaluate(one => one.computedStyleMap().get('position')?.toString()),
  ).toBe('static')
})

/** The limits of each layout, and common widths. */
const widths = [320, 359, 360, 390, 559, 560, 640, 760, 761, 768, 820, 959, 960, 1024, 1160, 1199, 1200, 1280]

test('at every width a row shows all values without scrolling sideways', async ({ openBoard }) => {
  const { page } = await openBoard({ prepare: page => changeAnswers(page, listPath, atLength) })
  await listed(page)
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 })
    for (const list of [listTooWide, listAside, listClipped]) {
      expect(await page.evaluate(list), `at a width of ${width}`).toEqual([])
    }
  }
})

test.for([320, 390, 640, 820, 1024, 1280])(
  'at a width of %i every column sorts in both directions and shows it',
  async (width, { openBoard, deployment }) => {
    const { page } = await openBoard({ query: '?sort=-served', viewport: { width, height: 800 } })
    await listed(page)
    const { feeds } = parseExactly(await (await fetch(`${deployment.baseUrl}/price`)).text()) as ShownList
    for (const sortBy of ['price', 'sharePrice', 'multiplier', 'age', 'served', 'status', 'symbol'] as const) {
      for (const descending of [false, true]) {
        const header = page.locator(`th[data-sort=${sortBy}]`)
        await header.getByRole('button').click()
        const view = { ...parseView(''), sortBy, descending }
        expect(await symbolsOf(page)).toEqual(arrange(feeds, view).map(({ symbol }) => symbol))
        expect(await page.locator('th[aria-sort]').count()).toBe(1)
        expect(await header.getAttribute('aria-sort')).toBe(descending ? 'descending' : 'ascending')
        expect(new URL(page.url()).search).toBe(formatView(view))
      }
    }
  },
)

test.for([390, 820, 1024, 1280])(
  'at a width of %i the table is a table in the accessibility tree',
  async (width, { openBoard }) => {
    const { page } = await openBoard({ viewport: { width, height: 800 } })
    await listed(page)
    const session = await page.context().newCDPSession(page)
    const { nodes } = await session.send('Accessibility.getFullAXTree')
    const count = (role: string) => nodes.filter(node => !node.ignored && node.role?.value === role).length
    expect([count('table'), count('row'), count('columnheader')]).toEqual([1, 1 + feedCounts.mainnet, 7])
    expect([count('rowheader'), count('cell')]).toEqual([feedCounts.mainnet, 6 * feedCounts.mainnet])
    expect(await page.getByRole('table').getAttribute('role')).toBe('table')
    expect(await rowOf(page, 'AAPL').getAttribute('role')).toBe('row')
  },
)
