import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import {
  bannerOf,
  closeFeed,
  dialogOf,
  failedRequest,
  listed,
  nextRequest,
  opened,
  queryOf,
  test,
} from '../support/browser/board.ts'
import { describeFocus, describeSeenFocus } from '../support/browser/in-page.ts'
import { listFive, listPath } from '../support/browser/responses.ts'

/** Presses a key repeatedly. Returns the element with the focus after each. */
async function press(page: Page, key: string, times: number): Promise<unknown[]> {
  const focused: unknown[] = []
  for (let count = 0; count < times; count += 1) {
    await page.keyboard.press(key)
    focused.push(await page.evaluate(describeFocus))
  }
  return focused
}

test('the skip link comes first, becomes visible and skips the controls', async ({ openBoard }) => {
  const { page } = await openBoard()
  await listed(page)
  await page.keyboard.press('Tab')
  const box = await page.getByText('Skip to the feeds').boundingBox()
  expect(box?.y).toBeGreaterThanOrEqual(0)
  await page.keyboard.press('Enter')
  expect(await press(page, 'Tab', 1)).toEqual(['Symbol'])
})

test('at every width Tab follows the visual order', async ({ openBoard }) => {
  // The chips count the whole list, also what the search does not find. Those that count nothing are disabled.
  const { page } = await openBoard({ query: '?search=a', prepare: listFive })
  await listed(page)
  const chips = ['2 served', '2 not served', '1 OK', '1 Market closed', '1 Stale', '1 No data', '1 Unreadable']
  const columns = ['Symbol', 'Status', 'Price, USD', 'Share price, USD', '× Multiplier', 'Age', 'A contract gets']
  for (const width of [390, 820, 1280]) {
    await page.setViewportSize({ width, height: 720 })
    await page.getByText('Skip to the feeds').focus()
    const expected = [
      'API reference',
      'network',
      'Search',
      ...(width > 760 ? [] : ['sort']),
      'Legend',
      'Copy table',
      'Download CSV',
      ...chips,
      ...(width > 760 ? columns : []),
      'AAPL',
      'AMC',
    ]
    expect(await press(page, 'Tab', expected.length), `at a width of ${width}`).toEqual(expected)
  }
})

test('Enter opens a feed, Escape closes it, and the focus returns to its link', async ({ openBoard }) => {
  const { page } = await openBoard()
  await page.getByRole('link', { name: 'IBM' }).focus()
  await page.keyboard.press('Enter')
  await opened(page)
  expect(await page.evaluate(describeFocus)).toBe('Close')
  await closeFeed(page)
  expect(await page.evaluate(describeFocus)).toBe('IBM')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Close', exact: true }).press('Enter')
  await dialogOf(page).waitFor({ state: 'hidden' })
  expect(await page.evaluate(describeFocus)).toBe('IBM')
})

test('Tab reaches every control of a record in order, and a step to another feed keeps open what Enter opened', async ({
  openBoard,
}) => {
  const { page } = await openBoard({ query: '?feed=IBM' })
  await opened(page)
  await page.getByRole('button', { name: 'Close', exact: true }).focus()
  expect(await press(page, 'Tab', 7)).toEqual([
    'Copy feed address',
    'Explorer',
    'Copy token address',
    'Explorer',
    'Copy curl line',
    'Copy cast line for latestRoundData',
    'What was read',
  ])
  await page.keyboard.press('Enter')
  await page.keyboard.press('ArrowRight')
  await dialogOf(page).getByText('"symbol": "JNJ"').waitFor()
  expect(await page.evaluate(describeFocus)).toBe('What was read')
  expect(await press(page, 'Tab', 2)).toEqual(['Copy cast line for latestDetail', 'Copy JSON'])
})

