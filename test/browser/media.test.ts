import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import {
  bannerOf,
  dialogOf,
  failedRequest,
  listed,
  nextRequest,
  opened,
  rowOf,
  test,
} from '../support/browser/board.ts'
import { listMisfits } from '../support/browser/in-page.ts'
import { atLength, changeResponses, listPath } from '../support/browser/responses.ts'

/** The widths of A4 within Chromium's margins: in landscape and in portrait. */
const paperWidths = [1047, 718]

test('printed, a list shows every column completely', async ({ openBoard }) => {
  const { page } = await openBoard({ prepare: page => changeResponses(page, listPath, atLength) })
  await page.emulateMedia({ media: 'print' })
  await listed(page)
  for (const width of paperWidths) {
    // The window is tall, because paper does not scroll.
    await page.setViewportSize({ width, height: 3_000 })
    expect(await page.evaluate(listMisfits)).toEqual([])
  }
})

test('printed, a failure does not cover the rows', async ({ openBoard }) => {
  const { page } = await openBoard({ expected: failedRequest, movesClock: true })
  await listed(page)
  await page.route(listPath, route => route.fulfill({ status: 502, body: '' }))
  await nextRequest(page)
  await bannerOf(page).waitFor()
  await page.emulateMedia({ media: 'print' })
  const failure = await page.locator('main > .failure').boundingBox()
  const feeds = await page.locator('#feeds').boundingBox()
  expect(Number(failure?.y) + Number(failure?.height)).toBeLessThanOrEqual(Number(feeds?.y))
})

test('printed, only the open record is visible, and completely', async ({ openBoard }) => {
  const { page } = await openBoard({ query: '?feed=AAPL' })
  await opened(page)
  await page.emulateMedia({ media: 'print' })
  for (const width of paperWidths) {
    await page.setViewportSize({ width, height: 300 })
    const cut = await page.evaluate(`[document.querySelector('dialog'), document.querySelector('dialog .content')]
      .filter(one => one.scrollHeight > one.clientHeight + 1).length`)
    expect(cut).toBe(0)
    const words = await dialogOf(page).getByText('For inspection only').boundingBox()
    const dialog = await dialogOf(page).boundingBox()
    expect(Number(words?.y)).toBeGreaterThan(300)
    expect(Number(words?.y)).toBeLessThan(Number(dialog?.y) + Number(dialog?.height))
    expect(await page.locator('main').isVisible()).toBe(false)
    // In landscape the record needs more than one page.
    const text = (await page.pdf({ format: 'A4', landscape: width > 1_000 })).toString('latin1')
    expect(text.match(/\/Type \/Page\b/g)?.length).toBeGreaterThan(width > 1_000 ? 1 : 0)
  }
})

const colorsOf = (locator: Locator) =>
  locator.evaluate(one => {
    const { color, backgroundColor } = one.ownerDocument.defaultView?.getComputedStyle(one) ?? {}
    return [color, backgroundColor]
  })

/** Returns this browser's system colours for a selection. */
const findHighlight = (page: Page) =>
  page.evaluate<string[]>(`(() => {
    const one = document.body.appendChild(document.createElement('p'))
    one.style = 'forced-color-adjust: none; color: HighlightText; background: Highlight'
    const { color, backgroundColor } = getComputedStyle(one)
    const colors = [color, backgroundColor]
    one.remove()
    return colors
  })()`)

test('with forced colours the selected network is highlighted, and status and verdict keep their texts', async ({
  openBoard,
}) => {
  // The policy forbids inline styles, which the test uses to read the system colours.
  const { page } = await openBoard({ forcedColors: 'active', bypassCSP: true, query: '?network=testnet' })
  await listed(page)
  const highlight = await findHighlight(page)
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
