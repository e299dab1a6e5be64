import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { FaultyNode } from '../chain/faulty-node.ts'
import { listPath, recordPath } from './answers.ts'
import { failedRequest, feedCounts, symbolsOf, test } from './board.ts'

const banner = (page: Page) => page.locator('#failure')
const listed = (page: Page) => page.locator('tbody tr').first().waitFor({ state: 'attached' })

/** Moves the page's clock to its next request. */
const nextTry = (page: Page) => page.clock.fastForward(10_300)

/** Runs a task while a node is down. */
async function whileDown(node: FaultyNode, work: () => Promise<void>): Promise<void> {
  await node.stop()
  await work().finally(node.restart)
}

test('while the chain is down, the last good values stay, marked, with the problem’s text', async ({
  openBoard,
  deployment,
}) => {
  const { page } = await openBoard({ expected: failedRequest, prepare: page => page.clock.install() })
  await listed(page)
  const before = await page.locator('tbody .price').allTextContents()
  await whileDown(deployment.nodes.mainnet, async () => {
    deployment.advance(10_000)
    await nextTry(page)
    await banner(page).getByText('Chain unavailable').waitFor()
    expect(await banner(page).textContent()).toMatch(
      /^Chain unavailable\. .+\. What you see are the last good values\. Trying again\.$/,
    )
    expect(await page.locator('tbody .price').allTextContents()).toEqual(before)
    expect(await page.locator('[data-failed] tbody').count()).toBe(1)
    expect(await page.locator('tbody .chip').first().textContent()).toBe('Last known: OK')
    expect(await page.locator('tbody .chip:not([data-last-known])').count()).toBe(0)
    expect(await page.locator('#freshness').textContent()).toMatch(/read 1\d s ago$/)
  })
  deployment.advance(10_000)
  await nextTry(page)
  await banner(page).waitFor({ state: 'hidden' })
  expect(await page.locator('[data-failed], [data-last-known]').count()).toBe(0)
  expect(await page.locator('#freshness').textContent()).toMatch(/read \d s ago$/)
})

test('while the chain is down from the start, there are no values', async ({ openBoard, deployment }) => {
  const query = '?network=testnet'
  await whileDown(deployment.nodes.testnet, async () => {
    const { page } = await openBoard({ query, expected: failedRequest })
    await banner(page).getByText('Chain unavailable').waitFor()
    expect(await page.locator('#empty').textContent()).toBe('There is nothing to show yet.')
    expect(await banner(page).textContent()).not.toContain('last good values')
    await page.getByText('Mainnet').click()
    await listed(page)
    expect(await banner(page).isVisible()).toBe(false)
  })
  deployment.advance(10_000)
  const { page } = await openBoard({ query, expected: failedRequest })
  await listed(page)
  expect(await symbolsOf(page)).toHaveLength(feedCounts.testnet)
  expect(await banner(page).isVisible()).toBe(false)
})

test('after a 429 the board retries after a second', async ({ openBoard, deployment }) => {
  let isCrowded = true
  const { promise: refused, resolve: onRefused } = Promise.withResolvers<void>()
  const ask = async () => {
    while (isCrowded) {
      const response = await fetch(`${deployment.baseUrl}/price`)
      await response.text()
      if (response.status === 429) onRefused()
    }
  }
  const crowd = Promise.all(Array.from({ length: 8 }, ask))
  await refused
  const statuses: number[] = []
  const { page } = await openBoard({
    expected: failedRequest,
    prepare: async page => {
      await page.clock.install()
      await page.clock.pauseAt(Date.now() + 60_000)
      page.on('response', response => listPath.test(response.url()) && statuses.push(response.status()))
    },
  })
  await expect.poll(() => statuses).toHaveLength(1)
  // The first request can be let through.
  while (statuses.at(-1) !== 429) {
    const count = statuses.length
    await nextTry(page)
    await expect.poll(() => statuses).toHaveLength(count + 1)
  }
  await banner(page).getByText('Too many requests').waitFor()
  expect(await banner(page).textContent()).toMatch(/ Trying again\.$/)
  isCrowded = false
  await crowd
  // Time for the gateway to let a request through.
  deployment.advance(1_000)
  await page.clock.fastForward(1_300)
  await listed(page)
  await banner(page).waitFor({ state: 'hidden' })
})

test('without a connection the board shows a failure, and recovers by itself', async ({ openBoard }) => {
  const { page } = await openBoard({ expected: failedRequest, prepare: page => page.clock.install() })
  await listed(page)
  await page.context().setOffline(true)
  await nextTry(page)
  await banner(page).getByText('No answer. The service could not be reached, or did not answer in time.').waitFor()
  expect(await symbolsOf(page)).toHaveLength(feedCounts.mainnet)
  await page.context().setOffline(false)
  await nextTry(page)
  await banner(page).waitFor({ state: 'hidden' })
})

