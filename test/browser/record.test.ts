import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { networkFacts } from '../../api/networks.ts'
import { statuses } from '../../api/statuses.ts'
import { toCastLine } from '../../pages/board/commands.ts'
import { parseExactly, type ShownRecord } from '../../pages/board/price-response.ts'
import {
  closeFeed,
  dialogOf,
  feedCounts,
  opened,
  queryOf,
  refresh,
  rowOf,
  styleOf,
  test,
} from '../support/browser/board.ts'
import { changeResponses, markAsLocal } from '../support/browser/responses.ts'

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
  await opened(page)
  return { text, record: parseExactly(text) as ShownRecord }
}

const unfold = (page: Page) => dialogOf(page).getByText('What was read').click()

test('a record shows price and verdict; what was read is folded, with every digit', async ({ openBoard }) => {
  const { page } = await openBoard({ movesClock: true })
  const { text } = await openRecord(page, 'AAPL')
  expect(await dialogOf(page).locator('.hero').textContent()).toBe('271.84930217 USDA contract gets this price')
  expect(await dialogOf(page).locator('dt:visible').allTextContents()).toEqual(['Observed', 'Read', 'Feed', 'Token'])
  await unfold(page)
  expect(await dialogOf(page).locator('details dl > div').allTextContents()).toEqual([
    'latestDetail()27184930217, with 8 decimals',
    'latestRoundData()27184930217, the same answer',
    'Per token271.69550076 USD per share × 1.000566080061092436' +
      'The product is 0.43 × 10⁻⁸ USD below the price, because the feed rounds.',
  ])
  const json = (await dialogOf(page).locator('pre').last().textContent()) ?? ''
  expect(json.replaceAll(/\n */g, '').replaceAll('": ', '":')).toBe(text)
  expect(await queryOf(page)).toBe('?feed=AAPL')
  expect(await page.title()).toBe('AAPL · Price Lookup')
})

test('addresses link to the explorer; a copy button copies its text, or selects it if copying is forbidden', async ({
  openBoard,
}) => {
  const { page } = await openBoard({ movesClock: true })
  const { record } = await openRecord(page, 'CRWD')
  for (const [name, address, url] of [
    ['Feed', record.feed, record.explorer.feed],
    ['Token', record.token, record.explorer.token],
  ] as const) {
    expect(await fact(page, name).locator('code').textContent()).toBe(address)
    expect(await fact(page, name).getByRole('link', { name: 'Explorer' }).getAttribute('href')).toBe(url)
  }
  await unfold(page)
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

test('a local chain is marked, also in a record, and its URL is in the cast lines; a deployment’s is not', async ({
  openBoard,
}) => {
  const rpcUrl = 'http://127.0.0.1:8545'
  const { page } = await openBoard({ query: '?network=testnet' })
  const notes = page.getByRole('note')
  const expectRecord = async (expectedUrl: string, expectedNotes: number) => {
    const { record } = await openRecord(page, 'TSLA')
    const [, roundLine, detailLine] = await dialogOf(page).locator('pre').allTextContents()
    expect(roundLine).toBe(toCastLine('latestRoundData', record, expectedUrl))
    expect(detailLine).toBe(toCastLine('latestDetail', record, expectedUrl))
    expect(await dialogOf(page).getByRole('note').count()).toBe(expectedNotes)
    await closeFeed(page)
  }
  await expectRecord(networkFacts.testnet.rpcUrl, 0)
  expect(await notes.count()).toBe(0)
  await markAsLocal(page, 'testnet', rpcUrl)
  await page.reload()
  expect(await notes.textContent()).toMatch(/^Stand-in data\. Invented prices on a local chain\./)
  await expectRecord(rpcUrl, 1)
  await page.getByText('Mainnet', { exact: true }).click()
  await page.getByText(`${feedCounts.mainnet} feeds`).waitFor()
  expect(await notes.count()).toBe(0)
})

test('a record is refreshed only while it is open', async ({ openBoard }) => {
  const { page, requests } = await openBoard({ movesClock: true })
  await openRecord(page, 'COST')
  const count = (path: string) => requests.filter(request => request === path).length
  await refresh(page)
  expect(count('/price/COST')).toBe(2)
  await closeFeed(page)
  await refresh(page)
  expect(count('/price')).toBe(3)
  expect(count('/price/COST')).toBe(2)
})

test('a refused price is muted and stands after the verdict, with the error; another answer is no revert', async ({
  openBoard,
}) => {
  const withOtherAnswer = (text: string) => text.replace(/("symbol":"AAPL".*?"servesLatestRoundData":)true/, '$1false')
  const { page } = await openBoard({ prepare: page => changeResponses(page, /\/price/, withOtherAnswer) })
  const dialog = dialogOf(page)
  const reverts = 'latestRoundData() reverts with FeedUnavailable.'
  const [dark, muted] = [
    ['rgb(26, 31, 28)', '32px'],
    ['rgb(86, 94, 89)', '20px'],
  ]
  for (const [symbol, inRow, hero, looks, reason] of [
    ['CRWD', 'the price', '1079.90 USDA contract gets this price', [dark], statuses['Market closed'].meaning],
    [
      'AAPL',
      'another',
      'A contract gets another answer271.84930217 USD',
      [muted],
      `${statuses.OK.meaning} latestRoundData() returns another answer, which this service does not report.`,
    ],
    [
      'BA',
      'reverts',
      'No contract gets this price: oracle paused214.08 USD',
      [muted],
      `${statuses['Oracle paused'].meaning} ${reverts}`,
    ],
    [
      'GLD',
      'reverts',
      'No contract gets this price: market closed385.17 USD',
      [muted],
      `${statuses['Market closed'].meaning} This feed was not deployed to serve a price while the market is closed. ${reverts}`,
    ],
    ['SNAP', 'reverts', 'No contract gets a price: no data', [], `${statuses['No data'].meaning} ${reverts}`],
  ] as const) {
    expect(await rowOf(page, symbol).locator('.served').textContent()).toBe(inRow)
    await openRecord(page, symbol)
    expect(await dialog.locator('.hero').textContent()).toBe(hero)
    const amounts = await dialog.locator('.hero > .amount').all()
    expect(await Promise.all(amounts.map(looksOf))).toEqual(looks)
    expect(await dialog.locator('.facts > p').textContent()).toBe(reason)
    await closeFeed(page)
  }
})

const looksOf = (locator: Locator) => Promise.all(['color', 'font-size'].map(name => styleOf(locator, name)))
