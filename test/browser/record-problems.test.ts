import { expect } from 'vitest'
import {
  bannerOf,
  dialogOf,
  failedRequest,
  nextRequest,
  opened,
  rowOf,
  styleOf,
  test,
  unreadableSymbol,
} from '../support/browser/board.ts'
import { listPath } from '../support/browser/responses.ts'

test('an unreadable feed has the problem and its addresses in its record', async ({ openBoard }) => {
  const { page } = await openBoard({ expected: failedRequest })
  await rowOf(page, unreadableSymbol).getByRole('link').click()
  const dialog = dialogOf(page)
  await dialog.getByText('Feed unreadable. The chain answered, but this feed cannot be read').waitFor()
  expect(await dialog.locator('dt:visible').allTextContents()).toEqual(['Feed', 'Token'])
  expect(await dialog.getByRole('link', { name: 'Explorer' }).count()).toBe(2)
})

test('a record whose refresh fails keeps its values, marked, and shows the failure', async ({ openBoard }) => {
  const { page } = await openBoard({ query: '?feed=LLY', expected: failedRequest, movesClock: true })
  await opened(page)
  const dialog = dialogOf(page)
  await page.context().setOffline(true)
  await nextRequest(page)
  await dialog.getByText('No response.').waitFor()
  expect(await dialog.locator('.failure').textContent()).toContain('What you see are the last good values.')
  expect(await dialog.getAttribute('data-failed')).toBe('')
  const chip = dialog.locator('.chip')
  expect(await chip.textContent()).toBe('Last known: OK')
  expect(await dialog.getByText(/^When it was last read: /).isVisible()).toBe(true)
  for (const forcedColors of ['active', 'none'] as const) {
    await page.emulateMedia({ forcedColors })
    expect(await styleOf(chip, 'border-style')).toBe('dashed')
  }
  expect(await dialog.locator('.hero .digits').textContent()).toBe('883.25608146')
  await page.context().setOffline(false)
  await nextRequest(page)
  await dialog.getByText('No response.').waitFor({ state: 'hidden' })
  expect(await dialog.getAttribute('data-failed')).toBeNull()
  expect(await chip.textContent()).toBe('OK')
})

test('without the list a record is not marked', async ({ openBoard }) => {
  const { page } = await openBoard({
    query: '?feed=NFLX',
    expected: failedRequest,
    prepare: page => page.route(listPath, route => route.fulfill({ status: 502, body: '' })),
  })
  await opened(page)
  await bannerOf(page).getByText('HTTP 502').waitFor({ state: 'attached' })
  const dialog = dialogOf(page)
  expect(await dialog.locator('.failure').textContent()).toBe('')
  expect(await dialog.locator('.chip').textContent()).toBe('Straddle')
  expect(await styleOf(dialog.locator('.facts'), 'filter')).toBe('none')
})
