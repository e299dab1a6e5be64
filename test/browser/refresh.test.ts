import { expect } from 'vitest'
import { formatPrice } from '../../pages/board/shown-number.ts'
import { countRequests, listed, refresh, rowOf, settled, styleOf, symbolsOf, test } from '../support/browser/board.ts'
import { describeFocus } from '../support/browser/in-page.ts'
import { changeResponses, listPath } from '../support/browser/responses.ts'

test('the list is requested when the cache has expired: once in ten seconds, each time a cache miss', async ({
  openBoard,
  deployment,
}) => {
  const caches: (string | undefined)[] = []
  const { page } = await openBoard({
    movesClock: true,
    prepare: page =>
      page.route(listPath, async route => {
        const response = await route.fetch()
        const headers = response.headers()
        caches.push(headers['x-local-cache'])
        // As if the response had taken no time.
        const { readAt } = await response.json()
        await route.fulfill({ response, headers: { ...headers, date: new Date(readAt).toUTCString() } })
      }),
  })
  await listed(page)
  const pass = async (ms: number) => {
    deployment.advance(ms)
    await page.clock.fastForward(ms)
  }
  for (const count of [2, 3]) {
    await pass(5_000)
    await pass(3_500)
    expect(await countRequests(page)).toBe(count - 1)
    await pass(2_000)
    expect(await countRequests(page)).toBe(count)
    await settled(page)
  }
  expect(caches).toEqual(['miss', 'miss', 'miss'])
})

test('a hidden page requests nothing, and an overdue request is sent when it is visible again', async ({
  openBoard,
}) => {
  const { page } = await openBoard({ movesClock: true })
  await listed(page)
  const show = (state: 'hidden' | 'visible') =>
    page.evaluate(`Object.defineProperty(document, 'visibilityState', { configurable: true, value: '${state}' })
      document.dispatchEvent(new Event('visibilitychange'))`)
  await show('hidden')
  await page.clock.fastForward(60_000)
  expect(await countRequests(page)).toBe(1)
  await show('visible')
  expect(await countRequests(page)).toBe(2)
  await settled(page)
  await show('hidden')
  await show('visible')
  expect(await countRequests(page)).toBe(2)
})

test.for([
  ['with moveBefore', ''],
  // As in Safari: there an element that moves is removed and inserted again.
  ['without', 'delete Element.prototype.moveBefore'],
] as const)('the focus stays on its link when a refresh moves the row, %s', async ([, content], { openBoard }) => {
  let price = '2.87'
  const { page } = await openBoard({
    query: '?sort=-price',
    movesClock: true,
    prepare: async page => {
      await page.addInitScript({ content })
      await changeResponses(page, listPath, text => text.replace('"price":2.87', `"price":${price}`))
    },
  })
  await page.getByRole('link', { name: 'AMC' }).focus()
  price = '99999'
  await refresh(page)
  expect((await symbolsOf(page))[0]).toBe('AMC')
  expect(await page.evaluate(describeFocus)).toBe('AMC')
  await page.keyboard.press('Tab')
  expect(await page.evaluate(describeFocus)).not.toBe('AMC')
})

test('a new price is tinted in its direction, unless motion is reduced, with its change since the first read', async ({
  openBoard,
}) => {
  let price = '100'
  const { page } = await openBoard({
    movesClock: true,
    timezoneId: 'Asia/Kolkata',
    prepare: async page => {
      await page.clock.setSystemTime('2026-10-03T01:13:59Z')
      await changeResponses(page, listPath, text => text.replace(/("symbol":"AAPL".*?"price":)[\d.]+/, `$1${price}`))
    },
  })
  const digits = rowOf(page, 'AAPL').locator('.price .digits')
  const change = rowOf(page, 'AAPL').locator('.change')
  const look = async () => [
    await change.textContent(),
    await change.getAttribute('data-movement'),
    await digits.getAttribute('data-movement'),
    await styleOf(digits, 'animation-name'),
  ]
  await digits.getByText('100').waitFor()
  expect(await look()).toEqual(['', null, null, 'none'])
  expect(await page.getByRole('columnheader', { name: 'Price, USD % since 06:43' }).isVisible()).toBe(true)
  for (const [next, text, sign, movement, reducedMotion] of [
    ['102.5', '+2.50 % since 06:43', 'up', 'up', 'no-preference'],
    ['99', '−1.00 % since 06:43', 'down', 'down', 'no-preference'],
    ['99.999', '0.00 % since 06:43', null, 'up', 'no-preference'],
    ['100', '', null, 'up', 'reduce'],
  ] as const) {
    await page.emulateMedia({ reducedMotion })
    price = next
    await refresh(page)
    expect(await digits.textContent()).toBe(formatPrice(next))
    expect(await look()).toEqual([text, sign, movement, reducedMotion === 'reduce' ? 'none' : 'tint'])
  }
})
