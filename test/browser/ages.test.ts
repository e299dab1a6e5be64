import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { toListText } from '../support/board/real-list.ts'
import { listed, opened, refresh, test } from '../support/browser/board.ts'
import { listPath } from '../support/browser/responses.ts'

/** A list that was read three seconds before the service's clock. */
const readAt = '2026-10-03T22:30:00.000Z'
const observedAt = Date.parse(readAt) / 1_000 - 60
const list = toListText({ observedAt }, 'no data', 'unreadable').replaceAll(/("readAt":")[^"]+/g, `$1${readAt}`)
const headers = { date: 'Sat, 03 Oct 2026 22:30:03 GMT', expires: 'Sat, 03 Oct 2026 22:30:10 GMT' }

/** Sends the list, and its first entry as the record. */
async function fulfill(page: Page, getAge = () => ''): Promise<void> {
  await page.route(listPath, route => route.fulfill({ body: list, headers: { ...headers, age: getAge() } }))
  const record = JSON.stringify(JSON.parse(list).feeds[0])
  await page.route(/\/price\/AAPL/, route => route.fulfill({ body: record, headers }))
}

test.for([
  [
    'slow',
    '2026-10-03T20:30:00Z',
    'Asia/Kolkata',
    ['4 Oct 2026, 03:59:00 GMT+5:30', '3 Oct 2026, 22:29:00 UTC'],
    ['4 Oct 2026, 04:00:00 GMT+5:30', '3 Oct 2026, 22:30:00 UTC'],
  ],
  ['fast', '2026-10-04T00:30:00Z', 'UTC', ['3 Oct 2026, 22:29:00 UTC'], ['3 Oct 2026, 22:30:00 UTC']],
] as const)(
  'with a clock that is two hours %s, every age is from the chain and counts up, beside the local time and UTC',
  async ([, now, timezoneId, observed, read], { openBoard }) => {
    const { page } = await openBoard({
      query: '?feed=AAPL',
      timezoneId,
      movesClock: true,
      prepare: async page => {
        await page.clock.setSystemTime(now)
        await fulfill(page)
      },
    })
    await listed(page)
    await opened(page)
    for (const seconds of [3, 8]) {
      expect(await page.locator('#rows .age').allTextContents()).toEqual([`1 min ${seconds} s`, '–', '–'])
      expect(await page.locator('#freshness').textContent()).toContain(`read ${seconds} s ago`)
      const times = await page.locator('dialog time > span').allTextContents()
      expect(times).toEqual([...observed, `1 min ${seconds} s ago`, ...read, `${seconds} s ago`])
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
    prepare: page => fulfill(page, () => age),
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
