import { expect } from 'vitest'
import {
  bannerOf,
  countRequests,
  failedRequest,
  feedCounts,
  listed,
  nextRequest,
  opened,
  refresh,
  symbolsOf,
  test,
} from '../support/browser/board.ts'
import { listPath, recordPath } from '../support/browser/responses.ts'

/** The API's response while the chain is down. */
const unavailable = {
  status: 503,
  headers: { 'Retry-After': '10' },
  body: JSON.stringify({
    type: 'urn:problem-type:price-lookup:chain-unavailable',
    title: 'Chain unavailable',
    detail: 'The chain could not be read in time.',
  }),
}

test('while the chain is down, the last good values stay, marked, with the problem’s text', async ({ openBoard }) => {
  const { page } = await openBoard({ expected: failedRequest, movesClock: true })
  await listed(page)
  const before = await page.locator('#rows .price .digits').allTextContents()
  await page.route(listPath, route => route.fulfill(unavailable))
  await refresh(page)
  expect(await bannerOf(page).textContent()).toBe(
    'Chain unavailable. The chain could not be read in time. What you see are the last good values. Trying again.',
  )
  expect(await page.locator('#rows .price .digits').allTextContents()).toEqual(before)
  expect(await page.locator('[data-failed=later] #rows').count()).toBe(1)
  expect(await page.locator('#rows .chip').first().textContent()).toBe('Last known: OK')
  expect(await page.locator('#rows .chip:not([data-last-known])').count()).toBe(0)
  expect(await page.locator('#freshness').textContent()).toMatch(/read [1-9]\d s ago$/)
  // The end of the page can be scrolled out from under it.
  await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
  const [keys, failure] = [await page.locator('.keys').boundingBox(), await page.locator('#failure').boundingBox()]
  expect(Number(keys?.y) + Number(keys?.height)).toBeLessThanOrEqual(Number(failure?.y))
  await page.unroute(listPath)
  await refresh(page)
  await bannerOf(page).waitFor({ state: 'hidden' })
  expect(await page.locator('[data-failed], [data-last-known]').count()).toBe(0)
})

test('while the chain is down from the start, the feeds are listed without values, chips, filters and buttons', async ({
  openBoard,
}) => {
  const { page } = await openBoard({ expected: failedRequest })
  await listed(page)
  const oneBlock = page.getByText('All rows are from one block')
  expect(await oneBlock.count()).toBe(1)
  await page.route(/network=testnet/, route => route.fulfill(unavailable))
  await page.getByText('Testnet').click()
  await bannerOf(page).getByText('Chain unavailable').waitFor()
  expect(await symbolsOf(page)).toEqual(['AMD', 'AMZN', 'labTSLA', 'NFLX', 'PLTR', 'TSLA'])
  expect(new Set(await page.locator('#rows td').allTextContents())).toEqual(new Set(['–']))
  expect(await page.locator('#rows .chip, .filter-buttons, .export').count()).toBe(0)
  expect(await oneBlock.count()).toBe(0)
  await page.getByLabel('Search').fill('tesla')
  expect(await symbolsOf(page)).toEqual(['labTSLA', 'TSLA'])
  await page.evaluate(`getSelection().selectAllChildren(document.querySelector('#rows'))`)
  await page.keyboard.press('ControlOrMeta+C')
  expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(/labTSLA.*\bTSLA/s)
  await page.getByLabel('Search').fill('')
  expect(await bannerOf(page).textContent()).not.toContain('last good values')
  await page.getByText('Mainnet').click()
  await listed(page)
  expect(await bannerOf(page).isVisible()).toBe(false)
})

const notOurs = 'Unexpected response. The response is not from this service.'
const responses = [
  ['the JSON of another service', 200, '{"feeds":[{}]}', notOurs],
  ['a page', 200, '<!doctype html><p>Hello', notOurs],
  ['null with an error', 500, 'null', 'HTTP 500. The service responded with an error.'],
  ['a forbidding proxy', 403, '{"title":7}', 'HTTP 403. The service responded with an error.'],
] as const

test('any other response in place of the list shows a failure, and the values stay', async ({ openBoard }) => {
  const { page } = await openBoard({ movesClock: true, expected: failedRequest })
  await listed(page)
  for (const [name, status, body, words] of responses) {
    await page.route(listPath, route => route.fulfill({ status, body }))
    await refresh(page)
    expect(await bannerOf(page).textContent()).toContain(words)
    expect(await symbolsOf(page), name).toHaveLength(feedCounts.mainnet)
    await page.unroute(listPath)
    await refresh(page)
    expect(await bannerOf(page).textContent()).toBe('')
  }
})

/** Makes `AbortSignal.timeout` follow the page's clock, which Playwright does not. */
const useClockForTimeouts = `AbortSignal.timeout = ms => {
  const controller = new AbortController()
  setTimeout(() => controller.abort(new DOMException('', 'TimeoutError')), ms)
  return controller.signal
}`

test('a request without a response ends after 12 seconds, later than the API’s own deadline', async ({ openBoard }) => {
  const { page, requests } = await openBoard({
    movesClock: true,
    prepare: async page => {
      await page.addInitScript({ content: useClockForTimeouts })
      await page.route(listPath, () => {})
    },
  })
  await expect.poll(() => requests).toContain('/price')
  await page.clock.runFor(10_000)
  expect(await bannerOf(page).isVisible()).toBe(false)
  await page.clock.runFor(2_000)
  await bannerOf(page).getByText('No response. The service could not be reached, or did not respond in time.').waitFor()
})

test('a board that is throttled does not retry before Retry-After, not even when the button is pressed', async ({
  openBoard,
}) => {
  const { page } = await openBoard({
    movesClock: true,
    expected: failedRequest,
    prepare: page =>
      page.route(listPath, route =>
        route.fulfill({ status: 429, headers: { 'Retry-After': '30' }, body: '{"title":"Down","detail":"Later."}' }),
      ),
  })
  await bannerOf(page).getByText('Down. Later. Trying again.').waitFor()
  await page.clock.runFor(25_000)
  const retry = page.locator('.retry')
  await retry.getByRole('button').click({ force: true })
  expect(await retry.locator('span').textContent()).toBe('Next attempt in 5 s, as the service requests')
  expect(await countRequests(page)).toBe(1)
  await page.clock.runFor(6_000)
  expect(await countRequests(page)).toBe(2)
})

test.for([
  ['the list', '', 'main', listPath, listed],
  ['a record', '?feed=IBM', 'dialog', recordPath, opened],
] as const)(
  'a retry of %s can be requested before the next attempt, which is announced',
  async ([, query, within, path, ready], { openBoard }) => {
    const { page } = await openBoard({ query, expected: failedRequest, movesClock: true })
    await ready(page)
    let requestCount = 0
    await page.route(path, route => {
      requestCount += 1
      return requestCount === 1 ? route.fulfill(unavailable) : undefined
    })
    await nextRequest(page)
    const retry = page.locator(`${within} .retry`)
    await retry.waitFor()
    await page.clock.fastForward(3_000)
    expect(await retry.locator('span').textContent()).toBe('Next attempt in 7 s')
    const button = retry.getByRole('button', { name: 'Retry now' })
    await button.click()
    await expect.poll(() => requestCount).toBe(2)
    expect(await retry.locator('span').textContent()).toBe('Requesting…')
    // A second click does not abort the request that is under way.
    await button.click({ force: true })
    expect(await button.getAttribute('aria-disabled')).toBe('true')
    expect(requestCount).toBe(2)
    await page.unroute(path)
  },
)
