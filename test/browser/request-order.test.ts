import type { Route } from 'playwright-core'
import { expect } from 'vitest'
import {
  bannerOf,
  feedCounts,
  filterOf,
  listed,
  opened,
  queryOf,
  refresh,
  rowOf,
  settled,
  symbolsOf,
  test,
} from '../support/browser/board.ts'
import { listPath } from '../support/browser/responses.ts'

test('searching, filtering and sorting cause no request, neither before the first response nor after it', async ({
  openBoard,
}) => {
  const held = Promise.withResolvers<void>()
  const { page, requests } = await openBoard({
    movesClock: true,
    prepare: page => page.route(listPath, route => held.promise.then(() => route.continue())),
  })
  await page.getByLabel('Search').pressSequentially('apple')
  await filterOf(page, 'served').click()
  expect(requests).toEqual(['/', '/price'])
  held.resolve()
  await expect.poll(() => symbolsOf(page)).toEqual(['AAPL'])
  await page.getByRole('button', { name: 'Price, USD', exact: true }).click()
  await page.getByLabel('Search').fill('a')
  await filterOf(page, 'served').click()
  expect(await queryOf(page)).toBe('?search=a&sort=price')
  expect(requests).toEqual(['/', '/price'])
})

test('an older response never replaces a newer one', async ({ openBoard }) => {
  const held = Promise.withResolvers<void>()
  const sent = Promise.withResolvers<void>()
  let requestCount = 0
  const respond = async (route: Route) => {
    requestCount += 1
    const number = requestCount
    if (number === 1) await held.promise
    const response = await route.fetch()
    const body = (await response.text()).replace(/("symbol":"AAPL".*?"price":)[\d.]+/, `$1${number}.5`)
    // The page has aborted the first request.
    await route.fulfill({ response, body }).catch(() => {})
    if (number === 1) sent.resolve()
  }
  const { page } = await openBoard({ movesClock: true, prepare: page => page.route(/\/price$/, respond) })
  await expect.poll(() => requestCount).toBe(1)
  await page.getByText('Testnet').click()
  await expect.poll(() => symbolsOf(page)).toContain('labTSLA')
  await page.getByText('Mainnet').click()
  await expect.poll(() => rowOf(page, 'AAPL').locator('.price .digits').textContent()).toBe('2.50')
  held.resolve()
  await sent.promise
  await settled(page)
  expect(await rowOf(page, 'AAPL').locator('.price .digits').textContent()).toBe('2.50')
  expect(await bannerOf(page).textContent()).toBe('')
})

test('a change of the network removes the rows at once', async ({ openBoard }) => {
  const { page } = await openBoard()
  await listed(page)
  const held = Promise.withResolvers<void>()
  await page.route(/network=testnet/, route => held.promise.then(() => route.continue()))
  await page.getByText('Testnet').click()
  expect(await symbolsOf(page)).toEqual([])
  expect(await page.locator('#empty').textContent()).toBe('Reading the chain…')
  held.resolve()
  await expect.poll(() => symbolsOf(page)).toHaveLength(feedCounts.testnet)
  expect(await page.title()).toBe('Price Lookup · Testnet')
})

test('an error while a response is drawn does not stop the board', async ({ openBoard }) => {
  const { page } = await openBoard({ movesClock: true })
  await listed(page)
  await page.evaluate(`globalThis.sort = Array.prototype.toSorted
    Array.prototype.toSorted = () => { throw new Error('Not today') }`)
  await refresh(page)
  await page.evaluate('Array.prototype.toSorted = sort')
  await refresh(page)
  expect(await symbolsOf(page)).toHaveLength(feedCounts.mainnet)
})

test('the view changes although the browser refuses to change the URL', async ({ openBoard }) => {
  const { page } = await openBoard()
  await listed(page)
  await page.evaluate(
    `history.replaceState = history.pushState = () => { throw new DOMException('', 'SecurityError') }`,
  )
  await page.getByLabel('Search').fill('ibm')
  await expect.poll(() => symbolsOf(page)).toEqual(['IBM'])
  await page.getByRole('link', { name: 'IBM' }).click()
  await opened(page)
})
