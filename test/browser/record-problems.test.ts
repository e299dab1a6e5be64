import type { Page } from 'playwright-core'
import { expect, inject } from 'vitest'
import registry from '../../lambda/feeds/registry.json' with { type: 'json' }
import { misbehave } from '../../local/stand-in-feed.ts'
import { failedRequest, rowOf, test } from './board.ts'

const dialog = (page: Page) => page.getByRole('dialog')

test('a feed that cannot be read says so in its row, and in its record why, and where it is', async ({
  openBoard,
  deployment,
}) => {
  const pfe = registry.mainnet.find(({ symbol }) => symbol === 'PFE')?.address as `0x${string}`
  const rpcUrl = inject('rpcUrls').mainnet
  await misbehave(rpcUrl, pfe, 'latestDetail()', { revert: '0x' })
  try {
    const { page } = await openBoard({ expected: failedRequest })
    await rowOf(page, 'PFE').getByText('Unreadable').waitFor({ timeout: 20_000 })
    expect(await rowOf(page, 'PFE').locator('td').allTextContents()).toEqual(['Unreadable', '–', '–', '–', '–', '–'])
    await page.getByRole('link', { name: 'PFE' }).click()
    await dialog(page).getByText('Feed unreadable. The chain answered, but this feed cannot be read').waitFor()
    expect(await dialog(page).locator('dt:visible').allTextContents()).toEqual(['Feed', 'Token'])
    const { feeds } = JSON.parse(await (await fetch(`${deployment.baseUrl}/price`)).text())
    const { explorer, ...listed } = feeds.find((entry: { symbol: string }) => entry.symbol === 'PFE')
    for (const name of ['feed', 'token'] as const) {
      expect(await dialog(page).getByText(listed[name], { exact: true }).isVisible()).toBe(true)
      expect(
        await dialog(page)
          .getByRole('button', { name: `Copy ${name} address` })
          .isVisible(),
      ).toBe(true)
    }
    const links = dialog(page).getByRole('link', { name: 'Explorer' })
    expect(await links.evaluateAll(all => all.map(link => link.getAttribute('href')))).toEqual([
      explorer.feed,
      explorer.token,
    ])
  } finally {
    await misbehave(rpcUrl, pfe, 'latestDetail()', 'behave')
  }
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
  expect(await dialog(page).locator('.arithmetic').textContent()).toContain('882.6012')
  await page.context().setOffline(false)
  await page.clock.fastForward(10_300)
  await dialog(page).getByText('No answer.').waitFor({ state: 'hidden' })
  expect(await dialog(page).getAttribute('data-failed')).toBeNull()
})
