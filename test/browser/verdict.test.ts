import { expect } from 'vitest'
import { changeAnswers } from './answers.ts'
import { rowOf, test } from './board.ts'

const everyPath = /\/price(\/\w+)?(\?.*)?$/

test('a different answer is not shown as a revert, and a revert is shown with its error', async ({ openBoard }) => {
  const { page } = await openBoard({
    prepare: page =>
      changeAnswers(page, everyPath, text =>
        text.replace(/("symbol":"AAPL".*?"servesLatestRoundData":)true/, '$1false'),
      ),
  })
  const dialog = page.getByRole('dialog')
  const other = 'It returned another answer, which this service does not report.'
  for (const [symbol, inRow, inRecord, refusals] of [
    ['AAPL', 'another answer', 'does not return this price', [other]],
    ['SNAP', 'FeedUnavailable', 'reverts: FeedUnavailable', ['A contract gets none of these values.']],
    ['IBM', 'served', 'is served to a contract', []],
  ] as const) {
    expect(await rowOf(page, symbol).locator('.served').textContent()).toBe(inRow)
    await page.getByRole('link', { name: symbol, exact: true }).click()
    await dialog.getByText('cast call').first().waitFor()
    expect(await dialog.locator('.served').textContent()).toBe(inRecord)
    expect(await dialog.locator('.refusal').allTextContents()).toEqual(refusals)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
  }
  await page.getByLabel('Show').selectOption('Not served')
  expect(new URL(page.url()).search).toBe('?show=not-served')
  expect(await rowOf(page, 'AAPL').count()).toBe(1)
})

test('a record compares what the functions return, and claims no more of latestRoundData() than is known', async ({
  openBoard,
}) => {
  const { page } = await openBoard({ query: '?feed=CRWD' })
  await page.getByText('cast call').first().waitFor()
  const rows = page.locator('.comparison tr')
  expect(await rows.evaluateAll(all => all.map(row => [...row.children].map(cell => cell.textContent)))).toEqual([
    ['', 'latestDetail()', 'latestRoundData()'],
    ['answer', '107990000000', '= 107990000000'],
    ['observedAt', '1790984206', 'not compared'],
    ['status', 'Market closed', 'not returned'],
    ['sharePrice', '269.975', 'not returned'],
    ['multiplier', '4', 'not returned'],
  ])
})
