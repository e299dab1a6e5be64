import { expect } from 'vitest'
import {
  dialogOf,
  failedRequest,
  failureOf,
  listed,
  opened,
  refresh,
  rowOf,
  settled,
  summaryOf,
  test,
} from '../support/browser/board.ts'
import { failing } from '../support/browser/responses.ts'
import { translate } from '../support/browser/translate.ts'

test('a translator that respects translate="no" changes nothing', async ({ openBoard }) => {
  const { page } = await openBoard()
  await listed(page)
  await page.evaluate(translate('[translate=no], .notranslate'))
  expect(await page.locator('font').count()).toBe(0)
})

test('a translator that ignores it keeps no old text', async ({ openBoard }) => {
  const { page } = await openBoard({ movesClock: true, expected: failedRequest })
  await listed(page)
  await page.evaluate(translate('noscript'))
  const read = page.getByText(/^\d+ s ago$/)
  const before = await read.textContent()
  await page.clock.runFor(3_000)
  expect(await read.textContent()).not.toBe(before)
  for (const symbol of ['CCL', 'COST']) {
    await rowOf(page, symbol).locator('a').click()
    await opened(page)
    await settled(page)
    expect(await dialogOf(page).getByRole('heading', { level: 2 }).textContent()).toBe(symbol)
    await page.keyboard.press('Escape')
    await dialogOf(page).waitFor({ state: 'detached' })
  }
  await page.route(/\/price/, failing)
  await refresh(page)
  expect(await summaryOf(page).textContent()).toMatch(/^When last read/)
  await page.unroute(/\/price/)
  await refresh(page)
  expect(await failureOf(page).getByText('Chain unavailable').count()).toBe(0)
  expect(await summaryOf(page).textContent()).toMatch(/ now/)
  await page.getByText('Testnet').click()
  await rowOf(page, 'labTSLA').waitFor()
  expect(await summaryOf(page).textContent()).toMatch(/ at the latest block$/)
})
