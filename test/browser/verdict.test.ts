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
  for (const [symbol, inRow, inRecord] of [
    ['AAPL', 'another answer', 'does not return this price'],
    ['SNAP', 'FeedUnavailable', 'reverts: FeedUnavailable'],
    ['IBM', 'served', 'is served to a contract'],
  ] as const) {
    expect(await rowOf(page, symbol).locator('.served').textContent()).toBe(inRow)
    await page.getByRole('link', { name: symbol, exact: true }).click()
    await dialog.getByText('cast call').first().waitFor()
    expect(await dialog.locator('.served').textContent()).toBe(inRecord)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
  }
  await page.getByLabel('Show').selectOption('Not served')
  expect(new URL(page.url()).search).toBe('?show=not-served')
  expect(await rowOf(page, 'AAPL').count()).toBe(1)
})
