import { expect } from 'vitest'
import { feedCounts, listed, queryOf, refresh, rowOf, summaryOf, symbolsOf, test } from '../support/browser/board.ts'
import { listMisfits } from '../support/browser/in-page.ts'
import { listFive, markAsLocal } from '../support/browser/responses.ts'

// AAPL stale at 3 USD, AMC at 1, AVGO without data, BA unreadable, CCL at 2 with a closed market.
const five = { prepare: listFive }

test('the verdict stands first, with its reason, and the unreadable feed is counted by itself', async ({
  openBoard,
}) => {
  const { page } = await openBoard(five)
  await listed(page)
  expect(await summaryOf(page).textContent()).toBe('2 of 5 feeds would serve a lending market now, 1 is unreadable')
  const cells = await page.locator('tbody td.served').allTextContents()
  expect(cells).toEqual([
    '✕not served: stale',
    '✓served',
    '✕not served: no data',
    '!unreadable: no contract is at its address',
    '✓served, market closed',
  ])
})

test('a price is read with two decimals, and has every digit in its title', async ({ openBoard }) => {
  const { page } = await openBoard()
  await listed(page)
  const price = rowOf(page, 'AAPL').locator('.amount')
  expect(await price.textContent()).toBe('271.85')
  expect(await price.getAttribute('title')).toBe('271.84930217 USD')
  expect(await rowOf(page, 'CRWD').locator('.price').textContent()).toBe('× 4 1,079.90')
})

test('the filter combines with the search, which sets its counts; both are in the URL', async ({ openBoard }) => {
  const { page, requests } = await openBoard({ ...five, movesClock: true })
  await listed(page)
  const labels = () => page.locator('.tools .choice label').allTextContents()
  expect(await labels()).toEqual(['All 5', 'Served 2', 'Not served or unreadable 3'])
  await page.getByLabel('Search').fill('a')
  expect(await labels()).toEqual(['All 4', 'Served 1', 'Not served or unreadable 3'])
  await page.getByText('Served 1', { exact: true }).click()
  expect(await symbolsOf(page)).toEqual(['AMC'])
  await page.getByText('Not served or unreadable 3').click()
  expect(await symbolsOf(page)).toEqual(['AAPL', 'AVGO', 'BA'])
  expect(await queryOf(page)).toBe('?search=a&show=not-served')
  await page.getByLabel('Search').fill('zzz')
  await page.getByText('No feed matches.').waitFor()
  expect(requests).toHaveLength(2)
})

test('each header sorts, a second press reverses, and the URL keeps the order', async ({ openBoard }) => {
  const { page } = await openBoard(five)
  await listed(page)
  const sort = (name: string) => page.getByRole('button', { name }).click()
  await sort('Price, USD')
  expect(await symbolsOf(page)).toEqual(['AMC', 'CCL', 'AAPL', 'AVGO', 'BA'])
  await sort('Price, USD')
  expect(await symbolsOf(page)).toEqual(['AAPL', 'CCL', 'AMC', 'AVGO', 'BA'])
  await sort('A contract is')
  expect(await symbolsOf(page)).toEqual(['AMC', 'CCL', 'AAPL', 'AVGO', 'BA'])
  expect(await queryOf(page)).toBe('?sort=served')
})

test('Copy table copies the shown rows, and a local run marks its values', async ({ openBoard }) => {
  const { page } = await openBoard({
    query: '?search=apple',
    prepare: page => markAsLocal(page, 'mainnet', 'http://127.0.0.1:8545'),
  })
  await page.getByRole('button', { name: 'Copy table' }).click()
  await page.getByText('Copied', { exact: true }).waitFor()
  const rows = (await page.evaluate<string>('navigator.clipboard.readText()')).split('\n')
  expect(rows).toHaveLength(2)
  expect(rows[1]).toMatch(/^AAPL\tApple\tOK\ttrue\t271\.84930217\t271\.69550076\t1\.000566080061092436\t.*\tinvented$/)
})

test('a local run is marked by one note', async ({ openBoard }) => {
  const { page } = await openBoard({
    query: '?feed=AAPL',
    prepare: page => markAsLocal(page, 'mainnet', 'http://127.0.0.1:8545'),
  })
  await page.getByText('--rpc-url http://127.0.0.1:8545').waitFor()
  expect(await page.getByText(/invented/i).count()).toBe(1)
})

test('another network has its own rows, and the back button returns', async ({ openBoard }) => {
  const { page } = await openBoard()
  await listed(page)
  await page.getByText('Testnet').click()
  await rowOf(page, 'labTSLA').waitFor()
  expect(await symbolsOf(page)).toHaveLength(feedCounts.testnet)
  await page.goBack()
  await rowOf(page, 'AAPL').waitFor()
  expect(await queryOf(page)).toBe('')
})

test('on a chain that makes no blocks while it is idle, the feeds serve at the block', async ({ openBoard }) => {
  const { page } = await openBoard({ query: '?network=testnet' })
  await listed(page)
  expect(await summaryOf(page).textContent()).toMatch(/^\d of 6 feeds would serve a lending market at this block$/)
})

test('an unknown network is stated, and nothing is requested', async ({ openBoard }) => {
  const { page, requests } = await openBoard({ query: '?network=moon' })
  await page.getByText('names a network that does not exist').waitFor()
  expect(requests).toHaveLength(1)
})

test('before the first response there are no rows', async ({ openBoard }) => {
  const { page } = await openBoard({ prepare: page => page.route(/\/price/, () => {}) })
  await page.getByText('Reading Robinhood Chain…').waitFor()
  expect(await page.getByRole('row').count()).toBe(0)
})

test.for([320, 390, 760, 768, 1280, 1920])(
  'at %i pixels nothing is cut, with every record',
  async (width, { openBoard }) => {
    const { page } = await openBoard({ viewport: { width, height: 900 }, query: '?feed=JNJ' })
    await page.getByText('Check it on-chain').waitFor()
    expect(await page.evaluate(listMisfits)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
  },
)

test('at 1280 pixels a row is one line, and 21 feeds fit into 900 pixels with the header', async ({ openBoard }) => {
  const { page } = await openBoard({ viewport: { width: 1280, height: 900 } })
  await listed(page)
  const heights = await page.evaluate<number[]>(
    'Array.from(document.querySelectorAll("tbody tr"), row => row.offsetHeight)',
  )
  expect(Math.max(...heights)).toBeLessThanOrEqual(33)
  const bottom = await page.evaluate('document.querySelector("tbody").getBoundingClientRect().bottom')
  expect(bottom).toBeLessThanOrEqual(900)
})

test('a refresh moves nothing', async ({ openBoard }) => {
  const { page } = await openBoard({ movesClock: true })
  await listed(page)
  await page.evaluate(`globalThis.shifts = []
    new PerformanceObserver(list => { shifts.push(...list.getEntries().flatMap(entry => entry.sources.map(({ node }) => node.parentNode?.outerHTML?.slice(0, 200)))) }).observe({ type: 'layout-shift' })`)
  await refresh(page)
  expect(await page.evaluate('shifts')).toEqual([])
})
