import { expect } from 'vitest'
import {
  dialogOf,
  failedRequest,
  listed,
  nextRequest,
  opened,
  queryOf,
  test,
  testnetSymbol,
} from '../support/browser/board.ts'
import { describeFocus } from '../support/browser/in-page.ts'
import { changeResponses, listPath } from '../support/browser/responses.ts'

test.for([
  ['?feed=NOPE', 'Unknown symbol', 'The mainnet has no feed of that symbol.', 1],
  ['?network=testnet&feed=CRWD', 'CRWD', 'The testnet has no feed of CRWD.', 1],
  // A text that cannot be a symbol.
  [
    `?feed=${encodeURIComponent('<img src=x onerror=alert(1)>')}`,
    'Unknown symbol',
    'The mainnet has no feed of that symbol.',
    0,
  ],
] as const)(
  'an unknown feed, %s, is shown as such, is not requested again, and closes with the focus on the search',
  async ([query, heading, words, maxRequests], { openBoard }) => {
    const { page, requests } = await openBoard({ query, expected: failedRequest, movesClock: true })
    const lists = () => requests.filter(path => listPath.test(path)).length
    await dialogOf(page).getByRole('heading', { name: heading }).waitFor()
    await listed(page)
    await expect.poll(() => page.title()).toContain(`${heading} · Price Lookup`)
    await expect.poll(() => dialogOf(page).locator('.failure').textContent()).toBe(words)
    const before = lists()
    await page.clock.fastForward(65_000)
    await expect.poll(lists).toBeGreaterThan(before)
    const [, ...others] = requests.filter(path => !listPath.test(path))
    expect(others.length).toBeLessThanOrEqual(maxRequests)
    await page.keyboard.press('Escape')
    await dialogOf(page).waitFor({ state: 'hidden' })
    await expect.poll(() => queryOf(page)).not.toContain('feed')
    await listed(page)
    await expect.poll(() => page.evaluate(describeFocus)).toBe('Search')
  },
)

test('before the list is loaded, the API’s 404 makes a symbol unknown', async ({ openBoard }) => {
  const { page, requests } = await openBoard({
    query: '?feed=NOPE',
    expected: failedRequest,
    movesClock: true,
    prepare: page =>
      page.route(listPath, route => (route.request().url().endsWith('/price') ? undefined : route.continue())),
  })
  await dialogOf(page).getByRole('heading', { name: 'Unknown symbol' }).waitFor()
  await page.clock.fastForward(10_300)
  expect(requests.filter(path => path === '/price/NOPE')).toHaveLength(1)
})

test('a symbol in another case opens the feed under its own symbol', async ({ openBoard }) => {
  const { page } = await openBoard({ query: '?feed=crwd' })
  await dialogOf(page).getByRole('heading', { name: 'CRWD', exact: true }).waitFor()
  await expect.poll(() => page.title()).toBe('CRWD · Price Lookup')
  await opened(page)
  await page.getByRole('link', { name: 'CRWD', includeHidden: true }).waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => page.evaluate(describeFocus)).toBe('CRWD')
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

test.for([
  ['that both networks have', '?feed=nflx', 'NFLX', 'NFLX', 1],
  ['that only the other has', `?feed=${testnetSymbol.toLowerCase()}`, testnetSymbol, testnetSymbol, 0],
] as const)('a link leads to a symbol %s', async ([, query, heading, symbol, linksBack], { openBoard }) => {
  const { page } = await openBoard({ query, expected: failedRequest })
  await dialogOf(page).getByRole('heading', { name: heading }).waitFor()
  const before = page.url()
  await dialogOf(page)
    .getByRole('link', { name: `See ${symbol} on Testnet` })
    .click()
  await opened(page)
  expect(new URL(page.url()).searchParams.get('network')).toBe('testnet')
  expect(await dialogOf(page).getByRole('heading', { level: 2 }).textContent()).toBe(symbol)
  expect(await dialogOf(page).getByRole('link', { name: 'See' }).count()).toBe(linksBack)
  await page.goBack()
  await expect.poll(() => page.url()).toBe(before)
  await dialogOf(page).getByRole('heading', { name: heading }).waitFor()
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
  const tops = ['h2', '.failure', 'a'].map(part => dialog.locator(part).first().boundingBox())
  const [heading, failure, link] = (await Promise.all(tops)).map(box => Number(box?.y))
  expect(Number(failure)).toBeGreaterThan(Number(heading))
  expect(Number(link)).toBeGreaterThan(Number(failure))
})