test.for([
  [
    'a page with status 200',
    { status: 200, body: '<!doctype html><p>Hello' },
    'Unexpected response. The response is not',
  ],
  ['JSON of another kind', { status: 200, body: '{"feeds":"none"}' }, 'Unexpected response. The response is not'],
  ['an empty body', { status: 200, body: '' }, 'Unexpected response. The response is not'],
  ['an array', { status: 200, body: '[]' }, 'Unexpected response. The response is not'],
  ['null', { status: 200, body: 'null' }, 'Unexpected response. The response is not'],
  [
    'a page with status 502',
    { status: 502, body: '<html>Bad gateway' },
    'HTTP 502. The service answered with an error.',
  ],
  ['JSON with status 500', { status: 500, body: '{"message":null}' }, 'HTTP 500. The service answered with an error.'],
  ['a forbidding proxy', { status: 403, body: '{"title":7}' }, 'HTTP 403. The service answered with an error.'],
] as const)(
  '%s in place of the list shows a failure, and the values stay',
  async ([, answer, words], { openBoard }) => {
    const { page } = await openBoard({ expected: failedRequest, prepare: page => page.clock.install() })
    await listed(page)
    await page.route(listPath, route => route.fulfill(answer))
    await nextTry(page)
    await banner(page).getByText(words).waitFor()
    expect(await symbolsOf(page)).toHaveLength(feedCounts.mainnet)
    await page.unroute(listPath)
    await nextTry(page)
    await banner(page).waitFor({ state: 'hidden' })
  },
)

/** Makes `AbortSignal.timeout` follow the page's clock, which Playwright does not. */
const useClockForTimeouts = `AbortSignal.timeout = ms => {
  const controller = new AbortController()
  setTimeout(() => controller.abort(new DOMException('', 'TimeoutError')), ms)
  return controller.signal
}`

test('a request without a response ends after 12 seconds, later than the API’s own deadline', async ({ openBoard }) => {
  const { page, requests } = await openBoard({
    prepare: async page => {
      await page.clock.install()
      await page.addInitScript({ content: useClockForTimeouts })
      await page.route(listPath, () => {})
    },
  })
  await expect.poll(() => requests).toContain('/price')
  await page.clock.runFor(10_000)
  expect(await banner(page).isVisible()).toBe(false)
  await page.clock.runFor(2_000)
  await banner(page).getByText('No answer').waitFor()
})

test('a board that is throttled does not retry before Retry-After, not even when the button is pressed', async ({
  openBoard,
}) => {
  const { page, requests } = await openBoard({
    expected: failedRequest,
    prepare: async page => {
      await page.clock.install()
      await page.route(listPath, route =>
        route.fulfill({ status: 429, headers: { 'Retry-After': '30' }, body: '{"title":"Down","detail":"Later."}' }),
      )
    },
  })
  await banner(page).getByText('Down. Later. Trying again.').waitFor()
  await page.clock.runFor(25_000)
  const retry = page.locator('.retry')
  await retry.getByRole('button').click({ force: true })
  expect(await retry.locator('span').textContent()).toMatch(/^Next attempt in \d s, as the service requests$/)
  expect(requests.filter(path => path === '/price')).toHaveLength(1)
  await page.clock.runFor(6_000)
  await expect.poll(() => requests.filter(path => path === '/price').length).toBe(2)
})

test.for([
  ['the list', '', 'main', listPath],
  ['a record', '?feed=IBM', 'dialog', recordPath],
] as const)(
  'a retry of %s can be requested before the next attempt, which is announced',
  async ([, query, within, path], { openBoard }) => {
    const { page } = await openBoard({ query, expected: failedRequest, prepare: page => page.clock.install() })
    await listed(page)
    await page
      .getByText(query === '' ? 'AAPL' : 'cast call')
      .first()
      .waitFor()
    let asked = 0
    await page.route(path, route => {
      asked += 1
      const unavailable = { status: 503, headers: { 'Retry-After': '10' }, body: '{"title":"Down","detail":"Later."}' }
      return asked === 1 ? route.fulfill(unavailable) : undefined
    })
    await nextTry(page)
    const retry = page.locator(`${within} .retry`)
    await retry.waitFor()
    await page.clock.pauseAt(await page.evaluate<number>('Date.now() + 3_000'))
    expect(await retry.locator('span').textContent()).toMatch(/^Next attempt in [4-7] s$/)
    const button = retry.getByRole('button', { name: 'Retry now' })
    await button.click()
    await expect.poll(() => asked).toBe(2)
    expect(await retry.locator('span').textContent()).toBe('Requesting…')
    // A second click does not abort the request that is under way.
    await button.click({ force: true })
    expect(await button.getAttribute('aria-disabled')).toBe('true')
    expect(asked).toBe(2)
    await page.unroute(path)
  },
)
