import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { countRequests, listed, refresh, rowOf, settled, test } from '../support/browser/board.ts'

/** Sets the wall clock, and leaves the monotonic one and the timers. */
const setBack = (page: Page, ms: number) =>
  page.evaluate(`(() => {
    const now = Date.now
    Date.now = () => now() - ${ms}
  })()`)

/** Hides or shows the page. */
const setVisibility = (page: Page, state: 'hidden' | 'visible') =>
  page.evaluate(`Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))`)

test.for([
  ['back by 100 ms', 100],
  ['back by an hour', 3_600_000],
  ['forward by an hour', -3_600_000],
] as const)('a wall clock that is set %s ends no refresh', async ([, ms], { openBoard }) => {
  const { page } = await openBoard({ movesClock: true })
  await listed(page)
  await settled(page)
  await setBack(page, ms)
  await refresh(page)
  await refresh(page)
})

test('after the wall clock was set back, the time since the read still grows', async ({ openBoard }) => {
  const { page } = await openBoard({ movesClock: true })
  await listed(page)
  await page.route(/\/price/, () => {})
  await setBack(page, 3_600_000)
  await page.clock.runFor(9_000)
  await page.getByText(/read (9|1\d) s ago/).waitFor()
})

test('after the machine slept, the time since the read is that of the wall clock', async ({ openBoard }) => {
  const { page } = await openBoard({ movesClock: true })
  await listed(page)
  await page.route(/\/price/, () => {})
  await setBack(page, -7_200_000)
  await page.clock.runFor(1_000)
  await page.getByText(/read 2 h/).waitFor()
})

test('a hidden page requests nothing, and requests at once when it is visible again', async ({ openBoard }) => {
  const { page } = await openBoard({ movesClock: true })
  await listed(page)
  await settled(page)
  const before = await countRequests(page)
  await setVisibility(page, 'hidden')
  await page.clock.runFor(60_000)
  expect(await countRequests(page)).toBe(before)
  await setVisibility(page, 'visible')
  expect(await countRequests(page)).toBe(before + 1)
})

test('a page that was hidden while the clock was set back, or while the machine slept, requests when it is due', async ({
  openBoard,
}) => {
  const { page } = await openBoard({ movesClock: true })
  await listed(page)
  await settled(page)
  const before = await countRequests(page)
  await setVisibility(page, 'hidden')
  await page.clock.runFor(11_000)
  await setBack(page, 3_600_000)
  await setVisibility(page, 'visible')
  expect(await countRequests(page)).toBe(before + 1)
  await settled(page)
  await setVisibility(page, 'hidden')
  await setBack(page, -3_600_000)
  await setVisibility(page, 'visible')
  expect(await countRequests(page)).toBe(before + 2)
})

test('ages follow the clock of the service, not that of a machine that is an hour off', async ({ openBoard }) => {
  const { page } = await openBoard({
    prepare: page => page.addInitScript('const now = Date.now; Date.now = () => now() + 3_600_000'),
  })
  await listed(page)
  await page.getByText(/read \d\d? s ago/).waitFor()
  expect(await rowOf(page, 'AAPL').locator('.age').textContent()).toMatch(/^\d+ (s|min)/)
})
