import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { rowOf, test } from './board.ts'

const colorsOf = (locator: Locator) =>
  locator.evaluate(one => {
    const { color, backgroundColor } = one.ownerDocument.defaultView?.getComputedStyle(one) ?? {}
    return [color, backgroundColor]
  })

/** Returns the system colours of this browser. */
const systemColors = (page: Page, color: string, ground: string) =>
  page.evaluate<string[]>(`(() => {
    const one = document.body.appendChild(document.createElement('p'))
    one.style = 'forced-color-adjust: none; color: ${color}; background: ${ground}'
    const style = getComputedStyle(one)
    const colors = [style.color, style.backgroundColor]
    one.remove()
    return colors
  })()`)

test('with forced colours the selected network is highlighted, and status and verdict keep their texts', async ({
  openBoard,
}) => {
  // The policy forbids inline styles, which the test uses to read the system colours.
  const { page } = await openBoard({ forcedColors: 'active', bypassCSP: true, query: '?network=testnet' })
  await page.locator('tbody tr').first().waitFor()
  const highlight = await systemColors(page, 'HighlightText', 'Highlight')
  expect(await colorsOf(page.locator('.networks span', { hasText: 'Testnet' }))).toEqual(highlight)
  expect(await colorsOf(page.locator('.networks span', { hasText: 'Mainnet' }))).not.toEqual(highlight)
  const row = rowOf(page, 'AMD')
  for (const mark of [row.locator('.chip'), row.locator('.served')]) {
    const [color, ground] = await colorsOf(mark)
    expect(color).not.toBe(ground)
    expect(await mark.textContent()).not.toBe('')
  }
  expect(await row.locator('.chip').evaluate(one => one.clientTop)).toBe(1)
})
