import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { isUnreadable, parseExactly, type ShownList } from '../../board/price-response.ts'
import { formatAge } from '../../board/shown-number.ts'
import { failedRequest, listed, nextRequest, opened, rowOf, test } from '../support/browser/board.ts'
import { listPath } from '../support/browser/responses.ts'

const hourMs = 3_600_000

/** Returns the possible texts of each age, some seconds after the response, with a tolerance for the test's own duration. */
function toAges({ feeds, readAt }: ShownList, secondsLater: number): string[][] {
  const sinceRead = (Date.now() - Date.parse(readAt)) / 1_000 + secondsLater
  return feeds.map(entry => {
    const age = isUnreadable(entry) ? null : entry.ageSeconds
    return age === null ? ['–'] : [-2, -1, 0, 1, 2].map(off => formatAge(age + sinceRead + off))
  })
}

async function expectAges(page: Page, list: ShownList, secondsLater: number): Promise<void> {
  await expect
    .poll(async () => {
      const ages = await page.locator('#rows .age').allTextContents()
      return toAges(list, secondsLater).flatMap((possible, index) =>
        possible.includes(`${ages[index]}`) ? [] : [`${ages[index]} is none of ${possible}`],
      )
    })
    .toEqual([])
}

test.for([
  ['right', 0],
  ['two hours slow', -2 * hourMs],
  ['two hours fast', 2 * hourMs],
] as const)('with a clock that is %s, every age is from the chain and counts up', async ([, offMs], { openBoard }) => {
  let list: ShownList | undefined
  const { page } = await openBoard({
    expected: failedRequest,
    prepare: async page => {
      await page.clock.install({ time: Date.now() + offMs })
      await page.route(/\/price$/, async route => {
        const response = await route.fetch()
        list = parseExactly(await response.text()) as ShownList
        await route.fulfill({ response })
      })
    },
  })
  await listed(page)
  if (list === undefined) throw new Error('The list was not requested')
  await expectAges(page, list, 0)
  expect(await page.locator('#freshness').textContent()).toMatch(/read \d s ago$/)
  const observedAt = await rowOf(page, 'AAPL').locator('time').getAttribute('datetime')
  await page.getByRole('link', { name: 'AAPL' }).click()
  await opened(page)
  const isAgeRight = async () => {
    const shown = await page.locator('.hero').getByText(/ old$/).textContent()
    const age = (Date.now() - Date.parse(`${observedAt}`)) / 1_000
    return [-3, -2, -1, 0, 1, 2, 3].some(off => shown === `${formatAge(age + off)} old`)
  }
  await expect.poll(isAgeRight).toBe(true)
  await page.route(/\/price/, route => route.abort())
  await page.clock.runFor(5_000)
  await expectAges(page, list, 5)
})

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
      await page.route(listPath, async route => {
        const response = await route.fetch()
        const date = new Date(JSON.parse(await response.text()).readAt).toUTCString()
        await route.fulfill({ response, headers: { ...response.headers(), date, age } })
      })
    },
  })
  await listed(page)
  for (const [header, seconds] of [
    ['7', 7],
    ['07', 7],
    ['-7', 0],
    ['seven', 0],
    ['7, 8', 0],
    ['99999999999', 0],
  ] as const) {
    age = header
    await nextRequest(page)
    // The Date header has whole seconds.
    const shown = new RegExp(`read (${Math.max(0, seconds - 1)}|${seconds}) s ago$`)
    await expect.poll(() => page.locator('#freshness').textContent(), { message: header }).toMatch(shown)
  }
})
