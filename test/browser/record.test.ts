import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { networkFacts } from '../../api/networks.ts'
import { toCastLines } from '../../pages/board/commands.ts'
import { parseExactly, type ShownRecord } from '../../pages/board/price-response.ts'
import { dialogOf, feedCounts, queryOf, refresh, rowOf, test } from '../support/browser/board.ts'
import { changeResponses } from '../support/browser/responses.ts'

/** Returns the value of a fact. */
const fact = (page: Page, name: string) =>
  dialogOf(page)
    .locator('dl > div')
    .filter({ has: page.getByText(name, { exact: true }) })
    .locator('dd')

/** Opens a record. Returns the response that it shows. */
async function openRecord(page: Page, symbol: string): Promise<{ text: string; record: ShownRecord }> {
  const arrived = page.waitForResponse(response => response.url().includes(`/price/${symbol}`))
  await page.getByRole('link', { name: symbol, exact: true }).click()
  const text = await (await arrived).text()
  await dialogOf(page).getByText('The record').waitFor()
  return { text, record: parseExactly(text) as ShownRecord }
}

test('a record shows how the price is computed, with every digit, and of latestRoundData() only what is known', async ({
  openBoard,
}) => {
  const { page } = await openBoard()
  const { text, record } = await openRecord(page, 'AAPL')
  const hero = dialogOf(page).locator('.hero')
  expect(await hero.textContent()).toMatch(/^271\.84930217 USD.*A contract gets this price.* old$/)
  expect(await fact(page, 'Per token').textContent()).toBe(
    '271.69550076 USD per share × 1.000566080061092436 ≈ 271.84930217 USD per token' +
      'The product is 0.43 × 10⁻⁸ USD lower, because the feed rounds. The price is the feed’s own.',
  )
  const rows = page.locator('.comparison tr')
  expect(await rows.evaluateAll(all => all.map(row => [...row.children].map(cell => cell.textContent)))).toEqual([
    ['', 'latestDetail()', 'latestRoundData()'],
    ['answer', '27184930217', '= 27184930217'],
    ['observedAt', `${record.observedAt}`, 'not compared'],
    ['status', 'OK', 'not returned'],
    ['sharePrice', '271.69550076', 'not returned'],
    ['multiplier', '1.000566080061092436', 'not returned'],
  ])
  expect(await fact(page, 'Answer on-chain').textContent()).toBe('27184930217 ÷ 10⁸')
  expect(await fact(page, 'Observed').textContent()).toBe(record.observedAtIso)
  expect(await fact(page, 'Read').textContent()).toBe(`${record.readAt}, block ${record.block}`)
  expect(await queryOf(page)).toBe('?feed=AAPL')
  expect(await page.title()).toBe('AAPL · Price Lookup')
  const json = (await dialogOf(page).locator('pre').last().textContent()) ?? ''
  expect(json.replaceAll(/\n */g, '').replaceAll('": ', '":')).toBe(text)
})

test('addresses link to the explorer; a copy button copies its text, or selects it if copying is forbidden', async ({
  openBoard,
}) => {
  const { page } = await openBoard({ permissions: ['clipboard-read', 'clipboard-write'], movesClock: true })
  const { record } = await openRecord(page, 'CRWD')
  for (const [name, address, url] of [
    ['Feed', record.feed, record.explorer.feed],
    ['Token', record.token, record.explorer.token],
  ] as const) {
    expect(await fact(page, name).locator('code').textContent()).toBe(address)
    expect(await fact(page, name).getByRole('link', { name: 'Explorer' }).getAttribute('href')).toBe(url)
  }
  for (const copyable of await dialogOf(page).locator('.copyable').all()) {
    await copyable.getByRole('button').click()
    await copyable.getByText('Copied', { exact: true }).waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
      await copyable.locator('code, pre').textContent(),
    )
  }
  await page.evaluate('navigator.clipboard.writeText = () => Promise.reject(new Error())')
  await fact(page, 'Feed').getByRole('button').click()
  await fact(page, 'Feed').getByText('Selected', { exact: true }).waitFor()
  expect(await page.evaluate('getSelection().toString()')).toBe(record.feed)
})

test('a local chain is marked and its URL is in the cast lines; a deployment’s chain is not marked (D28)', async ({
  openBoard,
}) => {
  const rpcUrl = 'http://127.0.0.1:8545'
  const { page } = await openBoard({ query: '?network=testnet' })
  const mark = page.getByRole('note')
  const expectCastLines = async (expectedUrl: string) => {
    const { record } = await openRecord(page, 'TSLA')
    const lines = await dialogOf(page).locator('pre').allTextContents()
    expect(lines.slice(1, 3)).toEqual(toCastLines(record, expectedUrl))
    await page.keyboard.press('Escape')
  }
  await expectCastLines(networkFacts.testnet.rpcUrl)
  expect(await mark.count()).toBe(0)
  await page.route(/\/price/, async route => {
    const response = await route.fetch()
    await route.fulfill({ response, headers: { ...response.headers(), 'x-local-chains': `testnet=${rpcUrl}` } })
  })
  await page.reload()
  expect(await mark.textContent()).toMatch(/^Stand-in data\. Invented prices on a local chain\./)
  await expectCastLines(rpcUrl)
  await page.getByText('Mainnet', { exact: true }).click()
  await page.getByText(`${feedCounts.mainnet} feeds`).waitFor()
  expect(await mark.count()).toBe(0)
})

test('a record is refreshed only while it is open', async ({ openBoard }) => {
  const { page, requests } = await openBoard({ movesClock: true })
  await openRecord(page, 'COST')
  const count = (path: string) => requests.filter(one => one === path).length
  await refresh(page)
  expect(count('/price/COST')).toBe(2)
  await page.keyboard.press('Escape')
  await dialogOf(page).waitFor({ state: 'hidden' })
  await refresh(page)
  expect(count('/price')).toBe(3)
  expect(count('/price/COST')).toBe(2)
})

test('a different answer is not shown as a revert, and a revert is shown with its error and without a price', async ({
  openBoard,
}) => {
  const withOtherAnswer = (text: string) => text.replace(/("symbol":"AAPL".*?"servesLatestRoundData":)true/, '$1false')
  const { page } = await openBoard({ prepare: page => changeResponses(page, /\/price/, withOtherAnswer) })
  const other = 'It returned another answer, which this service does not report.'
  for (const [symbol, inRow, inRecord, refusals] of [
    ['AAPL', 'another answer', 'A contract gets another answer', [other]],
    ['IBM', 'the price', 'A contract gets this price', []],
    [
      'SNAP',
      'FeedUnavailable',
      'A contract gets no price',
      ['Reverts with FeedUnavailable. A contract gets none of these values.'],
    ],
  ] as const) {
    expect(await rowOf(page, symbol).locator('.served').textContent()).toBe(inRow)
    await openRecord(page, symbol)
    expect(await dialogOf(page).locator('.served').textContent()).toBe(inRecord)
    expect(await dialogOf(page).locator('.refusal').allTextContents()).toEqual(refusals)
    if (symbol === 'SNAP') {
      expect(await fact(page, 'Per token').textContent()).toBe('none (share price none, multiplier none)')
      expect(await fact(page, 'Observed').textContent()).toBe('never')
    }
    await page.keyboard.press('Escape')
    await dialogOf(page).waitFor({ state: 'hidden' })
  }
})
