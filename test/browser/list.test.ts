import type { Locator } from 'playwright-core'
import { expect } from 'vitest'
import registry from '../../lambda/feeds/registry.json' with { type: 'json' }
import { isUnreadable, parseExactly, type ShownEntry, type ShownList } from '../../pages/board/price-response.ts'
import { formatPrice, roundMultiplier } from '../../pages/board/shown-number.ts'
import { chipLabels, meaningOf } from '../../pages/board/statuses.ts'
import { dialogOf, filterOf, listed, opened, rowOf, styleOf, test } from '../support/browser/board.ts'

/** Returns the expected texts of a row's cells, without its age. */
function toCells(entry: ShownEntry): string[] {
  const { name } =
    Object.values(registry)
      .flat()
      .find(({ address }) => address === entry.feed) ?? {}
  const title = `${entry.symbol}${name ?? ''}`
  if (isUnreadable(entry)) return [title, 'Unreadable', '–', '–', '–', '–']
  const { status, price, sharePrice, multiplier, servesLatestRoundData } = entry
  const verdict = servesLatestRoundData ? 'the price' : 'reverts'
  const numbers = [formatPrice(price), formatPrice(sharePrice), roundMultiplier(multiplier)]
  return [title, status, ...numbers.map(number => number ?? '–'), verdict]
}

test('every feed of both networks is shown with its name and the API’s values, prices digit by digit', async ({
  openBoard,
  deployment,
}) => {
  for (const query of ['', '?network=testnet']) {
    const { page } = await openBoard({ query })
    await listed(page)
    const rows: string[][] = await page
      .locator('#rows tr')
      .evaluateAll(all => all.map(row => [...row.children].map(cell => cell.textContent)))
    const response = await fetch(`${deployment.baseUrl}/price${query}`)
    const { feeds, network } = parseExactly(await response.text()) as ShownList
    expect(rows.map(cells => cells.toSpliced(5, 1))).toEqual(feeds.map(toCells))
    expect(await page.locator('#count').textContent()).toBe(`${feeds.length} feeds`)
    expect(await filterOf(page, 'Unreadable').isVisible()).toBe(feeds.some(isUnreadable))
    expect(await page.locator('#freshness').textContent()).toMatch(
      new RegExp(`^${network}, block 7924\\d{4}, read \\d+ s ago$`),
    )
  }
})

test('the list and the records state that they are for inspection only, also on a phone', async ({ openBoard }) => {
  const { page } = await openBoard({ query: '?feed=CRWD', viewport: { width: 390, height: 800 } })
  await opened(page)
  for (const within of [page.locator('body > header'), dialogOf(page)]) {
    const words = within.getByText('For inspection only: a protocol must read the feed on-chain.')
    expect(await words.isVisible()).toBe(true)
  }
})

test('the legend explains every status below its button, and moves nothing', async ({ openBoard }) => {
  const { page } = await openBoard()
  await listed(page)
  const legend = page.locator('#legend')
  expect(await legend.isVisible()).toBe(false)
  const before = await page.locator('#table').boundingBox()
  const button = page.getByRole('button', { name: 'Legend' })
  await button.press('Enter')
  for (const label of chipLabels) expect(await legend.getByText(meaningOf(label)).isVisible(), label).toBe(true)
  expect(await page.locator('#table').boundingBox()).toEqual(before)
  const [above, below] = [await button.boundingBox(), await legend.boundingBox()]
  expect(Number(below?.x)).toBe(Number(above?.x))
  expect(Number(below?.y)).toBeGreaterThanOrEqual(Number(above?.y) + Number(above?.height))
  expect(Number(below?.y) + Number(below?.height)).toBeLessThan(720)
  await page.keyboard.press('Escape')
  expect(await legend.isVisible()).toBe(false)
})

test('a number can be selected, copied, found and read without its padding', async ({ openBoard }) => {
  const digits = '271.84930217'
  const { page } = await openBoard()
  const cell = rowOf(page, 'AAPL').locator('.price .digits')
  await cell.evaluate(element => element.ownerDocument.getSelection()?.selectAllChildren(element))
  expect(await page.evaluate('getSelection().toString()')).toBe(digits)
  await page.keyboard.press('ControlOrMeta+C')
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(digits)
  await page.evaluate('getSelection().removeAllRanges()')
  expect(await page.evaluate(`window.find('${digits}')`)).toBe(true)
  expect(await rowOf(page, 'CRWD').locator('.price').ariaSnapshot()).toBe('- cell "1079.90"')
})

test('a price has at least two decimals, and is dimmed after the second, or as a whole if no contract gets it', async ({
  openBoard,
}) => {
  const { page } = await openBoard()
  await listed(page)
  const colorOf = (text: Locator) => styleOf(text, 'color')
  const [dark, dimmed] = [await colorOf(page.locator('body')), await colorOf(page.locator('#count'))]
  for (const [symbol, whole, fraction, further, color] of [
    ['AAPL', '271', '.84930217', '930217', dark],
    ['CRWD', '1079', '.90', '', dark],
    ['BA', '214', '.08', '', dimmed],
  ] as const) {
    const parts = ['.whole', '.fraction', '.further'].map(part => rowOf(page, symbol).locator(`.price ${part}`))
    expect(await Promise.all(parts.map(part => part.textContent()))).toEqual([whole, fraction, further])
    expect(await Promise.all(parts.map(colorOf))).toEqual([color, color, dimmed])
  }
})
