import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { atLength, changeAnswers, listPath, recordPath, shorter } from './answers.ts'
import { test } from './board.ts'
import { listClipped, listOverFailure, listTooWide, noteShifts, takeShifts } from './in-page.ts'

describe.for([
  ['a phone', 390, 844],
  ['the narrowest screen', 320, 640],
  ['a desktop at 200 %', 640, 360],
  ['a tablet', 820, 1180],
  ['a tablet, across', 1024, 768],
  ['a desktop', 1280, 720],
] as const)('on %s', ([, width, height]) => {
  const viewport = { width, height }

  test('nothing is cut off, and the page does not scroll sideways', async ({ openBoard }) => {
    for (const query of ['', '?network=testnet', '?search=nope']) {
      const { page } = await openBoard({ viewport, query })
      await page.locator('#count').getByText('feeds').waitFor()
      expect(await page.evaluate(listTooWide)).toEqual([])
      expect(await page.evaluate(listClipped)).toEqual([])
    }
  })

  test('nothing is cut off with the longest likely values', async ({ openBoard }) => {
    const { page } = await openBoard({ viewport, prepare: page => changeAnswers(page, listPath, atLength) })
    await page.locator('tbody tr').first().waitFor()
    expect(await page.evaluate(listTooWide)).toEqual([])
    expect(await page.evaluate(listClipped)).toEqual([])
  })

  test('nothing is cut off in a record', async ({ openBoard }) => {
    const prepare = (page: Page) => changeAnswers(page, recordPath, atLength)
    const { page } = await openBoard({ viewport, query: '?feed=AAPL', prepare })
    await page.getByText('cast call').first().waitFor()
    expect(await page.evaluate(listTooWide)).toEqual([])
    expect(await page.evaluate(listClipped)).toEqual([])
    const box = await page.getByRole('dialog').boundingBox()
    expect(box?.width).toBeLessThanOrEqual(width)
    expect(box?.height).toBeLessThanOrEqual(height)
  })

  test('a refresh moves nothing, though every status and every number changes', async ({ openBoard }) => {
    const changes = [shorter, atLength, shorter]
    const prepare = async (page: Page) => {
      await page.clock.install()
      await page.addInitScript({ content: noteShifts })
      await changeAnswers(page, listPath, text => (changes.shift() ?? shorter)(text))
    }
    const { page } = await openBoard({ viewport, prepare })
    await page.locator('tbody tr').first().waitFor()
    await page.screenshot()
    await page.evaluate(takeShifts)
    for (const price of ['99999.12345678', '271']) {
      await page.clock.fastForward(10_250)
      await expect.poll(() => page.locator('tbody .price').first().textContent()).toBe(price)
      await page.screenshot()
      expect(await page.evaluate(takeShifts)).toEqual([])
    }
  })

  test('neither a failure nor its end moves anything', async ({ openBoard }) => {
    let down = false
    const prepare = async (page: Page) => {
      await page.clock.install()
      await page.addInitScript({ content: noteShifts })
      await page.route(listPath, route => (down ? route.fulfill({ status: 502, body: '' }) : route.continue()))
    }
    const { page } = await openBoard({ viewport, prepare, expected: /Failed to load resource/ })
    await page.locator('tbody tr').first().waitFor()
    await page.screenshot()
    await page.evaluate(takeShifts)
    for (const next of [true, false]) {
      down = next
      await page.clock.fastForward(10_250)
      await page.locator('#failure').waitFor({ state: down ? 'visible' : 'hidden' })
      await page.screenshot()
      expect(await page.evaluate(takeShifts)).toEqual([])
      if (down) expect(await page.evaluate(listOverFailure)).toEqual([])
    }
  })

  test('a refresh of a record moves nothing', async ({ openBoard }) => {
    const prepare = async (page: Page) => {
      await page.clock.install()
      await page.addInitScript({ content: noteShifts })
    }
    const { page, requests } = await openBoard({ viewport, query: '?feed=IBM', prepare })
    await page.getByText('cast call').first().waitFor()
    await page.screenshot()
    await page.evaluate(takeShifts)
    for (const count of [2, 3]) {
      await page.clock.fastForward(10_250)
      await expect.poll(() => requests.filter(path => path === '/price/IBM')).toHaveLength(count)
      await page.screenshot()
      expect(await page.evaluate(takeShifts)).toEqual([])
    }
  })
})
