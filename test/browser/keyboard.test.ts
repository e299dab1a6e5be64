import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { listPath } from './answers.ts'
import { failedRequest, feedCounts, test } from './board.ts'
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

test.for([390, 820, 1280])('at a width of %i Tab follows the visual order', async (width, { openBoard }) => {
  const { page } = await openBoard({ viewport: { width, height: 720 } })
  await page.locator('tbody tr').first().waitFor()
  const columns = ['Symbol', 'Status', 'Price, USD', 'Share price', '× Multiplier', 'Age', 'latestRoundData()']
  const statuses = [
    `${feedCounts.mainnet - 7} OK`,
    '2 Market closed',
    '1 Stale',
    '1 Oracle paused',
    '1 Straddle',
    '1 Corporate action',
    '1 No data',
  ]
  expect(await press(page, 'Tab', 24)).toEqual([
    'Skip to the feeds',
    'network',
    'search',
    'show',
    `${feedCounts.mainnet - 6} served`,
    '6 not served',
    ...statuses,
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
      // Nine filters, the retry, seven headers, a link and a status in each row, and three links in the footer.
      for (let count = 0; count < 20 + 2 * feedCounts.mainnet; count += 1) {
        await page.keyboard.press(key)
        const { name, seen }: { name: string; seen: number } = await page.evaluate(describeSeenFocus)
        reached.push(name)
        // The retry is a part of the banner.
        if (seen < 0.9 && name !== 'Retry now') hidden.push(`${key} to ${name}: ${seen}`)
      }
    }
    expect(reached).toContain('openapi.json')
    expect(hidden).toEqual([])
  },
)

test('the slash focuses the search, but not while a field has the focus or a record is open', async ({ openBoard }) => {
  const { page } = await openBoard()
  const focus = () => page.evaluate(describeFocus)
  await page.getByRole('link', { name: 'IBM' }).focus()
  await page.keyboard.press('Control+/')
  expect(await focus()).toBe('IBM')
  await page.keyboard.press('/')
  expect(await focus()).toBe('search')
  await page.keyboard.press('/')
  expect(await page.getByLabel('Symbol').inputValue()).toBe('/')
  await page.getByLabel('Show').focus()
  await page.keyboard.press('/')
  expect(await focus()).toBe('show')
  await page.getByLabel('Symbol').fill('IBM')
  await page.getByRole('link', { name: 'IBM' }).press('Enter')
  await page.keyboard.press('/')
  expect(await focus()).toBe('Close')
})

test('the arrow keys step through the shown feeds, and the back button returns to the list', async ({ openBoard }) => {
  const { page } = await openBoard({ query: '?search=a&show=not-served' })
  const heading = () => page.getByRole('dialog').getByRole('heading', { level: 2 }).textContent()
  await page.getByRole('link', { name: 'BA', exact: true }).click()
  for (const [key, symbol] of [
    ['ArrowRight', 'SNAP'],
    ['ArrowRight', 'AMC'],
    ['ArrowLeft', 'SNAP'],
    ['Shift+ArrowLeft', 'SNAP'],
    ['ArrowLeft', 'BA'],
    ['ArrowLeft', 'AMC'],
  ] as const) {
    await page.keyboard.press(key)
    expect(await heading()).toBe(symbol)
    expect(new URL(page.url()).search).toBe(`?search=a&show=not-served&feed=${symbol}`)
  }
  const next = page.getByRole('button', { name: 'Next feed' })
  await next.press('Enter')
  await next.press('Enter')
  expect([await heading(), await page.evaluate(describeFocus)]).toEqual(['SNAP', 'Next feed'])
  await page.getByText('cast call').first().waitFor()
  await page.goBack()
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  expect(new URL(page.url()).search).toBe('?search=a&show=not-served')
  await expect.poll(() => page.evaluate(describeFocus)).toBe('SNAP')
})
