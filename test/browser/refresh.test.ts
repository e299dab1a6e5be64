import { expect } from 'vitest'
import { countRequests, listed, refresh, rowOf, settled, symbolsOf, test } from '../support/browser/board.ts'
import { describeFocus, removeMoveBefore } from '../support/browser/in-page.ts'
import { changeResponses, listPath } from '../support/browser/responses.ts'

test('the list is requested when the cache has expired: once in ten seconds, each time a cache miss', async ({
  openBoard,
  deployment,
}) => {
  const caches: (string | undefined)[] = []
  const { page } = await openBoard({
    movesClock: true,
    prepare: async page => {
      page.on('response', response => {
        if (listPath.test(response.url())) caches.push(response.headers()['x-local-cache'])
      })
    },
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
  ['without', removeMoveBefore],
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

test('a new price is tinted in its direction, unless motion is reduced, beside its change since the opening', async ({
  openBoard,
}) => {
  let price = '100'
  const { page } = await openBoard({
    movesClock: true,
    prepare: page =>
      changeResponses(page, listPath, text => text.replace(/("symbol":"AAPL".*?"price":)[\d.]+/, `$1${price}`)),
  })
  const digits = rowOf(page, 'AAPL').locator('.price .digits')
  const look = async () => [
    await rowOf(page, 'AAPL').locator('.change').textContent(),
    await digits.getAttribute('data-movement'),
    await digits.evaluate(one => one.computedStyleMap().get('animation-name')?.toString()),
  ]
  await digits.getByText('100').waitFor()
  expect(await look()).toEqual(['', null, 'none'])
  for (const [next, change, movement, reducedMotion] of [
    ['102.5', '+2.50 %', 'up', 'no-preference'],
    ['99', '−1.00 %', 'down', 'no-preference'],
    ['100', '', 'up', 'reduce'],
  ] as const) {
    await page.emulateMedia({ reducedMotion })
    price = next
    await refresh(page)
    expect(await digits.textContent()).toBe(next)
    expect(await look()).toEqual([change, movement, reducedMotion === 'reduce' ? 'none' : 'tint'])
  }
})
