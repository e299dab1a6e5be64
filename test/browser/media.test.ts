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
  styleOf,
  test,
} from '../support/browser/board.ts'
import { listMisfits } from '../support/browser/in-page.ts'
import { atLength, changeResponses, listFive, listPath, markAsLocal } from '../support/browser/responses.ts'

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

test('printed, a list has no controls, but its network and the time at which it was read', async ({ openBoard }) => {
  const { page } = await openBoard({ prepare: listFive })
  await listed(page)
  await page.getByRole('button', { name: 'Legend' }).click()
  await page.emulateMedia({ media: 'print' })
  for (const width of paperWidths) {
    await page.setViewportSize({ width, height: 3_000 })
    const controls = page.locator('input, select, summary, body > header a, button:not(thead *), #legend')
    expect(await controls.evaluateAll(all => all.filter(element => element.checkVisibility()).length)).toBe(0)
    for (const shown of ['Robinhood Chain, ', 'read 2026-10-03T22:30:00.789Z']) {
      expect(await page.getByText(shown, { exact: true }).isVisible(), shown).toBe(true)
    }
    expect(await page.getByText('ago').isVisible()).toBe(false)
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

test('printed, only the open record is visible, and completely: unfolded, or on one page', async ({ openBoard }) => {
  const { page } = await openBoard({
    query: '?feed=AAPL',
    prepare: page => markAsLocal(page, 'mainnet', 'http://127.0.0.1:8545'),
  })
  await opened(page)
  await page.emulateMedia({ media: 'print' })
  expect(await dialogOf(page).getByRole('note').isVisible()).toBe(true)
  expect(await dialogOf(page).getByText('What was read').isVisible()).toBe(false)
  expect(await dialogOf(page).getByText(' ago').filter({ visible: true }).count()).toBe(0)
  expect(await countPages(page)).toBe(1)
  await page.evaluate(`document.querySelector('dialog details').open = true`)
  for (const width of paperWidths) {
    await page.setViewportSize({ width, height: 300 })
    const cut = await page.evaluate(`[document.querySelector('dialog'), document.querySelector('dialog .content')]
      .filter(element => element.scrollHeight > element.clientHeight + 1).length`)
    expect(cut).toBe(0)
    const json = await dialogOf(page).locator('pre').last().boundingBox()
    const dialog = await dialogOf(page).boundingBox()
    expect(Number(json?.y)).toBeGreaterThan(300)
    expect(Number(json?.y) + Number(json?.height)).toBeLessThan(Number(dialog?.y) + Number(dialog?.height))
    expect(await page.locator('main').isVisible()).toBe(false)
    expect(await countPages(page)).toBeGreaterThan(1)
  }
})

async function countPages(page: Page): Promise<number | undefined> {
  const text = (await page.pdf({ format: 'A4' })).toString('latin1')
  return text.match(/\/Type \/Page\b/g)?.length
}

const colorsOf = (locator: Locator) => Promise.all(['color', 'background-color'].map(name => styleOf(locator, name)))

/** Returns this browser's system colours for a selection. */
const findHighlight = (page: Page) =>
  page.evaluate<string[]>(`(() => {
    const element = document.body.appendChild(document.createElement('p'))
    element.style = 'forced-color-adjust: none; color: HighlightText; background: Highlight'
    const { color, backgroundColor } = getComputedStyle(element)
    const colors = [color, backgroundColor]
    element.remove()
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
  expect(await row.locator('.chip').evaluate(element => element.clientTop)).toBe(1)
})
