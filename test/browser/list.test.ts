import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import {
  countRequests,
  dialogOf,
  listed,
  opened,
  queryOf,
  refresh,
  rowOf,
  settled,
  summaryOf,
  symbolsOf,
  test,
  unreadableSymbol,
} from '../support/browser/board.ts'
import { changeLists, listFive, localRpcUrls, markAsLocal, refuseAll } from '../support/browser/responses.ts'

// AAPL stale at 3 USD, AMC at 0.5, AVGO without data, BA unreadable, CCL at 2 with a closed market and a multiplier of
// 4.
const five = { prepare: listFive }
/** The sentence about what the search and the filter keep. */
const resultOf = (page: Page) => page.locator('main section').getByRole('status')

test('the summary counts the verdicts, each of which has its reason, and is red unless it is served', async ({
  openBoard,
}) => {
  const { page } = await openBoard(five)
  await listed(page)
  expect(await summaryOf(page).textContent()).toBe('2 of 5 feeds would serve a lending market now, 1 unreadable')
  expect(await page.locator('tbody td.served').allTextContents()).toEqual([
    '✕not served: stale',
    '✓served',
    '✕not served: no data',
    '!unreadable',
    '✓served, market closed',
  ])
  const colours = `Array.from(document.querySelectorAll('tbody td.served'), cell => getComputedStyle(cell).color)`
  const [red, grey] = ['rgb(179, 34, 26)', 'rgb(91, 98, 108)']
  expect(await page.evaluate(colours)).toEqual([red, grey, red, red, grey])
})

test('what a feed is, what it prices, in which unit and whose it is, is text', async ({ openBoard }) => {
  const { page } = await openBoard({ query: '?network=testnet' })
  await listed(page)
  expect(await page.locator('p.soft').allTextContents()).toEqual([
    'A feed is a contract on Robinhood Chain Testnet that reports the price of a tokenized stock. Served: a ' +
      'lending market that asks the feed gets this price. For inspection only: the feeds are unaudited, and a ' +
      'protocol must read them on-chain. These tokens are for tests.',
    expect.stringMatching(/^Block \d+, read /),
    'On Robinhood Chain Testnet, these feeds are those of Slate, which calls its feeds unaudited (4 October 2026).',
  ])
  await page.getByRole('columnheader', { name: 'USD per token' }).waitFor()
})

test('a price is for reading, before the shares of a token', async ({ openBoard }) => {
  const { page } = await openBoard(five)
  await listed(page)
  expect(await page.locator('tbody .price').allTextContents()).toEqual([
    '3.00 ',
    '0.5000 ',
    'none ',
    'none ',
    '2.00 for 4 shares',
  ])
})

test('the filter and the search combine, in rows, counts and URL', async ({ openBoard }) => {
  const { page, requests } = await openBoard({ ...five, movesClock: true })
  await listed(page)
  const labels = () => page.locator('.tools .choice label').allTextContents()
  expect(await labels()).toEqual(['All 5', 'Served 2', 'Not served or unreadable 3'])
  await page.getByLabel('Search').fill('a')
  expect(await labels()).toEqual(['All 4', 'Served 1', 'Not served or unreadable 3'])
  await page.locator('label', { hasText: /^Served 1$/ }).click()
  expect(await symbolsOf(page)).toEqual(['AMC'])
  await page.locator('label', { hasText: 'Not served or unreadable 3' }).click()
  expect(await symbolsOf(page)).toEqual(['AAPL', 'AVGO', 'BA'])
  expect(await queryOf(page)).toBe('?search=a&show=not-served')
  expect(await resultOf(page).textContent()).toBe('Results: 3')
  expect(requests).toHaveLength(2)
})

test.for([
  ['mainnet', '?search=labtsla', 'testnet', '?network=testnet&search=labtsla#not-on-mainnet'],
  ['testnet', '?network=testnet&search=no+such+feed', 'mainnet', '?search=no+such+feed#not-on-testnet'],
] as const)(
  'a search without a match on the %s links to the search alone on the other network',
  async ([network, query, other, otherQuery], { openBoard, deployment }) => {
    const { page } = await openBoard({ query: `${query}&show=served&sort=-age` })
    expect(await resultOf(page).textContent()).toBe(`No feed matches on the ${network}. Look on the ${other}`)
    const link = resultOf(page).getByRole('link', { name: `Look on the ${other}` })
    expect(await link.getAttribute('href')).toBe(`${deployment.baseUrl}/${otherQuery}`)
  },
)

test('the link of a search without a match leads to the feed, with the focus in the search', async ({ openBoard }) => {
  const { page } = await openBoard()
  await page.getByLabel('Search').fill('LABTSLA')
  await page.getByRole('link', { name: 'Look on the testnet' }).click()
  await rowOf(page, 'labTSLA').waitFor()
  expect(await symbolsOf(page)).toEqual(['labTSLA'])
  await expect.poll(() => page.evaluate('document.activeElement.type')).toBe('search')
})

