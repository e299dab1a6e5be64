import type { Page, Route } from 'playwright-core'
import { expect } from 'vitest'
import { listPath } from './answers.ts'
import { failedRequest, feedCounts, rowOf, symbolsOf, test } from './board.ts'

/** Holds requests back until a test releases them. */
function createGate() {
  const held: (() => void)[] = []
  return {
    held,
    pass: () => new Promise<void>(resolve => held.push(resolve)),
  }
}

const withPrice = (text: string, price: string) => text.replace(/("symbol":"AAPL".*?"price":)[\d.]+/, `$1${price}`)

test('input before the first response causes no further request', async ({ openBoard }) => {
  const gate = createGate()
  const { page, requests } = await openBoard({
    prepare: page =>
      page.route(listPath, async route => {
        await gate.pass()
        await route.continue()
      }),
  })
  await page.getByLabel('Symbol').pressSequentially('aapl')
  await page.getByLabel('Show').selectOption('Served to a contract')
  expect(requests).toEqual(['/', '/price'])
  for (const release of gate.held) release()
  await expect.poll(() => symbolsOf(page)).toEqual(['AAPL'])
  expect(requests).toEqual(['/', '/price'])
})

test('an older response never replaces a newer one', async ({ openBoard }) => {
  const gate = createGate()
  let asked = 0
  const answer = async (route: Route) => {
    asked += 1
    const price = `${asked}.5`
    if (asked === 1) await gate.pass()
    const response = await route.fetch()
    // The page has aborted the first request.
    await route.fulfill({ response, body: withPrice(await response.text(), price) }).catch(() => {})
  }
  const { page } = await openBoard({ prepare: page => page.route(/\/price$/, answer) })
  await expect.poll(() => asked).toBe(1)
  await page.getByText('Testnet').click()
  await expect.poll(() => symbolsOf(page)).toContain('labTSLA')
  await page.getByText('Mainnet').click()
  await expect.poll(() => rowOf(page, 'AAPL').locator('.price').textContent()).toBe('2.5')
  for (const release of gate.held) release()
  await page.waitForTimeout(500)
  expect(await rowOf(page, 'AAPL').locator('.price').textContent()).toBe('2.5')
  expect(await page.locator('#failure').textContent()).toBe('')
})

const broken = '{"feeds":[{}],"readAt":"2026-10-03T22:30:00.789Z","network":"Robinhood Chain","block":1}'

test.for([
  ['at first', true],
  ['later', false],
] as const)('a malformed list, %s, does not stop the board', async ([, isFirst], { openBoard }) => {
  let isBroken: boolean = isFirst
  const prepare = async (page: Page) => {
    await page.clock.install()
    await page.route(listPath, route =>
      isBroken ? route.fulfill({ contentType: 'application/json', body: broken }) : route.continue(),
    )
  }
  const { page } = await openBoard({ prepare, expected: failedRequest })
  if (!isFirst) {
    await page.locator('tbody tr').first().waitFor()
    isBroken = true
    await page.clock.fastForward(10_300)
  }
  await page.locator('#failure').getByText('Unexpected response. The response is not from this service.').waitFor()
  expect(await symbolsOf(page)).toHaveLength(isFirst ? 0 : feedCounts.mainnet)
  isBroken = false
  await page.clock.fastForward(10_300)
  await page.locator('#failure').waitFor({ state: 'hidden' })
  expect(await symbolsOf(page)).toHaveLength(feedCounts.mainnet)
})

test('an error while a response is drawn does not stop the board', async ({ openBoard }) => {
  const { page, requests } = await openBoard({ prepare: page => page.clock.install() })
  await page.locator('tbody tr').first().waitFor()
  await page.evaluate(`globalThis.sort = Array.prototype.toSorted
    Array.prototype.toSorted = () => { throw new Error('Not today') }`)
  const lists = () => requests.filter(path => path === '/price').length
  await page.clock.fastForward(10_300)
  await expect.poll(lists).toBe(2)
  await page.evaluate('Array.prototype.toSorted = sort')
  await expect
    .poll(async () => {
      await page.clock.fastForward(10_300)
      return lists()
    })
    .toBeGreaterThan(2)
  expect(await symbolsOf(page)).toHaveLength(feedCounts.mainnet)
})

test('the view changes although the browser refuses to change the URL', async ({ openBoard }) => {
  const { page } = await openBoard()
  await page.locator('tbody tr').first().waitFor()
  await page.evaluate(
    `history.replaceState = history.pushState = () => { throw new DOMException('', 'SecurityError') }`,
  )
  await page.getByLabel('Symbol').fill('ibm')
  await expect.poll(() => symbolsOf(page)).toEqual(['IBM'])
  await page.getByRole('link', { name: 'IBM' }).click()
  await page.getByRole('dialog').getByText('cast call').first().waitFor()
})
