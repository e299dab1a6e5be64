import { expect } from 'vitest'
import {
  closeFeed,
  countRequests,
  dialogOf,
  failedRequest,
  listed,
  nextRequest,
  opened,
  queryOf,
  refresh,
  settled,
  test,
  testnetSymbol,
} from '../support/browser/board.ts'
import { describeFocus } from '../support/browser/in-page.ts'
import { changeResponses, listPath } from '../support/browser/responses.ts'

test('an unknown feed is shown as such, is not requested again, and closes with the focus on the search', async ({
  openBoard,
}) => {
  const { page, requests } = await openBoard({ query: '?feed=NOPE', expected: failedRequest, movesClock: true })
  await dialogOf(page).getByRole('heading', { name: 'Unknown symbol' }).waitFor()
  await listed(page)
  await settled(page)
  expect(await page.title()).toBe('Unknown symbol · Price Lookup')
  expect(await dialogOf(page).locator('.failure').textContent()).toBe('The mainnet has no feed of that symbol.')
  await refresh(page)
  await refresh(page)
  expect(requests.filter(path => path === '/price/NOPE').length).toBeLessThanOrEqual(1)
  await closeFeed(page)
  expect(await queryOf(page)).toBe('')
  expect(await page.evaluate(describeFocus)).toBe('Search')
})

test('before the list is loaded, the API’s 404 makes a symbol unknown', async ({ openBoard }) => {
  const { page } = await openBoard({
    query: '?feed=NOPE',
    expected: failedRequest,
    movesClock: true,
    prepare: page => page.route(listPath, () => {}),
  })
  await dialogOf(page).getByRole('heading', { name: 'Unknown symbol' }).waitFor()
  await page.clock.fastForward(10_300)
  // The list, which has no response, and the record once.
  expect(await countRequests(page)).toBe(2)
})

test('an open unknown feed is shown when a later list contains it', async ({ openBoard }) => {
  let isListed = false
  const { page } = await openBoard({
    query: '?feed=IBM',
    movesClock: true,
    prepare: async page => {
      await page.route(/\/price\/IBM/, route => (isListed ? route.continue() : undefined))
      await changeResponses(page, listPath, text => (isListed ? text : text.replace('"IBM"', '"OTHER"')))
    },
  })
  await dialogOf(page).getByText('The mainnet has no feed of that symbol.').waitFor()
  isListed = true
  await nextRequest(page)
  await dialogOf(page).getByRole('heading', { name: 'IBM' }).waitFor()
  await opened(page)
})

test('a link leads to a symbol that only the other network has', async ({ openBoard }) => {
  const query = `?feed=${testnetSymbol.toLowerCase()}`
  const { page } = await openBoard({ query, expected: failedRequest })
  const dialog = dialogOf(page)
  await dialog.getByText(`The mainnet has no feed of ${testnetSymbol}.`).waitFor()
  await dialog.getByRole('link', { name: `See ${testnetSymbol} on Testnet` }).click()
  await opened(page)
  expect(await queryOf(page)).toBe(`?network=testnet&feed=${testnetSymbol}`)
  expect(await dialog.getByRole('heading', { level: 2 }).textContent()).toBe(testnetSymbol)
  await page.goBack()
  await dialog.getByText(`The mainnet has no feed of ${testnetSymbol}.`).waitFor()
  expect(await queryOf(page)).toBe(query)
})

test('a link leads to a similar symbol of the network', async ({ openBoard }) => {
  const { page } = await openBoard({ query: '?feed=ApPL', expected: failedRequest })
  const dialog = dialogOf(page)
  await dialog.getByText('The mainnet has no feed of that symbol.').waitFor()
  expect(await dialog.getByRole('link').allTextContents()).toEqual(['See AAPL'])
  await dialog.getByRole('link', { name: 'See AAPL' }).click()
  await opened(page)
  expect(await queryOf(page)).toBe('?feed=AAPL')
})

test('while the chain is down, a record names its symbol, then the failure', async ({ openBoard }) => {
  const { page } = await openBoard({
    query: '?feed=nflx',
    expected: failedRequest,
    prepare: page => page.route(/\/price/, route => route.fulfill({ status: 503, body: '' })),
  })
  const dialog = dialogOf(page)
  await dialog.getByText('HTTP 503').waitFor()
  expect(await dialog.getByRole('heading').textContent()).toBe('NFLX')
  const parts = dialog.locator('header, .failure, .content')
  expect(await parts.evaluateAll(all => all.map(element => element.className))).toEqual(['', 'failure', 'content'])
})
