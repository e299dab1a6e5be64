import { expect } from 'vitest'
import registry from '../../lambda/feeds/registry.json' with { type: 'json' }
import { isUnreadable, type ShownEntry } from '../../pages/board/price-response.ts'
import { roundMultiplier } from '../../pages/board/shown-number.ts'
import { chipLabels, meaningOf } from '../../pages/board/statuses.ts'
import { dialogOf, listed, opened, rowOf, test } from '../support/browser/board.ts'
import { readList } from '../support/browser/responses.ts'

/** Returns the expected texts of a row's cells, without its age. */
function toCells(entry: ShownEntry): string[] {
  const { name } =
    Object.values(registry)
      .flat()
      .find(({ address }) => address === entry.feed) ?? {}
  const title = `${entry.symbol}${name ?? ''}`
  if (isUnreadable(entry)) return [title, 'Unreadable', '–', '–', '–', '–']
  const { status, price, sharePrice, multiplier, servesLatestRoundData, latestRoundDataReverts } = entry
  const verdict = servesLatestRoundData ? 'the price' : `${latestRoundDataReverts}`
  return [title, status, price ?? '–', sharePrice ?? '–', roundMultiplier(multiplier) ?? '–', verdict]
}

test('every feed of both networks is shown with its name and the API’s values, prices digit by digit', async ({
  openBoard,
  deployment,
}) => {
  for (const query of ['', '?network=testnet']) {
    const { page } = await openBoard({ query })
    await listed(page)
    const rows: string[][] = await page
      .locator('#rows tr')
      .evaluateAll(all => all.map(row => [...row.children].map(cell => cell.textContent)))
    const { feeds, network } = await readList(deployment.baseUrl, query)
    expect(rows.map(cells => cells.toSpliced(5, 1))).toEqual(feeds.map(toCells))
    expect(await page.locator('#count').textContent()).toBe(`${feeds.length} feeds`)
    expect(await page.locator('#freshness').textContent()).toMatch(
      new RegExp(`^${network}, block 7924\\d{4}, read \\d+ s ago$`),
    )
  }
})

test('the list and the records state that they are for inspection only, also on a phone', async ({ openBoard }) => {
  const { page } = await openBoard({ query: '?feed=CRWD', viewport: { width: 390, height: 800 } })
  await opened(page)
  for (const within of [page.locator('body > header'), dialogOf(page)]) {
    const words = within.getByText('For inspection only: a protocol must read the feed on-chain.')
    expect(await words.isVisible()).toBe(true)
  }
})

test('the legend explains every status and moves nothing but what is below it', async ({ openBoard }) => {
  const { page } = await openBoard()
  await listed(page)
  const legend = page.locator('.legend')
  expect(await legend.getByText(meaningOf('Straddle')).isVisible()).toBe(false)
  const before = await page.locator('#freshness').boundingBox()
  await legend.getByText('Legend').press('Enter')
  for (const label of chipLabels) expect(await legend.getByText(meaningOf(label)).isVisible(), label).toBe(true)
  expect((await page.locator('#freshness').boundingBox())?.y).toBe(before?.y)
})

test('a number can be selected, copied, found and read as the API writes it, without its padding', async ({
  openBoard,
  deployment,
}) => {
  const text = await (await fetch(`${deployment.baseUrl}/price`)).text()
  const [, digits] = /"symbol":"AAPL".*?"price":([\d.]+)/.exec(text) ?? []
  expect(digits).toBe('271.84930217')
  const { page } = await openBoard({ permissions: ['clipboard-read', 'clipboard-write'] })
  const cell = rowOf(page, 'AAPL').locator('.price .digits')
  await cell.evaluate(one => one.ownerDocument.getSelection()?.selectAllChildren(one))
  expect(await page.evaluate('getSelection().toString()')).toBe(digits)
  await page.keyboard.press('ControlOrMeta+C')
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(digits)
  await page.evaluate('getSelection().removeAllRanges()')
  expect(await page.evaluate(`window.find('${digits}')`)).toBe(true)
  expect(await rowOf(page, 'CRWD').locator('.price').ariaSnapshot()).toBe('- cell "1079.9"')
})
