import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { listPath } from './answers.ts'
import { failedRequest, test } from './board.ts'
import { describeFocus, describeSeenFocus } from './in-page.ts'

/** Presses a key repeatedly. Returns the element with the focus after each. */
async function press(page: Page, key: string, times: number): Promise<unknown[]> {
  const focused: unknown[] = []
  for (let count = 0; count < times; count += 1) {
    await page.keyboard.press(key)
    focused.push(await page.evaluate(describeFocus))
  }
  return focused
}

test('Tab follows the visual order', async ({ openBoard }) => {
  const { page } = await openBoard()
  await page.locator('tbody tr').first().waitFor()
  const columns = ['Symbol', 'Status', 'Price, USD', 'Share price', '× Multiplier', 'Age', 'latestRoundData()']
  expect(await press(page, 'Tab', 15)).toEqual([
    'Skip to the feeds',
    'network',
    'search',
    'show',
    ...columns,
    'AAPL',
    'OK',
    'AMC',
    'Stale',
  ])
})

test('the skip link becomes visible and skips the controls', async ({ openBoard }) => {
  const { page } = await openBoard()
  await page.locator('tbody tr').first().waitFor()
  await page.keyboard.press('Tab')
  const box = await page.getByText('Skip to the feeds').boundingBox()
  expect(box?.y).toBeGreaterThanOrEqual(0)
  await page.keyboard.press('Enter')
  expect(await press(page, 'Tab', 1)).toEqual(['Symbol'])
})

test('arrow keys change the network', async ({ openBoard }) => {
  const { page } = await openBoard()
  await page.getByLabel('Mainnet').focus()
  await page.keyboard.press('ArrowRight')
  await page.getByRole('link', { name: 'labTSLA' }).waitFor()
  expect(await page.evaluate(describeFocus)).toBe('network')
})

test('Enter opens a feed, Escape closes it, and the focus returns to its link', async ({ openBoard }) => {
  const { page } = await openBoard()
  const dialog = page.getByRole('dialog')
  await page.getByRole('link', { name: 'IBM' }).focus()
  await page.keyboard.press('Enter')
  await dialog.getByText('cast call').first().waitFor()
  expect(await page.evaluate(describeFocus)).toBe('Close')
  expect(await page.locator('.tip').isVisible()).toBe(false)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  expect(await page.evaluate(describeFocus)).toBe('IBM')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Close', exact: true }).press('Enter')
  await dialog.waitFor({ state: 'hidden' })
  expect(await page.evaluate(describeFocus)).toBe('IBM')
})

test('a feed that was opened by its URL moves the focus to its link when it is closed', async ({ openBoard }) => {
  const { page } = await openBoard({ query: '?feed=IBM' })
  await page.getByText('cast call').first().waitFor()
  await page.getByRole('link', { name: 'IBM', includeHidden: true }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await expect.poll(() => page.evaluate(describeFocus)).toBe('IBM')
})

test('Tab reaches every control of a record in order', async ({ openBoard }) => {
  const { page } = await openBoard({ query: '?feed=IBM' })
  await page.getByText('cast call').first().waitFor()
  await page.getByRole('button', { name: 'Close', exact: true }).focus()
  const reached = await press(page, 'Tab', 8)
  expect(reached.filter(one => `${one}`.startsWith('Copy') || one === 'Explorer')).toEqual([
    'Copy feed address',
    'Explorer',
    'Copy token address',
    'Explorer',
    'Copy curl line',
    'Copy cast line for latestDetail',
    'Copy cast line for latestRoundData',
    'Copy JSON',
  ])
})

test('a column is sorted with Enter and with the space bar', async ({ openBoard }) => {
  const { page } = await openBoard()
  const header = page.getByRole('columnheader', { name: 'Age' })
  await header.getByRole('button').press('Enter')
  expect(await header.getAttribute('aria-sort')).toBe('ascending')
  await header.getByRole('button').press('Space')
  expect(await header.getAttribute('aria-sort')).toBe('descending')
})

test.for([
  [1280, 720],
  [820, 700],
  [390, 844],
  [320, 568],
])(
  'the failure banner never covers the element with the focus, at %i × %i',
  async ([width = 0, height = 0], { openBoard }) => {
    const { page } = await openBoard({
      viewport: { width, height },
      expected: failedRequest,
      prepare: page => page.clock.install(),
    })
    await page.locator('tbody tr').first().waitFor()
    const body = JSON.stringify({
      title: 'Chain unavailable',
      detail: 'No endpoint of the chain gave a valid answer in time.',
    })
    await page.route(listPath, route => route.fulfill({ status: 503, body }))
    await page.clock.fastForward(10_300)
    await page.locator('#failure').waitFor()
    await page.getByLabel('Show').focus()
    const hidden: string[] = []
    const reached: string[] = []
    for (const key of ['Tab', 'Shift+Tab']) {
      // Seven headers, a link and a status in each of 21 rows, and three links in the footer.
      for (let count = 0; count < 52; count += 1) {
        await page.keyboard.press(key)
        const { name, seen }: { name: string; seen: number } = await page.evaluate(describeSeenFocus)
        reached.push(name)
        if (seen < 0.9) hidden.push(`${key} to ${name}: ${seen}`)
      }
    }
    expect(reached).toContain('openapi.json')
    expect(hidden).toEqual([])
  },
)
