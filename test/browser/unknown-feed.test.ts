import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { changeAnswers, listPath } from './answers.ts'
import { failedRequest, test } from './board.ts'
import { describeFocus } from './in-page.ts'

const dialog = (page: Page) => page.getByRole('dialog')

test.for([
  '?feed=NOPE',
  '?network=testnet&feed=CRWD',
  `?feed=${encodeURIComponent('<img src=x onerror=alert(1)>')}`,
  '?feed=..%2F..%2F',
  '?feed=..',
  '?feed=.',
])(
  'an unknown feed, %s, is shown as such, is not requested again, and closes with the focus on the search',
  async (query, { openBoard }) => {
    const { page, requests } = await openBoard({
      query,
      expected: failedRequest,
      prepare: page => page.clock.install(),
    })
    await dialog(page).getByRole('heading', { name: 'Unknown symbol' }).waitFor()
    await page.locator('tbody tr').first().waitFor({ state: 'attached' })
    await expect.poll(() => page.title()).toMatch(/^Unknown symbol · Price Lookup/)
    expect(await dialog(page).locator('.failure').textContent()).toBe('This network has no feed of that symbol.')
    await page.clock.runFor(65_000)
    const asked = requests.filter(path => path.startsWith('/price') && !listPath.test(path))
    expect(asked.length).toBeLessThanOrEqual(1)
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'hidden' })
    await expect.poll(() => page.url()).not.toContain('feed=')
    await page.locator('tbody tr').first().waitFor()
    await expect.poll(() => page.evaluate(describeFocus)).toBe('search')
  },
)

test('a text that cannot be a symbol is not requested', async ({ openBoard }) => {
  const { page, requests } = await openBoard({ query: '?feed=..' })
  await dialog(page).getByRole('heading', { name: 'Unknown symbol' }).waitFor()
  await page.locator('tbody tr').first().waitFor({ state: 'attached' })
  expect(requests.filter(path => !listPath.test(path))).toEqual(['/?feed=..'])
})

test('before the list is loaded, the API’s 404 makes a symbol unknown', async ({ openBoard }) => {
  const { page, requests } = await openBoard({
    query: '?feed=NOPE',
    expected: failedRequest,
    prepare: async page => {
      await page.clock.install()
      await page.route(listPath, route => (route.request().url().endsWith('/price') ? undefined : route.continue()))
    },
  })
  await dialog(page).getByRole('heading', { name: 'Unknown symbol' }).waitFor()
  await page.clock.runFor(11_000)
  expect(requests.filter(path => path === '/price/NOPE')).toHaveLength(1)
})

test('a symbol in another case opens the feed under its own symbol', async ({ openBoard }) => {
  const { page } = await openBoard({ query: '?feed=crwd' })
  await dialog(page).getByRole('heading', { name: 'CRWD', exact: true }).waitFor()
  await expect.poll(() => page.title()).toBe('CRWD · Price Lookup')
  await dialog(page).getByText('cast call').first().waitFor()
  await page.getByRole('link', { name: 'CRWD', includeHidden: true }).waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => page.evaluate(describeFocus)).toBe('CRWD')
})

test('an open unknown feed is shown when a later list contains it', async ({ openBoard }) => {
  let isListed = false
  const { page } = await openBoard({
    query: '?feed=IBM',
    prepare: async page => {
      await page.clock.install()
      await page.route(/\/price\/IBM/, route => (isListed ? route.continue() : undefined))
      await changeAnswers(page, listPath, text => (isListed ? text : text.replace('"IBM"', '"OTHER"')))
    },
  })
  await dialog(page).getByRole('heading', { name: 'Unknown symbol' }).waitFor()
  isListed = true
  await page.clock.fastForward(10_300)
  await dialog(page).getByRole('heading', { name: 'IBM' }).waitFor()
  await dialog(page).getByText('cast call').first().waitFor()
})

test.for([
  ['that both networks have', '?feed=nflx', 'NFLX', 'See NFLX on Testnet', 'testnet'],
  ['that only the other has', '?feed=LABtsla', 'Unknown symbol', 'See labTSLA on Testnet', 'testnet'],
  ['of the mainnet', '?feed=CRWD&network=testnet&show=OK', 'Unknown symbol', 'See CRWD on Mainnet', ''],
] as const)('a link leads to a symbol %s', async ([, query, heading, name, network], { openBoard }) => {
  const { page, requests } = await openBoard({ query, expected: failedRequest })
  await dialog(page).getByRole('heading', { name: heading }).waitFor()
  const link = dialog(page).getByRole('link', { name })
  const before = page.url()
  await link.click()
  await dialog(page).getByText('cast call').first().waitFor()
  expect(new URL(page.url()).searchParams.get('network') ?? '').toBe(network)
  expect(await dialog(page).getByRole('heading', { level: 2 }).textContent()).toBe(name.split(' ')[1])
  // The list of the other network was read already, for the link.
  const back = dialog(page).getByRole('link', { name: 'See' })
  expect(await back.count()).toBe(heading === 'NFLX' ? 1 : 0)
  await page.goBack()
  await expect.poll(() => page.url()).toBe(before)
  await dialog(page).getByRole('heading', { name: heading }).waitFor()
  expect(requests.filter(path => /\/price\?network=testnet$/.test(path)).length).toBeLessThan(3)
})
