import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { changeAnswers, listPath, multiply } from './answers.ts'
import { rowOf, test } from './board.ts'
import { describeFocus, listTouched, noteTouched } from './in-page.ts'

const listsAmong = (requests: readonly string[]) => requests.filter(path => path === '/price').length
const firstRow = (page: Page) => page.locator('tbody tr').first()

test('it asks as often as there is something new: once in ten seconds, past the cache each time', async ({
  openBoard,
}) => {
  const answers: { cache: string | undefined; at: number }[] = []
  await openBoard({
    prepare: async page =>
      page.on('response', response => {
        if (listPath.test(response.url())) answers.push({ cache: response.headers()['x-local-cache'], at: Date.now() })
      }),
  })
  await expect.poll(() => answers.length, { timeout: 25_000 }).toBe(3)
  expect(answers.map(({ cache }) => cache)).toEqual(['miss', 'miss', 'miss'])
  const [first, second, third] = answers.map(({ at }) => at)
  for (const passed of [Number(second) - Number(first), Number(third) - Number(second)]) {
    expect(passed).toBeGreaterThan(9_500)
    expect(passed).toBeLessThan(12_000)
  }
})

test('whatever anyone does to the view, the API is asked no more for it', async ({ openBoard }) => {
  const { page, requests } = await openBoard()
  await firstRow(page).waitFor()
  for (const name of ['Price, USD', 'Age']) {
    await page.getByRole('columnheader', { name }).getByRole('button').click()
  }
  await page.getByLabel('Symbol').pressSequentially('aapl')
  await page.getByLabel('Show').selectOption('Served to a contract')
  await expect.poll(() => page.locator('#count').textContent()).toBe('1 of 21 feeds')
  expect(requests).toEqual(['/', '/price'])
})

test('it says how old what is seen is, and of which block', async ({ openBoard }) => {
  const { page } = await openBoard({ prepare: page => page.clock.install() })
  await firstRow(page).waitFor()
  const line = page.locator('#freshness')
  expect(await line.textContent()).toMatch(/^Robinhood Chain, block 792420\d\d, read \d s ago$/)
  await page.context().setOffline(true)
  await page.clock.pauseAt(Date.now() + 2_000)
  const before = Number(/read (\d+) s/.exec((await line.textContent()) ?? '')?.[1])
  await page.clock.runFor(4_000)
  expect(await line.textContent()).toContain(`read ${before + 4} s ago`)
})

test('nobody is asked while nobody looks, and at once when somebody does again', async ({ openBoard }) => {
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

test('the focus stays where it is over a refresh, even when the row goes elsewhere', async ({ openBoard }) => {
  let isFirst = true
  const { page } = await openBoard({
    query: '?sort=-price',
    prepare: async page => {
      await page.clock.install()
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

test('of two hundred feeds all are shown, and a refresh touches the one that changed', async ({ openBoard }) => {
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

test('a text that someone has selected stays selected over a refresh', async ({ openBoard }) => {
  const { page, requests } = await openBoard({ prepare: page => page.clock.install() })
  await rowOf(page, 'CRWD').locator('.price .whole').dblclick()
  expect(await page.evaluate('getSelection().toString()')).toBe('1079.9')
  await page.clock.fastForward(10_250)
  await expect.poll(() => listsAmong(requests)).toBe(2)
  await page.locator('#freshness').getByText('read').waitFor()
  expect(await page.evaluate('getSelection().toString()')).toBe('1079.9')
})
