import { expect } from 'vitest'
import { isUnreadable, parseExactly, type ShownEntry, type ShownList } from '../../board/price-answer.ts'
import { meaningOf } from '../../board/statuses.ts'
import { feedCounts, rowOf, symbolsOf, test } from './board.ts'

async function readList(baseUrl: string, query = ''): Promise<ShownList> {
  return parseExactly(await (await fetch(`${baseUrl}/price${query}`)).text()) as ShownList
}

/** Returns the expected texts of a row's cells, without its age. */
function toCells(entry: ShownEntry): string[] {
  if (isUnreadable(entry)) return [entry.symbol, 'Unreadable', '–', '–', '–', '–']
  const { symbol, status, price, sharePrice, multiplier, servesLatestRoundData, latestRoundDataReverts } = entry
  const verdict = servesLatestRoundData ? 'served' : `${latestRoundDataReverts}`
  return [symbol, status, price ?? '–', sharePrice ?? '–', multiplier ?? '–', verdict]
}

test('every feed of both networks is shown with the API’s values, digit by digit', async ({
  openBoard,
  deployment,
}) => {
  for (const query of ['', '?network=testnet']) {
    const { page } = await openBoard({ query })
    await page.locator('tbody tr').first().waitFor()
    const rows: string[][] = await page
      .locator('tbody tr')
      .evaluateAll(all => all.map(row => [...row.children].map(cell => cell.textContent)))
    const { feeds, network } = await readList(deployment.baseUrl, query)
    expect(rows.map(cells => cells.toSpliced(5, 1))).toEqual(feeds.map(toCells))
    expect(await page.locator('#count').textContent()).toBe(`${feeds.length} of ${feeds.length} feeds`)
    expect(await page.locator('#freshness').textContent()).toMatch(
      new RegExp(`^${network}, block \\d+, read \\d+ s ago$`),
    )
  }
})

test('the mainnet’s rows show every status and verdict', async ({ openBoard }) => {
  const { page } = await openBoard()
  await page.locator('tbody tr').first().waitFor()
  const seen = await page.locator('tbody .chip').allTextContents()
  expect(new Set(seen).size).toBe(7)
  expect(new Set(await page.locator('tbody .served').allTextContents())).toEqual(new Set(['served', 'FeedUnavailable']))
})

test('a status is explained on hover, on focus, and to a screen reader', async ({ openBoard }) => {
  const { page } = await openBoard()
  const tip = page.locator('.tip')
  for (const [symbol, status] of [
    ['AMC', 'Stale'],
    ['GLD', 'Market closed'],
  ] as const) {
    const chip = rowOf(page, symbol).getByRole('button', { name: status })
    await chip.hover()
    expect(await tip.isVisible()).toBe(true)
    expect(await tip.textContent()).toBe(meaningOf(status))
    await page.mouse.move(0, 0)
    expect(await tip.isVisible()).toBe(false)
    await chip.focus()
    expect(await tip.textContent()).toBe(meaningOf(status))
    expect(await tip.isVisible()).toBe(true)
    await page.keyboard.press('Tab')
    const described = await chip.getAttribute('aria-describedby')
    expect(await page.locator(`#${described}`).textContent()).toBe(meaningOf(status))
  }
})

test('a tip stays within the window, at the lowest row and at the edge', async ({ openBoard }) => {
  const { page } = await openBoard({ viewport: { width: 390, height: 844 } })
  for (const symbol of ['AAPL', 'NFLX', 'SNAP']) {
    await rowOf(page, symbol).locator('.chip').click()
    const box = await page.locator('.tip').boundingBox()
    if (box === null) throw new Error('The tip is not shown')
    expect(box.x).toBeGreaterThanOrEqual(0)
    expect(box.x + box.width).toBeLessThanOrEqual(390)
    expect(box.y).toBeGreaterThanOrEqual(0)
    expect(box.y + box.height).toBeLessThanOrEqual(844)
  }
})

test('the decimal points of a column are aligned', async ({ openBoard }) => {
  for (const width of [1280, 820, 768]) {
    const { page } = await openBoard({ viewport: { width, height: 800 } })
    await page.locator('tbody tr').first().waitFor()
    for (const column of ['price', 'share', 'multiplier']) {
      const edges: number[] = await page
        .locator(`td.${column} .fraction`)
        .evaluateAll(all => all.map(fraction => Math.round(10 * fraction.getBoundingClientRect().left)))
      expect(edges).toHaveLength(feedCounts.mainnet)
      // Chromium positions glyphs in units of 1/64 pixel.
      expect(Math.max(...edges) - Math.min(...edges)).toBeLessThanOrEqual(1)
    }
  }
})

test('the list and the records state that they are for inspection only, at any width', async ({ openBoard }) => {
  const words = 'For inspection only: a protocol must read the feed on-chain.'
  for (const width of [390, 1280]) {
    const { page } = await openBoard({ viewport: { width, height: 800 } })
    expect(await page.locator('body > header').getByText(words).isVisible()).toBe(true)
    await page.getByRole('link', { name: 'CRWD' }).click()
    await page.getByRole('dialog').getByText(words).scrollIntoViewIfNeeded()
    expect(await page.getByRole('dialog').getByText(words).isVisible()).toBe(true)
  }
})

test('a change of the network removes the rows at once', async ({ openBoard }) => {
  const { page } = await openBoard()
  await page.locator('tbody tr').first().waitFor()
  let release = () => {}
  const held = new Promise<void>(resolve => {
    release = resolve
  })
  await page.route(/network=testnet/, async route => {
    await held
    await route.continue()
  })
  await page.getByText('Testnet').click()
  expect(await symbolsOf(page)).toEqual([])
  expect(await page.locator('#empty').textContent()).toBe('Reading the chain…')
  release()
  await expect.poll(() => symbolsOf(page)).toEqual(['AMD', 'AMZN', 'labTSLA', 'NFLX', 'PLTR', 'TSLA'])
  expect(await page.title()).toBe('Price Lookup · Testnet')
})

test('a number can be selected, copied and found as the API writes it', async ({ openBoard, deployment }) => {
  const text = await (await fetch(`${deployment.baseUrl}/price`)).text()
  const [, digits] = /"symbol":"AAPL".*?"price":([\d.]+)/.exec(text) ?? []
  expect(digits).toBe('271.84930217')
  const { page } = await openBoard({ permissions: ['clipboard-read', 'clipboard-write'] })
  const cell = rowOf(page, 'AAPL').locator('.price')
  await cell.evaluate(one => one.ownerDocument.getSelection()?.selectAllChildren(one))
  expect(await page.evaluate('getSelection().toString()')).toBe(digits)
  await page.keyboard.press('ControlOrMeta+C')
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(digits)
  await page.evaluate('getSelection().removeAllRanges()')
  expect(await page.evaluate(`window.find('${digits}')`)).toBe(true)
})

test('a double click selects a whole number', async ({ openBoard }) => {
  const { page } = await openBoard()
  const cell = rowOf(page, 'AMC').locator('.multiplier')
  await cell.locator('.whole').dblclick()
  expect(await page.evaluate('getSelection().toString()')).toBe(await cell.textContent())
})

test('the padding is not in the accessibility tree', async ({ openBoard }) => {
  const { page } = await openBoard()
  await page.locator('tbody tr').first().waitFor()
  expect(await rowOf(page, 'CRWD').locator('.price').ariaSnapshot()).toBe('- cell "1079.9"')
})
