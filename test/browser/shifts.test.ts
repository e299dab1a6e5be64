import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { bannerOf, failedRequest, listed, nextRequest, opened, refresh, test } from '../support/browser/board.ts'
import { atLength, listPath, shorter } from '../support/browser/responses.ts'

/** Records every layout shift since the page's start in `shifts`. */
const noteShifts = `
globalThis.shifts = []
const describe = ({ node, previousRect, currentRect }) =>
  [node?.parentElement?.tagName, node?.nodeName, node?.className, node?.textContent?.slice(0, 30),
    [previousRect.x, previousRect.y, '→', currentRect.x, currentRect.y].join(' ')].join(' | ')
globalThis.shiftObserver = new PerformanceObserver(list => noteAll(list.getEntries()))
const noteAll = entries => entries.forEach(({ sources }) => shifts.push(...sources.map(describe)))
shiftObserver.observe({ type: 'layout-shift', buffered: true })
globalThis.takeShifts = () => {
  noteAll(shiftObserver.takeRecords())
  return shifts.splice(0)
}`

/** Lists the layout shifts since the last call. */
const takeShifts = 'takeShifts()'

/** Lists the elements that cover the failure banner. */
const listOverFailure = `(() => {
  const { left, top, width, height } = document.querySelector('main > .failure').getBoundingClientRect()
  const parts = [0.1, 0.3, 0.5, 0.7, 0.9]
  const findAt = (across, down) => document.elementFromPoint(left + across * width, top + down * height)
  return parts.flatMap(across => parts.map(down => findAt(across, down)))
    .filter(element => element.closest('main > .failure') === null).map(element => element.outerHTML)
})()`

/** Expects that nothing has moved since the last call. */
async function expectNoShifts(page: Page): Promise<void> {
  // Draws a frame. Animation frames follow the page's clock.
  await page.screenshot()
  expect(await page.evaluate(takeShifts)).toEqual([])
}

test.for([
  ['a phone', 390, 844],
  ['the narrowest screen', 320, 640],
  ['a desktop at 200 %', 640, 360],
  ['a tablet', 820, 1180],
  ['a tablet, across', 1024, 768],
  ['a desktop', 1280, 720],
] as const)(
  'on %s nothing moves: with new statuses and numbers, when a refresh fails or works again, and in a record',
  async ([, width, height], { openBoard }) => {
    let change: ((text: string) => string) | 'failure' = shorter
    const { page, requests } = await openBoard({
      viewport: { width, height },
      expected: failedRequest,
      movesClock: true,
      prepare: async page => {
        await page.addInitScript({ content: noteShifts })
        await page.route(listPath, async route => {
          if (change === 'failure') return route.fulfill({ status: 502, body: '' })
          const response = await route.fetch()
          return route.fulfill({ response, body: change(await response.text()) })
        })
      },
    })
    await listed(page)
    await page.screenshot()
    await page.evaluate(takeShifts)
    for (const [next, price] of [
      [atLength, '99999.12345678'],
      [shorter, '271.00'],
    ] as const) {
      change = next
      await nextRequest(page)
      await expect.poll(() => page.locator('#rows .price .digits').first().textContent()).toBe(price)
      await expectNoShifts(page)
    }
    change = 'failure'
    await nextRequest(page)
    await bannerOf(page).waitFor()
    await expectNoShifts(page)
    expect(await page.evaluate(listOverFailure)).toEqual([])
    change = shorter
    await nextRequest(page)
    await bannerOf(page).waitFor({ state: 'hidden' })
    await expectNoShifts(page)

    await page.getByRole('link', { name: 'IBM' }).click()
    await opened(page)
    await page.screenshot()
    await page.evaluate(takeShifts)
    for (const count of [2, 3]) {
      await refresh(page)
      expect(requests.filter(path => path === '/price/IBM')).toHaveLength(count)
      await expectNoShifts(page)
    }
  },
)
