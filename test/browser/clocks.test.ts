import type { Page } from 'playwright-core'
import { expect, vi } from 'vitest'
import { startServer } from '../../local/server.ts'
import type { Service } from '../../local/service.ts'
import {
  countRequests,
  dialogOf,
  listed,
  refresh,
  rowOf,
  settled,
  setVisibility,
  summaryOf,
  test,
} from '../support/browser/board.ts'
import { addHeaders, listPath } from '../support/browser/responses.ts'

/** Sets the wall clock, and leaves the monotonic one and the timers. */
const setBack = (page: Page, ms: number) =>
  page.evaluate(`(() => {
    const now = Date.now
    Date.now = () => now() - ${ms}
  })()`)

test('a wall clock that is set back or forward ends no refresh', async ({ openBoard }) => {
  const { page } = await openBoard({ movesClock: true })
  for (const ms of [100, 3_600_000, -7_200_000]) {
    await settled(page)
    await setBack(page, ms)
    await refresh(page)
    await refresh(page)
  }
})

test('after the machine slept, the page is in the past tense, until a response', async ({ openBoard }) => {
  const { page } = await openBoard({ movesClock: true, query: '?feed=CCL' })
  await settled(page)
  const held = Promise.withResolvers<void>()
  await page.route(listPath, route => held.promise.then(() => route.continue()))
  await setBack(page, -7_200_000)
  await page.clock.runFor(1_000)
  await page.locator('main').getByText('2 h ago', { exact: true }).waitFor()
  expect(await summaryOf(page).textContent()).toMatch(/^When last read, .* would have served/)
  await dialogOf(page).getByText('was served').waitFor()
  held.resolve()
  await settled(page)
  expect(await summaryOf(page).textContent()).toMatch(/ now/)
  await dialogOf(page).getByText('served', { exact: true }).waitFor()
})

test('a hidden page requests nothing until it is visible, also if the clock was set back or the machine slept', async ({
  openBoard,
}) => {
  const { page } = await openBoard({ movesClock: true })
  await settled(page)
  const before = await countRequests(page)
  await setVisibility(page, 'hidden')
  await setVisibility(page, 'visible')
  expect(await countRequests(page)).toBe(before)
  await setVisibility(page, 'hidden')
  await page.clock.runFor(60_000)
  await setBack(page, 3_600_000)
  expect(await countRequests(page)).toBe(before)
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
  await page.getByText(/^\d\d? s ago$/).waitFor()
  expect(await rowOf(page, 'AAPL').locator('.age').textContent()).toMatch(/^\d+ (s|min)/)
})

test('every time is UTC, and that of the list is when its block was read', async ({ openBoard }) => {
  const { page } = await openBoard({ query: '?feed=AAPL', movesClock: true, timezoneId: 'America/New_York' })
  await settled(page)
  const { readAt, block } = JSON.parse(await page.evaluate("fetch('price').then(response => response.text())"))
  const [, time] = /T(.*)\./.exec(readAt) ?? []
  const text = await page.locator('main > p').nth(1).textContent()
  expect(text).toMatch(new RegExp(`Block ${block}, read \\d+ \\w+ \\d{4}, ${time} UTC, \\d+ s ago$`))
  const times = (await page.locator('body').textContent())?.match(/\d\d:\d\d:\d\d( UTC)?/g)
  expect(times).toHaveLength(3)
  expect(times?.filter(found => !found.endsWith(' UTC'))).toEqual([])
})

test.for([
  ['for a minute is in the present tense', '60', /^\d+ of \d+ feeds would serve a lending market now, /],
  ['for a second more is in the past tense', '61', /^When last read, \d+ of \d+ feeds would have served /],
] as const)('a reading that a cache kept %s', async ([, age, tense], { openBoard }) => {
  const prepare = (page: Page) => addHeaders(page, ({ readAt }) => ({ date: readAt, age }))
  const { page } = await openBoard({ movesClock: true, prepare })
  await settled(page)
  await listed(page)
  expect(await summaryOf(page).textContent()).toMatch(tense)
})

test('the cache of the browser, which may keep a list for longer, returns none to the board', async ({
  openBoard,
  deployment,
}) => {
  const invoke = vi.fn<Service['invoke']>(async (...request) => {
    const response = await deployment.invoke(...request)
    return { ...response, headers: { ...response.headers, Expires: 'Tue, 20 Nov 2099 21:56:43 GMT' } }
  })
  await using started = new AsyncDisposableStack()
  const server = await startServer({ chains: {}, invoke, host: '127.0.0.1', port: 0 })
  started.defer(server.stop)
  const { page } = await openBoard({ movesClock: true })
  for (const lists of [1, 2]) {
    await page.goto(`${server.baseUrl}/`)
    await listed(page)
    expect(invoke).toHaveBeenCalledTimes(lists)
    deployment.advance(10_000)
  }
  // A request as browsers make it by default stores the list, and the next one gets it.
  for (const _ of [1, 2]) {
    await page.evaluate("fetch('price').then(response => response.text())")
    expect(invoke).toHaveBeenCalledTimes(3)
    deployment.advance(10_000)
  }
})

test.for([
  ['that a cache kept for an hour', 10_000, () => ({ age: '3600' })],
  [
    'with a Date that is 9 seconds ahead',
    5_000,
    ({ readAt }: { readAt: string }) => ({ date: new Date(Date.parse(readAt) + 9_000).toUTCString() }),
  ],
] as const)(
  'a response %s is followed by the next after %i ms and at most a second',
  async ([, ms, toHeaders], { openBoard }) => {
    const { page } = await openBoard({ movesClock: true })
    await settled(page)
    await addHeaders(page, toHeaders)
    await refresh(page)
    const before = await countRequests(page)
    await page.clock.runFor(ms)
    expect(await countRequests(page)).toBe(before)
    await page.clock.runFor(1_250)
    expect(await countRequests(page)).toBe(before + 1)
  },
)
