import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { listPath } from './answers.ts'
import { failedRequest, rowOf } from './board.ts'
import { test } from './reverting-feed.ts'

const dialog = (page: Page) => page.getByRole('dialog')

test('an unreadable feed has its status in its row, and the problem and its addresses in its record', async ({
  openBoard,
  deployment,
}) => {
  const { page } = await openBoard({ expected: failedRequest })
  await rowOf(page, 'PFE').getByText('Unreadable').waitFor()
  expect(await rowOf(page, 'PFE').locator('td').allTextContents()).toEqual(['Unreadable', '–', '–', '–', '–', '–'])
  await page.getByRole('link', { name: 'PFE' }).click()
  await dialog(page).getByText('Feed unreadable. The chain answered, but this feed cannot be read').waitFor()
  expect(await dialog(page).locator('dt:visible').allTextContents()).toEqual(['Feed', 'Token'])
  const { feeds } = JSON.parse(await (await fetch(`${deployment.baseUrl}/price`)).text())
  const { explorer, ...listed } = feeds.find((entry: { symbol: string }) => entry.symbol === 'PFE')
  for (const name of ['feed', 'token'] as const) {
    const copy = dialog(page).getByRole('button', { name: `Copy ${name} address` })
    expect(await dialog(page).getByText(listed[name], { exact: true }).isVisible()).toBe(true)
    expect(await copy.isVisible()).toBe(true)
  }
  const links = dialog(page).getByRole('link', { name: 'Explorer' })
  expect(await links.evaluateAll(all => all.map(link => link.getAttribute('href')))).toEqual([
    explorer.feed,
    explorer.token,
  ])
})

test('a record whose refresh fails keeps its values, marked, and shows the failure', async ({ openBoard }) => {
  const { page } = await openBoard({ expected: failedRequest, prepare: page => page.clock.install() })
  await page.getByRole('link', { name: 'LLY' }).click()
  await dialog(page).getByText('The record').waitFor()
  await page.context().setOffline(true)
  await page.clock.fastForward(10_300)
  await dialog(page).getByText('No answer.').waitFor()
  expect(await dialog(page).locator('.failure').textContent()).toContain('What you see are the last good values.')
  expect(await dialog(page).getAttribute('data-failed')).toBe('')
  const chip = dialog(page).locator('.chip')
  expect(await chip.textContent()).toBe('Last known: OK')
  expect(await dialog(page).getByText('When it was last read: The price is current.').isVisible()).toBe(true)
  for (const forcedColors of ['active', 'none'] as const) {
    await page.emulateMedia({ forcedColors })
    expect(await chip.evaluate(one => one.computedStyleMap().get('border-style')?.toString())).toBe('dashed')
  }
  expect(await dialog(page).locator('.arithmetic').textContent()).toContain('882.6012')
  await page.context().setOffline(false)
  await page.clock.fastForward(10_300)
  await dialog(page).getByText('No answer.').waitFor({ state: 'hidden' })
  expect(await dialog(page).getAttribute('data-failed')).toBeNull()
  expect(await chip.textContent()).toBe('OK')
})

test('without the lists a record is not marked, and links to no other network', async ({ openBoard }) => {
  const { page, requests } = await openBoard({
    query: '?feed=NFLX',
    expected: failedRequest,
    prepare: page => page.route(listPath, route => route.fulfill({ status: 502, body: '' })),
  })
  await dialog(page).getByText('cast call').first().waitFor()
  await page.locator('#failure').getByText('HTTP 502').waitFor({ state: 'attached' })
  await expect.poll(() => requests).toContain('/price?network=testnet')
  expect(await dialog(page).getByRole('link', { name: 'See' }).count()).toBe(0)
  expect(await dialog(page).locator('.failure').textContent()).toBe('')
  expect(await dialog(page).locator('.chip').textContent()).toBe('Straddle')
  expect(
    await dialog(page)
      .locator('.facts')
      .evaluate(one => one.computedStyleMap().get('filter')?.toString()),
  ).toBe('none')
})
