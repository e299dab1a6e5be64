import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { changeAnswers, listPath, multiply } from './answers.ts'
import { failedRequest, feedCounts, rowOf, test } from './board.ts'
import { describeFocus, listTouched, noteTouched, removeMoveBefore } from './in-page.ts'

const listsAmong = (requests: readonly string[]) => requests.filter(path => path === '/price').length
const firstRow = (page: Page) => page.locator('tbody tr').first()

/** Records in `askedAt` when the page requests anything, on the page's clock. */
const recordRequests = `globalThis.askedAt = []
const request = fetch
globalThis.fetch = (...parameters) => {
  askedAt.push(Date.now())
  return request(...parameters)
}`

test('the list is requested when the cache has expired: once in ten seconds, each time a cache miss', async ({
  openBoard,
  deployment,
}) => {
  const caches: (string | undefined)[] = []
  const { page } = await openBoard({
    prepare: async page => {
      await page.clock.install()
      await page.clock.pauseAt(Date.now() + 60_000)
      await page.addInitScript({ content: recordRequests })
      page.on('response', response => {
        if (listPath.test(response.url())) caches.push(response.headers()['x-local-cache'])
      })
    },
  })
  await firstRow(page).waitFor()
  const pass = async (ms: number) => {
    deployment.advance(ms)
    await page.clock.fastForward(ms)
  }
  for (const count of [2, 3]) {
    await pass(5_000)
    await pass(3_500)
    expect(await page.evaluate('askedAt.length')).toBe(count - 1)
    await pass(2_000)
    await expect.poll(() => caches.length).toBe(count)
  }
  expect(caches).toEqual(['miss', 'miss', 'miss'])
  const [first = 0, second = 0, third = 0] = await page.evaluate<number[]>('askedAt')
  for (const passed of [second - first, third - second]) {
    expect(passed).toBeGreaterThan(9_500)
    expect(passed).toBeLessThan(12_000)
  }
})

test('sorting, searching and filtering cause no request', async ({ openBoard }) => {
  const { page, requests } = await openBoard()
  await firstRow(page).waitFor()
  for (const name of ['Price, USD', 'Age']) {
    await page.getByRole('columnheader', { name }).getByRole('button').click()
  }
  await page.getByLabel('Symbol').pressSequentially('aapl')
  await page.getByLabel('Show').selectOption('Served to a contract')
  await expect.poll(() => page.locator('#count').textContent()).toBe(`1 of ${feedCounts.mainnet} feeds`)
  expect(requests).toEqual(['/', '/price'])
})

test('the line above the table shows network, block and age', async ({ openBoard }) => {
  const { page } = await openBoard({ expected: failedRequest, prepare: page => page.clock.install() })
  await firstRow(page).waitFor()
  const line = page.locator('#freshness')
  expect(await line.textContent()).toMatch(/^Robinhood Chain, block 792420\d\d, read \d s ago$/)
  await page.context().setOffline(true)
  await page.clock.pauseAt(Date.now() + 2_000)
  const before = Number(/read (\d+) s/.exec((await line.textContent()) ?? '')?.[1])
  await page.clock.runFor(4_000)
  expect(await line.textContent()).toContain(`read ${before + 4} s ago`)
})

test('a hidden page requests nothing, and an overdue request is sent when it is visible again', async ({
  openBoard,
}) => {
  const { page, requests } = await openBoard({ prepare: page => page.clock.install() })
  await firstRow(page).waitFor()
  const show = (state: 'hidden' | 'visible') =>
    page.evaluate(`Object.defineProperty(document, 'visibilityState', { configurable: true, value: '${state}' })
      document.dispatchEvent(new Event('visibilitychange'))`)
  await show('hidden')
  await page.clock.runFor(60_000)
  expect(listsAmong(requests)).toBe(1)
  await show('visible')
  await expect.poll(() => listsAmong(requests)).toBe(2)
  await show('hidden')
  await show('visible')
  expect(listsAmong(requests)).toBe(2)
})

test.for([
  ['with moveBefore', ''],
  ['without', removeMoveBefore],
] as const)('the focus stays on its link when a refresh moves the row, %s', async ([, content], { openBoard }) => {
  let isFirst = true
  const { page } = await openBoard({
    query: '?sort=-price',
    prepare: async page => {
      await page.clock.install()
      await page.addInitScript({ content })
      await changeAnswers(page, listPath, text => {
        const changed = isFirst ? text : text.replace('"price":2.87', '"price":5000')
        isFirst = false
        return changed
      })
    },
  })
  const link = page.getByRole('link', { name: 'AMC' })
  await link.focus()
  await page.clock.fastForward(10_250)
  await expect.poll(() => page.locator('tbody th').first().textContent()).toBe('AMC')
  expect(await page.evaluate(describeFocus)).toBe('AMC')
  await page.keyboard.press('Tab')
  expect(await page.evaluate(describeFocus)).toBe('Stale')
})

test('of 200 feeds a refresh changes only the row that differs', async ({ openBoard }) => {
  let price = '1079.9'
  const { page } = await openBoard({
    prepare: async page => {
      await page.clock.install()
      await changeAnswers(page, listPath, text => multiply(text, 200).replace('"price":1079.9', `"price":${price}`))
    },
  })
  await expect.poll(() => page.locator('tbody tr').count()).toBe(200)
  expect(await page.locator('#count').textContent()).toBe('200 of 200 feeds')
  await page.evaluate(noteTouched)
  price = '1080.5'
  await page.clock.fastForward(10_250)
  await expect.poll(() => rowOf(page, 'F0').locator('.price').textContent()).toBe('1080.5')
  expect(await page.evaluate(listTouched)).toEqual(['F0'])
})

test('a selected text stays selected over a refresh', async ({ openBoard }) => {
  const { page, requests } = await openBoard({ prepare: page => page.clock.install() })
  await rowOf(page, 'CRWD').locator('.price .whole').dblclick()
  expect(await page.evaluate('getSelection().toString()')).toBe('1079.9')
  await page.clock.fastForward(10_250)
  await expect.poll(() => listsAmong(requests)).toBe(2)
  await page.locator('#freshness').getByText('read').waitFor()
  expect(await page.evaluate('getSelection().toString()')).toBe('1079.9')
})
