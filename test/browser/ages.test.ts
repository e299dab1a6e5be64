import type { Route } from 'playwright-core'
import { expect } from 'vitest'
import {
  isUnreadable,
  parseExactly,
  type ShownEntry,
  type ShownList,
  type ShownRecord,
} from '../../board/price-response.ts'
import { formatAge } from '../../board/shown-number.ts'
import { listed, opened, refresh, test } from '../support/browser/board.ts'
import { listPath } from '../support/browser/responses.ts'

/** When the chain was read, and the service's clock three seconds later. */
const readAt = '2026-10-03T22:30:00.000Z'
const clocks = { date: 'Sat, 03 Oct 2026 22:30:03 GMT', expires: 'Sat, 03 Oct 2026 22:30:10 GMT' }

/** Sets these clocks in a response. */
async function fulfillAt(route: Route, age?: string): Promise<string> {
  const response = await route.fetch()
  const body = (await response.text()).replaceAll(/("readAt":")[^"]+/g, `$1${readAt}`)
  await route.fulfill({ response, headers: { ...response.headers(), ...clocks, ...(age && { age }) }, body })
  return body
}

/** Returns the text of an age some seconds after the chain was read. */
const toAge = (entry: ShownEntry, seconds: number) =>
  isUnreadable(entry) || entry.ageSeconds === null ? '–' : formatAge(entry.ageSeconds + seconds)

test.for([
  ['slow', '2026-10-03T20:30:00Z'],
  ['fast', '2026-10-04T00:30:00Z'],
] as const)(
  'with a clock that is two hours %s, every age is from the chain and counts up',
  async ([, now], { openBoard }) => {
    const bodies: string[] = []
    const { page } = await openBoard({
      movesClock: true,
      prepare: async page => {
        await page.clock.setSystemTime(now)
        await page.route(/\/price/, async route => bodies.push(await fulfillAt(route)))
      },
    })
    await listed(page)
    await page.getByRole('link', { name: 'AAPL' }).click()
    await opened(page)
    const list = parseExactly(`${bodies[0]}`) as ShownList
    const record = parseExactly(`${bodies[1]}`) as ShownRecord
    for (const seconds of [3, 8]) {
      const ages = list.feeds.map(entry => toAge(entry, seconds))
      expect(await page.locator('#rows .age').allTextContents()).toEqual(ages)
      expect(await page.locator('#freshness').textContent()).toContain(`read ${seconds} s ago`)
      expect(await page.locator('.hero').getByText(/ old$/).textContent()).toBe(`${toAge(record, seconds)} old`)
      await page.clock.runFor(5_000)
    }
  },
)

test('a reopened board requests the list again: a response in the browser’s cache has an old Date header', async ({
  openBoard,
  deployment,
}) => {
  const ids: (string | undefined)[] = []
  const { page } = await openBoard({
    prepare: async page => {
      page.on('response', response => {
        if (listPath.test(response.url())) ids.push(response.headers()['x-amzn-requestid'])
      })
    },
  })
  await listed(page)
  await page.goto(`${deployment.baseUrl}/?sort=price`)
  await listed(page)
  await expect.poll(() => ids).toHaveLength(2)
  expect(new Set(ids).size).toBe(2)
})

test('a shared cache states by the header Age for how many seconds it has kept a response', async ({ openBoard }) => {
  let age = ''
  const { page } = await openBoard({
    movesClock: true,
    prepare: async page => {
      await page.route(listPath, async route => void (await fulfillAt(route, age)))
    },
  })
  await listed(page)
  for (const [header, seconds] of [
    ['7', 10],
    ['-7', 3],
    ['99999999999', 3],
  ] as const) {
    age = header
    await refresh(page)
    expect(await page.locator('#freshness').textContent(), header).toContain(`read ${seconds} s ago`)
  }
})
