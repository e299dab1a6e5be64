import type { Locator } from 'playwright-core'
import { expect } from 'vitest'
import { dialogOf, listed, opened, queryOf, test } from '../support/browser/board.ts'
import { nextFrames } from '../support/browser/in-page.ts'

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
  await dialogOf(page).waitFor({ state: 'hidden' })
  await expect.poll(() => queryOf(page)).not.toContain('feed')
})

test('a double click on a symbol opens its record and does not close it', async ({ openBoard }) => {
  const { page } = await openBoard()
  await page.getByRole('link', { name: 'AAPL' }).dblclick()
  await opened(page)
  expect(await dialogOf(page).isVisible()).toBe(true)
  expect(await queryOf(page)).toMatch(/\?feed=AAPL$/)
})

test('dragging a selection out of a record or into it does not close it, nor does Enter on a button then', async ({
  openBoard,
}) => {
  const { page } = await openBoard({ query: '?feed=AAPL', movesClock: true })
  await opened(page)
  const { x, y } = await boxOf(dialogOf(page).locator('pre').first())
  for (const [from, to] of [
    [x + 60, 20],
    [20, x + 60],
  ] as const) {
    await page.mouse.move(from, y + 10)
    await page.mouse.down()
    await page.mouse.move(to, y + 10, { steps: 5 })
    await page.mouse.up()
    expect(await dialogOf(page).isVisible()).toBe(true)
  }
  await page.getByRole('button', { name: 'Copy curl line' }).press('Enter')
  await page.getByText('curl line copied', { exact: true }).waitFor()
  expect(await dialogOf(page).isVisible()).toBe(true)
})

test('the page behind a record does not scroll', async ({ openBoard }) => {
  const { page } = await openBoard({ query: '?feed=AAPL' })
  await opened(page)
  await listed(page)
  await page.evaluate(`globalThis.turned = 0; addEventListener('wheel', () => { turned += 1 }, { passive: true })`)
  const content = dialogOf(page).locator('.content')
  const { x, y } = await boxOf(content)
  const isAtEnd = () =>
    content.evaluate(element => element.scrollTop + element.clientHeight >= element.scrollHeight - 1)
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
  // No event reports that a page does not scroll. One that scrolls has begun to after two frames.
  await page.evaluate(nextFrames)
  expect(await page.evaluate('scrollY')).toBe(0)
})
