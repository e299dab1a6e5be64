import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { formatAge } from '../../board/age.ts'
import { isUnreadable, parseExactly, type ShownList } from '../../board/exact-json.ts'
import { rowOf, test } from './board.ts'

const hourMs = 3_600_000

/** The ages of the answer's feeds so many seconds after it came, give or take the seconds that a test itself takes. */
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
] as const)('with a clock that is %s, every age is the chain’s, and counts up', async ([, offMs], { openBoard }) => {
  let list: ShownList | undefined
  const { page } = await openBoard({
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
  if (list === undefined) throw new Error('Nobody asked for the list')
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
