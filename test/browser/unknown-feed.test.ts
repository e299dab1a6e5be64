import { expect } from 'vitest'
import { changeAnswers, listPath } from './answers.ts'
import { dialogOf, failedRequest, listed, nextRequest, opened, test } from './board.ts'
import { describeFocus } from './in-page.ts'

test.for([
  ['?feed=NOPE', 1],
  ['?network=testnet&feed=CRWD', 1],
  // A text that cannot be a symbol, and a path.
  [`?feed=${encodeURIComponent('<img src=x onerror=alert(1)>')}`, 0],
  ['?feed=..', 0],
] as const)(
  'an unknown feed, %s, is shown as such, is not requested again, and closes with the focus on the search',
  async ([query, maxRequests], { openBoard }) => {
    const { page, requests } = await openBoard({ query, expected: failedRequest, movesClock: true })
    const lists = () => requests.filter(path => listPath.test(path)).length
    await dialogOf(page).getByRole('heading', { name: 'Unknown symbol' }).waitFor()
    await listed(page)
    await expect.poll(() => page.title()).toMatch(/^Unknown symbol · Price Lookup/)
    expect(await dialogOf(page).locator('.failure').textContent()).toBe('This network has no feed of that symbol.')
    const before = lists()
    await page.clock.fastForward(65_000)
    await expect.poll(lists).toBeGreaterThan(before)
    const [, ...others] = requests.filter(path => !listPath.test(path))
    expect(others.length).toBeLessThanOrEqual(maxRequests)
    await page.keyboard.press('Escape')
    await dialogOf(page).waitFor({ state: 'hidden' })
    await expect.poll(() => page.url()).not.toContain('feed=')
    await listed(page)
    await expect.poll(() => page.evaluate(describeFocus)).toBe('search')
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
  await nextRequest(page)
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
      await changeAnswers(page, listPath, text => (isListed ? text : text.replace('"IBM"', '"OTHER"')))
    },
  })
  await dialogOf(page).getByRole('heading', { name: 'Unknown symbol' }).waitFor()
  isListed = true
  await nextRequest(page)
  await dialogOf(page).getByRole('heading', { name: 'IBM' }).waitFor()
  await opened(page)
})

test.for([
  ['that both networks have', '?feed=nflx', 'NFLX', 'NFLX', 1],
  ['that only the other has', '?feed=LABtsla', 'Unknown symbol', 'labTSLA', 0],
] as const)('a link leads to a symbol %s', async ([, query, heading, symbol, linksBack], { openBoard }) => {
  const { page, requests } = await openBoard({ query, expected: failedRequest })
  await dialogOf(page).getByRole('heading', { name: heading }).waitFor()
  const before = page.url()
  await dialogOf(page)
    .getByRole('link', { name: `See ${symbol} on Testnet` })
    .click()
  await opened(page)
  expect(new URL(page.url()).searchParams.get('network')).toBe('testnet')
  expect(await dialogOf(page).getByRole('heading', { level: 2 }).textContent()).toBe(symbol)
  // The list of the other network was read already, for the link.
  expect(await dialogOf(page).getByRole('link', { name: 'See' }).count()).toBe(linksBack)
  await page.goBack()
  await expect.poll(() => page.url()).toBe(before)
  await dialogOf(page).getByRole('heading', { name: heading }).waitFor()
  expect(requests.filter(path => /\/price\?network=testnet$/.test(path)).length).toBeLessThan(3)
})
