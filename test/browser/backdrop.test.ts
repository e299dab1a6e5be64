import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { recordPath } from './answers.ts'
import { failedRequest, test } from './board.ts'

const dialog = (page: Page) => page.getByRole('dialog')
const opened = (page: Page) => dialog(page).getByText('cast call').first().waitFor()
const isOpen = (page: Page) => page.evaluate<boolean>(`document.querySelector('dialog').open`)

async function boxOf(locator: Locator) {
  await locator.scrollIntoViewIfNeeded()
  const box = await locator.boundingBox()
  if (box === null) throw new Error('The element is not visible')
  return box
}

test('a click on the backdrop closes the record', async ({ openBoard }) => {
  const { page } = await openBoard({ query: '?feed=AAPL' })
  await opened(page)
  await page.mouse.click(20, 300)
  await dialog(page).waitFor({ state: 'hidden' })
  await expect.poll(() => page.url()).not.toContain('feed=')
})

test('a double click on a symbol opens its record and does not close it', async ({ openBoard }) => {
  const { page } = await openBoard()
  await page.getByRole('link', { name: 'AAPL' }).dblclick()
  await opened(page)
  expect(await isOpen(page)).toBe(true)
  expect(page.url()).toMatch(/\?feed=AAPL$/)
})

test.for([
  ['out of the record', true],
  ['into the record', false],
] as const)('a selection by dragging %s does not close it', async ([, isOut], { openBoard }) => {
  const { page } = await openBoard({ query: '?feed=AAPL' })
  await opened(page)
  const { x, y } = await boxOf(dialog(page).locator('pre').first())
  const [from, to] = isOut ? [x + 60, 20] : [20, x + 60]
  await page.mouse.move(from, y + 10)
  await page.mouse.down()
  await page.mouse.move(to, y + 10, { steps: 5 })
  await page.mouse.up()
  expect(await isOpen(page)).toBe(true)
})

test('a click beside a failure inside the record does not close it', async ({ openBoard }) => {
  const { page } = await openBoard({
    query: '?feed=AAPL',
    expected: failedRequest,
    prepare: page => page.clock.install(),
  })
  await opened(page)
  await page.route(recordPath, route => route.fulfill({ status: 502, body: '' }))
  await page.clock.fastForward(10_300)
  const words = dialog(page).locator('.failure')
  await words.getByText('HTTP 502').waitFor()
  const { x, y, width, height } = await boxOf(words)
  for (const [left, top] of [
    [x - 10, y + height / 2],
    [x + width + 10, y + height / 2],
    [x + width / 2, y + height + 8],
  ] as const) {
    await page.mouse.click(left, top)
    expect(await isOpen(page)).toBe(true)
  }
})

test('Enter on a button, after a press on the backdrop, does not close the record', async ({ openBoard }) => {
  const { page } = await openBoard({ query: '?feed=AAPL', permissions: ['clipboard-write'] })
  await opened(page)
  const { x, y } = await boxOf(dialog(page).locator('pre').first())
  await page.mouse.move(20, 300)
  await page.mouse.down()
  await page.mouse.move(x + 60, y + 10, { steps: 5 })
  await page.mouse.up()
  await page.getByRole('button', { name: 'Copy JSON' }).press('Enter')
  await page.getByText('JSON copied', { exact: true }).waitFor()
  expect(await isOpen(page)).toBe(true)
})

test('the page behind a record does not scroll', async ({ openBoard }) => {
  const { page } = await openBoard({ query: '?feed=AAPL' })
  await opened(page)
  await page.locator('tbody tr').first().waitFor({ state: 'attached' })
  await page.evaluate(`globalThis.turned = 0; addEventListener('wheel', () => { turned += 1 }, { passive: true })`)
  const content = dialog(page).locator('.content')
  const { x, y } = await boxOf(content)
  const isAtEnd = () => content.evaluate(one => one.scrollTop + one.clientHeight >= one.scrollHeight - 1)
  await page.mouse.move(x + 200, y + 200)
  await page.mouse.wheel(0, 5_000)
  await expect.poll(isAtEnd).toBe(true)
  for (const [index, [left, top]] of [
    [x + 200, y + 200],
    [x + 200, y - 20],
    [20, 300],
  ].entries()) {
    await page.mouse.move(Number(left), Number(top))
    await page.mouse.wheel(0, 500)
    await expect.poll(() => page.evaluate('turned')).toBeGreaterThan(index + 1)
  }
  // No event reports that a page does not scroll.
  await page.waitForTimeout(500)
  expect(await page.evaluate('scrollY')).toBe(0)
})
