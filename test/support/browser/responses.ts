import type { Page, Route } from 'playwright-core'
import { Problem } from '../../../api/problems.ts'
import { toListText } from '../board/real-list.ts'

/** Matches the list of both networks. */
export const listPath = /\/price(\?.*)?$/

/** Changes the API's lists on their way to the page. */
export async function changeLists(page: Page, change: (text: string) => string): Promise<void> {
  await page.route(listPath, async route => {
    const response = await route.fetch()
    await route.fulfill({ response, body: change(await response.text()) })
  })
}

/** Changes the API's lists so that no feed serves its price. */
export function refuseAll(page: Page): Promise<void> {
  const refused = '"servesLatestRoundData":false,"latestRoundDataReverts":"FeedUnavailable"'
  return changeLists(page, text => text.replaceAll('"servesLatestRoundData":true', refused))
}

/** Adds headers to the API's responses, as a cache, a proxy or the local run does. */
export async function addHeaders(
  page: Page,
  toHeaders: (body: { readonly readAt: string }) => Readonly<Record<string, string>>,
): Promise<void> {
  await page.route(/\/price/, async route => {
    const response = await route.fetch()
    await route.fulfill({ response, headers: { ...response.headers(), ...toHeaders(await response.json()) } })
  })
}

export const localRpcUrls = { mainnet: 'http://127.0.0.1:8545', testnet: 'http://127.0.0.1:8546' } as const

/** Marks the chains of both networks as local, as the local run does (D28). */
export function markAsLocal(page: Page): Promise<void> {
  const { mainnet, testnet } = localRpcUrls
  return addHeaders(page, () => ({ 'x-local-chains': `mainnet=${mainnet} testnet=${testnet}` }))
}

/** Fails requests with a problem of the API. */
export const failing = (route: Route) =>
  route.fulfill({
    status: 503,
    contentType: 'application/problem+json',
    headers: { 'retry-after': '10' },
    body: JSON.stringify(new Problem('chain-unavailable').body),
  })

/** Answers requests of the list with five feeds of known values. */
export async function listFive(page: Page): Promise<void> {
  const text = toListText(
    { answer: 3_00000001n, served: false, status: 'Stale' }, // AAPL
    { answer: 50_000_000n }, // AMC
    'no data', // AVGO
    'unreadable', // BA
    { answer: 2_00000000n, status: 'Market closed', multiplier: 4n * 10n ** 18n }, // CCL
  )
  await page.route(listPath, route => {
    const readAt = new Date().toISOString()
    return route.fulfill({ body: text.replace(/(?<="readAt":")[^"]+/g, readAt), headers: { date: readAt } })
  })
}