test('a search without a match on both networks is not sent back, until it changes', async ({ openBoard }) => {
  const { page } = await openBoard({ query: '?search=none' })
  await page.getByRole('link', { name: 'Look on the testnet' }).click()
  await page.getByText('No feed matches on the testnet.').waitFor()
  expect(await resultOf(page).getByRole('link').count()).toBe(0)
  await page.getByLabel('Search').fill('none of them')
  expect(await resultOf(page).getByRole('link', { name: 'Look on the mainnet' }).count()).toBe(1)
})

test('where the filter alone leaves no row, no link leads to another network', async ({ openBoard }) => {
  const { page } = await openBoard({ ...five, query: '?search=boeing&show=served' })
  expect(await resultOf(page).textContent()).toBe('No feed matches.')
  expect(await resultOf(page).getByRole('link').count()).toBe(0)
})

test('a search without a match requests nothing', async ({ openBoard }) => {
  const { page } = await openBoard({ movesClock: true })
  await settled(page)
  const before = await countRequests(page)
  await page.getByLabel('Search').fill('labtsla')
  await page.getByRole('link', { name: 'Look on the testnet' }).waitFor()
  // Less than the time to the next request of the list.
  await page.clock.runFor(4_000)
  expect(await countRequests(page)).toBe(before)
  // The next request of the list is counted.
  await refresh(page)
  expect(await countRequests(page)).toBeGreaterThan(before)
})

test('a header sorts the rows, and reverses them when it is pressed again', async ({ openBoard }) => {
  const { page } = await openBoard(five)
  const sort = (name: string) => page.getByRole('button', { name }).click()
  await sort('USD per token')
  expect(await symbolsOf(page)).toEqual(['AMC', 'CCL', 'AAPL', 'AVGO', 'BA'])
  await sort('USD per token')
  expect(await symbolsOf(page)).toEqual(['AAPL', 'CCL', 'AMC', 'AVGO', 'BA'])
  await sort('Lending market')
  expect(await symbolsOf(page)).toEqual(['AMC', 'CCL', 'AAPL', 'AVGO', 'BA'])
  expect(await queryOf(page)).toBe('?sort=served')
})

test('a row that is moved keeps the focus, also in a browser without moveBefore', async ({ openBoard }) => {
  const { page } = await openBoard({ prepare: page => page.addInitScript('delete Element.prototype.moveBefore') })
  await rowOf(page, 'AAPL').locator('a').focus()
  await page.evaluate('document.querySelector("th.price button").click()')
  expect(await page.evaluate('document.activeElement.dataset.feed')).toBe('AAPL')
})

test('after a refresh in which the filter hides the focused row, the focus is in the search', async ({ openBoard }) => {
  const { page } = await openBoard({ query: '?show=served', movesClock: true })
  await settled(page)
  await rowOf(page, 'CRWD').locator('a').focus()
  await refuseAll(page)
  await refresh(page)
  expect(await rowOf(page, 'CRWD').count()).toBe(0)
  expect(await page.evaluate('document.activeElement.type')).toBe('search')
})

test('a local run is named by one note, with the change that it makes, and by the header and the commands of a record', async ({
  openBoard,
}) => {
  const { page } = await openBoard({ query: '?feed=AAPL', prepare: markAsLocal })
  await opened(page)
  expect(await dialogOf(page).locator('pre').textContent()).toMatch(new RegExp(` --rpc-url ${localRpcUrls.mainnet}$`))
  expect(await page.getByText(/invented/i).allTextContents()).toEqual([
    'Invented prices on a local chain. The status of SHOP changes every 17\xA0s.',
    'Apple · Robinhood Chain · invented',
  ])
  const explorer = page.getByRole('link', { name: 'Explorer' })
  expect(await explorer.allTextContents()).toEqual(Array(2).fill('Explorer (the real contract)'))
})

test('on a local chain of the testnet, no feed changes its status', async ({ openBoard }) => {
  const { page } = await openBoard({
    query: '?network=testnet',
    prepare: markAsLocal,
  })
  expect(await page.getByRole('note').textContent()).toBe('Invented prices on a local chain.')
})

test('the commands of a record of the local testnet have its URL', async ({ openBoard }) => {
  const { page } = await openBoard({
    query: '?network=testnet&feed=labTSLA',
    prepare: markAsLocal,
  })
  await opened(page)
  expect(await dialogOf(page).locator('pre').textContent()).toMatch(new RegExp(` --rpc-url ${localRpcUrls.testnet}$`))
})

