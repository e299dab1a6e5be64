import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { formatAge } from '../../board/age.ts'
import { isUnreadable, parseExactly, type ShownList } from '../../board/price-answer.ts'
import { listPath } from './answers.ts'
import { failedRequest, rowOf, test } from './board.ts'

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
      const ages = await page.locator('tbody .age').allTextContents()
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
  await page.locator('tbody tr').first().waitFor()
  if (list === undefined) throw new Error('The list was not requested')
  await expectAges(page, list, 0)
  expect(await page.locator('#freshness').textContent()).toMatch(/read \d s ago$/)
  const observedAt = await rowOf(page, 'AAPL').locator('time').getAttribute('datetime')
  const age = (Date.now() - Date.parse(`${observedAt}`)) / 1_000
  await page.getByRole('link', { name: 'AAPL' }).click()
  await page.getByText('cast call').first().waitFor()
  const possible = [-3, -2, -1, 0, 1, 2, 3].map(off => `${observedAt} ${formatAge(age + off)} ago`)
  expect(possible).toContain(await page.locator('dd').filter({ hasText: ' ago' }).textContent())
  await page.route(/\/price/, route => route.abort())
  await page.clock.runFor(5_000)
  await expectAges(page, list, 5)
})

/** Returns by how many seconds the page understates the age of a response. */
async function findLag(page: Page, readAt: string): Promise<number> {
  const { text, now }: { text: string; now: number } = await page.evaluate(
    `({ text: document.querySelector('#freshness').textContent, now: Date.now() })`,
  )
  return (now - Date.parse(readAt)) / 1_000 - Number(/read (\d+) s ago$/.exec(text)?.[1])
}

test('a reopened board shows the true age, not that of a response in the browser’s cache', async ({
  openBoard,
  deployment,
}) => {
  const { page } = await openBoard()
  await page.locator('tbody tr').first().waitFor()
  // Within the ten seconds in which the browser may reuse a response: its cache has no clock that a test can move.
  await page.waitForTimeout(4_500)
  const answered = page.waitForResponse(listPath)
  await page.goto(`${deployment.baseUrl}/?sort=price`)
  const { readAt } = await (await answered).json()
  await page.locator('tbody tr').first().waitFor()
  // One second for the tick, one for the whole seconds of the Date header, and one for a busy machine.
  await expect.poll(() => findLag(page, readAt)).toBeLessThan(3)
})

test.for([
  ['7', 7],
  ['07', 7],
  ['-7', 0],
  ['seven', 0],
  ['7, 8', 0],
  ['99999999999', 0],
] as const)(
  'a shared cache with the header Age: %s has kept the response for %i seconds',
  async ([age, seconds], { openBoard }) => {
    const { page } = await openBoard({
      prepare: async page => {
        await page.clock.install()
        await page.route(listPath, async route => {
          const response = await route.fetch()
          const date = new Date(JSON.parse(await response.text()).readAt).toUTCString()
          await route.fulfill({ response, headers: { ...response.headers(), date, age } })
        })
        await page.clock.pauseAt(Date.now() + 60_000)
      },
    })
    await page.locator('tbody tr').first().waitFor()
    // The Date header has whole seconds.
    const possible = [seconds - 1, seconds].map(number => `read ${Math.max(0, number)} s ago`)
    expect(possible).toContain((await page.locator('#freshness').textContent())?.replace(/^.*, /, ''))
  },
)