test('the failure banner never covers the element with the focus', async ({ openBoard }) => {
  const { page } = await openBoard({ query: '?show=not-served', expected: failedRequest, movesClock: true })
  await listed(page)
  const rowCount = await page.locator('#rows tr').count()
  const body = '{"title":"Chain unavailable","detail":"No endpoint of the chain gave a valid answer in time."}'
  await page.route(listPath, route => route.fulfill({ status: 503, body }))
  await nextRequest(page)
  await bannerOf(page).waitFor()
  for (const [width, height] of [
    [1280, 400],
    [820, 420],
    [390, 640],
    [320, 568],
  ] as const) {
    await page.setViewportSize({ width, height })
    await page.getByLabel('Search').focus()
    const hidden: string[] = []
    const reached: string[] = []
    for (const [key, last] of [
      ['Tab', 'openapi.json'],
      ['Shift+Tab', 'Legend'],
    ] as const) {
      // The sort, the legend, two buttons, ten filters, the retry, seven headers, a link in each row, and three in the footer.
      for (let count = 0; count < 25 + rowCount && reached.at(-1) !== last; count += 1) {
        await page.keyboard.press(key)
        const { name, seen }: { name: string; seen: number } = await page.evaluate(describeSeenFocus)
        reached.push(name)
        // The retry is a part of the banner.
        if (seen < 0.9 && name !== 'Retry now') hidden.push(`${key} to ${name}: ${seen}`)
      }
      expect(reached.at(-1)).toBe(last)
    }
    expect(hidden, `at ${width} × ${height}`).toEqual([])
  }
})

test('the slash focuses the search, but not while a field has the focus or a record is open', async ({ openBoard }) => {
  const { page } = await openBoard()
  const focus = () => page.evaluate(describeFocus)
  await page.getByRole('link', { name: 'IBM' }).focus()
  await page.keyboard.press('Control+/')
  expect(await focus()).toBe('IBM')
  await page.keyboard.press('/')
  expect(await focus()).toBe('Search')
  await page.keyboard.press('/')
  expect(await page.getByLabel('Search').inputValue()).toBe('/')
  await page.getByLabel('Search').fill('IBM')
  await page.getByRole('link', { name: 'IBM' }).press('Enter')
  await page.keyboard.press('/')
  expect(await focus()).toBe('Close')
})

test('Enter in the search opens the only feed found', async ({ openBoard }) => {
  const { page } = await openBoard()
  await listed(page)
  await page.keyboard.press('/')
  await page.keyboard.type('s')
  await page.keyboard.press('Enter')
  expect(await queryOf(page)).toBe('?search=s')
  await page.keyboard.type('nap')
  await page.keyboard.press('Enter')
  await dialogOf(page).getByRole('heading', { name: 'SNAP' }).waitFor()
  await closeFeed(page)
  expect(await page.evaluate(describeFocus)).toBe('SNAP')
})

test('the arrow keys step through the shown feeds, and the back button returns to the list', async ({ openBoard }) => {
  const { page } = await openBoard({ query: '?search=a&show=not-served' })
  const heading = () => dialogOf(page).getByRole('heading', { level: 2 }).textContent()
  await page.getByRole('link', { name: 'BA', exact: true }).click()
  for (const [key, symbol] of [
    ['ArrowRight', 'SNAP'],
    ['ArrowRight', 'AMC'],
    ['Shift+ArrowLeft', 'AMC'],
  ] as const) {
    await page.keyboard.press(key)
    expect(await heading()).toBe(symbol)
    expect(await queryOf(page)).toBe(`?search=a&show=not-served&feed=${symbol}`)
  }
  const next = page.getByRole('button', { name: 'Next feed' })
  await next.press('Enter')
  await next.press('Enter')
  expect([await heading(), await page.evaluate(describeFocus)]).toEqual(['SNAP', 'Next feed'])
  await opened(page)
  await page.goBack()
  await dialogOf(page).waitFor({ state: 'hidden' })
  expect(await queryOf(page)).toBe('?search=a&show=not-served')
  await expect.poll(() => page.evaluate(describeFocus)).toBe('SNAP')
})