test('a saved copy keeps its prices and the time of their reading, and requests nothing', async ({ openBoard }) => {
  const { page, requests } = await openBoard({ movesClock: true })
  await listed(page)
  const [saved, text] = [await page.content(), await page.locator('main').textContent()]
  await page.route('**/saved', route => route.fulfill({ contentType: 'text/html', body: saved }))
  await page.goto(new URL('saved', page.url()).href)
  await page.clock.runFor(11_000)
  expect(await page.locator('main').allTextContents()).toEqual([text])
  expect(requests.slice(requests.indexOf('/saved') + 1)).toEqual([])
})

test('a change of the network removes the list of the former network at once', async ({ openBoard }) => {
  const { page } = await openBoard({ movesClock: true, prepare: page => page.route(/network=testnet$/, () => {}) })
  await listed(page)
  await page.getByText('Testnet').click()
  expect(await summaryOf(page).textContent()).toBe('Reading Robinhood Chain Testnet…')
  expect(await symbolsOf(page)).toEqual([])
})

test('the back button returns from another network', async ({ openBoard }) => {
  const { page } = await openBoard()
  await page.getByText('Testnet').click()
  await rowOf(page, 'labTSLA').waitFor()
  await page.goBack()
  await rowOf(page, 'AAPL').waitFor()
  expect(await queryOf(page)).toBe('')
})

test('the title of the tab names the open feed and the network', async ({ openBoard }) => {
  const { page } = await openBoard()
  await listed(page)
  expect(await page.title()).toBe('mainnet · Price Lookup')
  await rowOf(page, 'CRWD').locator('a').click()
  expect(await page.title()).toBe('CRWD · mainnet · Price Lookup')
  await page.goBack()
  await page.getByText('Testnet').click()
  await rowOf(page, 'TSLA').locator('a').click()
  expect(await page.title()).toBe('TSLA · testnet · Price Lookup')
})

test('on a chain that makes no blocks while it is idle, the feeds serve at the block', async ({ openBoard }) => {
  const { page } = await openBoard({ query: '?network=testnet' })
  await listed(page)
  expect(await summaryOf(page).textContent()).toMatch(
    /^\d+ of \d+ feeds would serve a lending market at the latest block$/,
  )
})

test('an unknown network is stated without a request', async ({ openBoard }) => {
  const { page, requests } = await openBoard({ query: '?network=moon&feed=AAPL' })
  await page.getByText('No network has this name').waitFor()
  expect(await dialogOf(page).count()).toBe(0)
  expect(requests).toHaveLength(1)
})

test('before the first response there are no rows', async ({ openBoard }) => {
  const { page } = await openBoard({ movesClock: true, prepare: page => page.route(/\/price/, () => {}) })
  await page.getByText('Reading Robinhood Chain…').waitFor()
  expect(await page.getByRole('row').count()).toBe(0)
})

test('a readable row has one line at 1280 pixels, where 21 fit into the window, and at 320 two, or three with shares', async ({
  openBoard,
}) => {
  const { page } = await openBoard({ prepare: markAsLocal })
  await listed(page)
  const heights = () =>
    page.evaluate<number[]>(`Array.from(document.querySelectorAll('tbody tr'))
      .filter(row => !row.textContent.includes('unreadable')).map(row => row.offsetHeight)`)
  await page.setViewportSize({ width: 1280, height: 900 })
  expect(Math.max(...(await heights()))).toBeLessThanOrEqual(33)
  const bottom = await page.evaluate('document.querySelectorAll("tbody tr")[20].getBoundingClientRect().bottom')
  expect(bottom).toBeLessThan(900)
  await page.setViewportSize({ width: 320, height: 800 })
  const rows = await heights()
  const withShares = page.locator('tbody .shares').filter({ hasText: 'shares' })
  expect(rows.filter(height => height > 60)).toHaveLength(await withShares.count())
  expect(Math.max(...rows)).toBeLessThanOrEqual(77)
})

test('at 760 pixels an unreadable feed, and a multiplier beside a price below 1 USD, have one line', async ({
  openBoard,
}) => {
  const { page } = await openBoard({
    viewport: { width: 760, height: 900 },
    prepare: page => changeLists(page, text => text.replace(/"price":[\d.]+/, '"price":0.5')),
  })
  await listed(page)
  for (const symbol of [unreadableSymbol, 'NFLX'])
    expect((await rowOf(page, symbol).boundingBox())?.height).toBeLessThanOrEqual(33)
})

/** Lists the rectangles of all elements that have a fixed place, while texts in them or beside them change. */
const listRectangles = `[...document.querySelectorAll('header *, main > *, .tools > *, tr, th, td')]
  .map(element => element.tagName + ' ' + JSON.stringify(element.getBoundingClientRect()))`

test('a refresh moves nothing', async ({ openBoard }) => {
  const { page } = await openBoard({ movesClock: true, viewport: { width: 390, height: 800 } })
  await listed(page)
  const before = await page.evaluate(listRectangles)
  await refresh(page)
  expect(await page.evaluate(listRectangles)).toEqual(before)
})
