import type { Page } from 'playwright-core'
import { expect, inject } from 'vitest'
import registry from '../../lambda/feeds/registry.json' with { type: 'json' }
import { misbehave } from '../../local/stand-in-feed.ts'
import { failedRequest, rowOf, test } from './board.ts'

const dialog = (page: Page) => page.getByRole('dialog')

test('a feed that cannot be read says so in its row, and why in its record', async ({ openBoard }) => {
  const pfe = registry.mainnet.find(({ symbol }) => symbol === 'PFE')?.address as `0x${string}`
  const rpcUrl = inject('rpcUrls').mainnet
  await misbehave(rpcUrl, pfe, 'latestDetail()', { revert: '0x' })
  try {
    const { page } = await openBoard({ expected: failedRequest })
    await rowOf(page, 'PFE').getByText('Unreadable').waitFor({ timeout: 20_000 })
    expect(await rowOf(page, 'PFE').locator('td').allTextContents()).toEqual(['Unreadable', '–', '–', '–', '–', '–'])
    await page.getByRole('link', { name: 'PFE' }).click()
    await dialog(page).getByText('Feed unreadable. The chain answered, but this feed cannot be read').waitFor()
    expect(await dialog(page).locator('dl').isVisible()).toBe(false)
  } finally {
    await misbehave(rpcUrl, pfe, 'latestDetail()', 'behave')
  }
})

test.for([
  ['?feed=NOPE', 'NOPE'],
  ['?network=testnet&feed=CRWD', 'CRWD'],
  [`?feed=${encodeURIComponent('<img src=x onerror=alert(1)>')}`, '<img src=x onerror=alert(1)>'],
  ['?feed=..%2F..%2F', '../../'],
] as const)(
  'the URL of a feed that is not there, %s, says so, and closes to the list',
  async ([query, symbol], { openBoard }) => {
    const { page } = await openBoard({ query, expected: failedRequest })
    await dialog(page).getByText('Unknown symbol.').waitFor()
    expect(await dialog(page).getByRole('heading').first().textContent()).toBe(symbol)
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'hidden' })
    await expect.poll(() => page.url()).not.toContain('feed=')
    await page.locator('tbody tr').first().waitFor()
  },
)

test('a symbol in another case opens the feed', async ({ openBoard }) => {
  const { page } = await openBoard({ query: '?feed=crwd' })
  await dialog(page).getByRole('heading', { name: 'CRWD' }).waitFor()
})

test('a record whose refresh fails keeps its values, marked, and says why', async ({ openBoard }) => {
  const { page } = await openBoard({ expected: failedRequest, prepare: page => page.clock.install() })
  await page.getByRole('link', { name: 'LLY' }).click()
  await dialog(page).getByText('The record').waitFor()
  await page.context().setOffline(true)
  await page.clock.fastForward(10_300)
  await dialog(page).getByText('No answer.').waitFor()
  expect(await dialog(page).locator('.failure').textContent()).toContain('What you see are the last good values.')
  expect(await dialog(page).getAttribute('data-failed')).toBe('')
  expect(await dialog(page).locator('output').textContent()).toContain('882.6012')
  await page.context().setOffline(false)
  await page.clock.fastForward(10_300)
  await dialog(page).getByText('No answer.').waitFor({ state: 'hidden' })
  expect(await dialog(page).getAttribute('data-failed')).toBeNull()
})
