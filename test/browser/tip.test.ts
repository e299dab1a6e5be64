import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { meaningOf } from '../../board/statuses.ts'
import { changeAnswers, listPath } from './answers.ts'
import { dialogOf, listed, nextRequest, opened, rowOf, test } from './board.ts'
import { removeMoveBefore } from './in-page.ts'

const tip = (page: Page) => page.locator('.tip')

/** Moves the pointer from a chip to the middle of its tip, in small steps. */
async function moveOntoTip(page: Page): Promise<void> {
  const box = await tip(page).boundingBox()
  if (box === null) throw new Error('The tip is not shown')
  await page.mouse.move(box.x + 20, box.y + box.height / 2, { steps: 40 })
}

test('a status is explained on hover, on focus, and to a screen reader', async ({ openBoard }) => {
  const { page } = await openBoard()
  for (const [symbol, status] of [
    ['AMC', 'Stale'],
    ['GLD', 'Market closed'],
  ] as const) {
    const chip = rowOf(page, symbol).getByRole('button', { name: status })
    await chip.hover()
    expect(await tip(page).isVisible()).toBe(true)
    expect(await tip(page).textContent()).toBe(meaningOf(status))
    await page.mouse.move(0, 0)
    expect(await tip(page).isVisible()).toBe(false)
    await chip.focus()
    expect(await tip(page).textContent()).toBe(meaningOf(status))
    expect(await tip(page).isVisible()).toBe(true)
    await page.keyboard.press('Tab')
    const described = await chip.getAttribute('aria-describedby')
    expect(await page.locator(`#${described}`).textContent()).toBe(meaningOf(status))
  }
})

test('a tip stays within the window, at the lowest row and at the edge', async ({ openBoard }) => {
  const { page } = await openBoard({ viewport: { width: 390, height: 844 } })
  for (const symbol of ['AAPL', 'NFLX', 'SNAP']) {
    await rowOf(page, symbol).locator('.chip').click()
    const box = await tip(page).boundingBox()
    if (box === null) throw new Error('The tip is not shown')
    expect(box.x).toBeGreaterThanOrEqual(0)
    expect(box.x + box.width).toBeLessThanOrEqual(390)
    expect(box.y).toBeGreaterThanOrEqual(0)
    expect(box.y + box.height).toBeLessThanOrEqual(844)
  }
})

test('the tip stays while the pointer moves onto it, and closes when the pointer leaves', async ({ openBoard }) => {
  const { page } = await openBoard()
  await listed(page)
  const expectTip = async (chip: Locator) => {
    await chip.hover()
    expect(await tip(page).isVisible()).toBe(true)
    await moveOntoTip(page)
    expect(await tip(page).isVisible()).toBe(true)
    await page.mouse.move(2, 2, { steps: 5 })
    expect(await tip(page).isVisible()).toBe(false)
  }
  await expectTip(rowOf(page, 'GLD').locator('.chip'))
  // At the lower end of the window.
  await expectTip(rowOf(page, 'PFE').locator('.chip'))
  await page.getByRole('link', { name: 'GLD' }).click()
  await expectTip(dialogOf(page).locator('.chip'))
})

test('Escape closes only the tip: a search keeps its text', async ({ openBoard }) => {
  const { page } = await openBoard({ query: '?search=GL' })
  await rowOf(page, 'GLD').locator('.chip').hover()
  expect(await tip(page).isVisible()).toBe(true)
  await page.getByLabel('Symbol').focus()
  await page.keyboard.press('Escape')
  expect(await tip(page).isVisible()).toBe(false)
  expect(await page.getByLabel('Symbol').inputValue()).toBe('GL')
})

test('in a record Escape closes first the tip, then the record', async ({ openBoard }) => {
  const { page } = await openBoard({ query: '?feed=GLD' })
  const dialog = dialogOf(page)
  await opened(page)
  await dialog.locator('.chip').focus()
  expect(await tip(page).isVisible()).toBe(true)
  await page.keyboard.press('Escape')
  expect(await tip(page).isVisible()).toBe(false)
  expect(await dialog.isVisible()).toBe(true)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  await rowOf(page, 'GLD').locator('.chip').hover()
  expect(await tip(page).isVisible()).toBe(true)
})

test('a tip that the focus opened stays while the pointer moves, and closes with the focus', async ({ openBoard }) => {
  const { page } = await openBoard()
  await page.getByRole('link', { name: 'GLD' }).focus()
  await page.keyboard.press('Tab')
  await page.mouse.move(300, 300, { steps: 3 })
  await page.mouse.move(900, 20, { steps: 10 })
  expect(await tip(page).isVisible()).toBe(true)
  await page.keyboard.press('Tab')
  expect(await tip(page).isVisible()).toBe(false)
})

/** Returns the vertical distance between a tip and its chip. */
async function findDistance(page: Page, symbol: string): Promise<number> {
  const [chip, tipBox] = [await rowOf(page, symbol).locator('.chip').boundingBox(), await tip(page).boundingBox()]
  if (chip === null || tipBox === null) return Number.POSITIVE_INFINITY
  return Math.min(Math.abs(tipBox.y - chip.y - chip.height), Math.abs(tipBox.y + tipBox.height - chip.y))
}

test.for([
  ['in the list', ''],
  ['in a record', '?feed=GLD'],
] as const)('an open tip shows the new meaning when the status changes, %s', async ([, query], { openBoard }) => {
  let status = 'Market closed'
  const { page } = await openBoard({
    query,
    movesClock: true,
    prepare: page => changeAnswers(page, /\/price/, text => text.replaceAll('"Market closed"', `"${status}"`)),
  })
  const chip = query === '' ? rowOf(page, 'GLD').locator('.chip') : dialogOf(page).locator('.chip')
  await chip.getByText('Market closed').focus()
  expect(await tip(page).textContent()).toBe(meaningOf('Market closed'))
  status = 'Oracle paused'
  await nextRequest(page)
  await chip.getByText('Oracle paused').waitFor()
  expect(await tip(page).textContent()).toBe(meaningOf('Oracle paused'))
  expect(await tip(page).isVisible()).toBe(true)
})

test('an open tip stays at its chip when the window is resized', async ({ openBoard }) => {
  const { page } = await openBoard()
  await rowOf(page, 'GLD').locator('.chip').focus()
  for (const width of [1_280, 900, 390]) {
    await page.setViewportSize({ width, height: 900 })
    await expect.poll(() => findDistance(page, 'GLD')).toBeLessThan(2)
  }
})

test.for([
  ['with moveBefore', ''],
  ['without', removeMoveBefore],
] as const)(
  'a tip follows its chip when the row moves, %s, and closes with the row',
  async ([, content], { openBoard }) => {
    let price = '385.17'
    const { page } = await openBoard({
      query: '?sort=price',
      movesClock: true,
      prepare: async page => {
        await page.addInitScript({ content })
        await changeAnswers(page, listPath, text => text.replace('"price":385.17', `"price":${price}`))
      },
    })
    await rowOf(page, 'GLD').locator('.chip').hover()
    price = '1'
    await nextRequest(page)
    await expect.poll(() => page.locator('tbody th').first().textContent()).toBe('GLD')
    await expect.poll(() => findDistance(page, 'GLD')).toBeLessThan(2)
    await page.evaluate(`{
    const search = document.querySelector('#search')
    search.value = 'IBM'
    search.dispatchEvent(new Event('input'))
  }`)
    await expect.poll(() => tip(page).isVisible()).toBe(false)
  },
)
