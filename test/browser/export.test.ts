import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { listed, rowOf, test } from '../support/browser/board.ts'
import { listFive } from '../support/browser/responses.ts'

const readClipboard = (page: Page) => page.evaluate<string>('navigator.clipboard.readText()')
const symbolsIn = (text: string) => text.split('\n').map(line => line.split('\t')[0])

test('the button copies the shown rows in their order, below network, block and readAt', async ({ openBoard }) => {
  const { page } = await openBoard({ query: '?show=served&sort=-price', prepare: listFive, movesClock: true })
  await listed(page)
  await page.getByRole('button', { name: 'Copy table' }).click()
  await page.getByText('table copied', { exact: true }).waitFor({ state: 'attached' })
  const text = await readClipboard(page)
  expect(text).toMatch(/^network\tRobinhood Chain\tblock\t79242031\treadAt\t2026-10-03T22:30:00.789Z\nsymbol\tname\t/)
  expect(symbolsIn(text)).toEqual(['network', 'symbol', 'CCL', 'AMC'])
})

test('the other button downloads what the search finds, here a status, as a file named after network and block', async ({
  openBoard,
}) => {
  const { page } = await openBoard({ query: '?search=market+closed', prepare: listFive })
  await listed(page)
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download CSV' }).click()
  const download = await downloading
  expect(download.suggestedFilename()).toBe('prices-mainnet-79242031.csv')
  const lines = (await readFile(await download.path(), 'utf8')).split('\r\n')
  expect(lines.map(line => line.split(',')[0])).toEqual(['network', 'symbol', 'CCL', ''])
})

test('without rows there is nothing to export', async ({ openBoard }) => {
  const { page } = await openBoard({ query: '?search=nope' })
  await page.getByText('No feed matches').waitFor()
  for (const name of ['Copy table', 'Download CSV']) {
    expect(await page.getByRole('button', { name }).isDisabled()).toBe(true)
  }
})

test('rows selected with the pointer are copied as one line each, a part of one cell as it is', async ({
  openBoard,
}) => {
  const { page } = await openBoard({ prepare: listFive })
  await listed(page)
  const from = await rowOf(page, 'AMC').locator('.price .whole').boundingBox()
  const to = await rowOf(page, 'CCL').locator('.age').boundingBox()
  await page.mouse.move(Number(from?.x) + 1, Number(from?.y) + 6)
  await page.mouse.down()
  await page.mouse.move(Number(to?.x) + 40, Number(to?.y) + 12, { steps: 4 })
  await page.mouse.up()
  await page.keyboard.press('ControlOrMeta+C')
  const text = await readClipboard(page)
  expect(symbolsIn(text)).toEqual(['AMC', 'AVGO', 'BA', 'CCL'])
  expect(text.split('\n').map(line => line.split('\t').length)).toEqual([12, 12, 12, 12])
  // Three clicks select a cell, up to the start of the next.
  await rowOf(page, 'AMC').locator('.price .whole').click({ clickCount: 3 })
  await page.keyboard.press('ControlOrMeta+C')
  expect((await readClipboard(page)).trim()).toMatch(/^1(\.0+)?$/)
})
