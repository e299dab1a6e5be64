import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { FaultyNode } from '../chain/faulty-node.ts'
import { listPath } from './answers.ts'
import { failedRequest, symbolsOf, test } from './board.ts'

const banner = (page: Page) => page.locator('#failure')
const listed = (page: Page) => page.locator('tbody tr').first().waitFor()

/** Lets the page wait no longer for what it waits for. */
const nextTry = (page: Page) => page.clock.fastForward(10_300)

/** Does something while a node is down. */
async function whileDown(node: FaultyNode, work: () => Promise<void>): Promise<void> {
  await node.stop()
  await work().finally(node.restart)
}

test('when the chain is down, the last good values stay, marked and with the problem’s words, until it is back', async ({
  openBoard,
  deployment,
}) => {
  const { page } = await openBoard({ expected: failedRequest, prepare: page => page.clock.install() })
  await listed(page)
  const before = await page.locator('tbody .price').allTextContents()
  await whileDown(deployment.nodes.mainnet, async () => {
    // The cache still answers; then nobody does.
    await page.waitForResponse(response => response.status() === 503)
    await banner(page).getByText('Chain unavailable').waitFor()
    expect(await banner(page).textContent()).toMatch(
      /^Chain unavailable\. .+\. What you see are the last good values\. Trying again\.$/,
    )
    expect(await page.locator('tbody .price').allTextContents()).toEqual(before)
    expect(await page.locator('[data-failed] tbody').count()).toBe(1)
    expect(await page.locator('#freshness').textContent()).toMatch(/read 1\d s ago$/)
  })
  await nextTry(page)
  await banner(page).waitFor({ state: 'hidden' })
  expect(await page.locator('[data-failed]').count()).toBe(0)
  expect(await page.locator('#freshness').textContent()).toMatch(/read \d s ago$/)
})

test('when the chain is down from the beginning, there is nothing to show, until it is there', async ({
  openBoard,
  deployment,
}) => {
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
  const { page } = await openBoard({ query, expected: failedRequest })
  await listed(page)
  expect(await symbolsOf(page)).toHaveLength(6)
  expect(await banner(page).isVisible()).toBe(false)
})

test('who is told to slow down asks again after a second, and is answered', async ({ openBoard, deployment }) => {
  let isCrowded = true
  const ask = async () => {
    while (isCrowded) await (await fetch(`${deployment.baseUrl}/price`)).text()
  }
  const crowd = Promise.all(Array.from({ length: 8 }, ask))
  const { page } = await openBoard({ expected: failedRequest })
  await banner(page).getByText('Too many requests').waitFor()
  expect(await banner(page).textContent()).toMatch(/ Trying again\.$/)
  isCrowded = false
  await crowd
  await listed(page)
  await banner(page).waitFor({ state: 'hidden' })
})

test('without a network it says that nobody answers, and goes on by itself', async ({ openBoard }) => {
  const { page } = await openBoard({ expected: failedRequest, prepare: page => page.clock.install() })
  await listed(page)
  await page.context().setOffline(true)
  await nextTry(page)
  await banner(page).getByText('No answer. The service could not be reached, or did not answer in time.').waitFor()
  expect(await symbolsOf(page)).toHaveLength(21)
  await page.context().setOffline(false)
  await nextTry(page)
  await banner(page).waitFor({ state: 'hidden' })
})

test.for([
  ['a page with status 200', { status: 200, body: '<!doctype html><p>Hello' }, 'Not understood. What came is not'],
  ['JSON of another kind', { status: 200, body: '{"feeds":"none"}' }, 'Not understood. What came is not'],
  ['an empty body', { status: 200, body: '' }, 'Not understood. What came is not'],
  ['an array', { status: 200, body: '[]' }, 'Not understood. What came is not'],
  ['null', { status: 200, body: 'null' }, 'Not understood. What came is not'],
  [
    'a page with status 502',
    { status: 502, body: '<html>Bad gateway' },
    'HTTP 502. The service answered with an error.',
  ],
  ['JSON with status 500', { status: 500, body: '{"message":null}' }, 'HTTP 500. The service answered with an error.'],
  ['a forbidding proxy', { status: 403, body: '{"title":7}' }, 'HTTP 403. The service answered with an error.'],
] as const)('%s in the place of the list is told, and the values stay', async ([, answer, words], { openBoard }) => {
  const { page } = await openBoard({ expected: failedRequest, prepare: page => page.clock.install() })
  await listed(page)
  await page.route(listPath, route => route.fulfill(answer))
  await nextTry(page)
  await banner(page).getByText(words).waitFor()
  expect(await symbolsOf(page)).toHaveLength(21)
  await page.unroute(listPath)
  await nextTry(page)
  await banner(page).waitFor({ state: 'hidden' })
})

test('who never answers is given up after a while, longer than the API may take', async ({ openBoard }) => {
  const { page } = await openBoard({ prepare: page => page.route(listPath, () => {}) })
  const startedAt = Date.now()
  await banner(page).getByText('No answer').waitFor()
  expect(Date.now() - startedAt).toBeGreaterThan(10_000)
})

test('nobody asks again more often than the API says, however short it says', async ({ openBoard }) => {
  const { page, requests } = await openBoard({
    expected: failedRequest,
    prepare: async page => {
      await page.clock.install()
      await page.route(listPath, route =>
        route.fulfill({ status: 503, headers: { 'Retry-After': '30' }, body: '{"title":"Down","detail":"Later."}' }),
      )
    },
  })
  await banner(page).getByText('Down. Later. Trying again.').waitFor()
  await page.clock.runFor(25_000)
  expect(requests.filter(path => path === '/price')).toHaveLength(1)
  await page.clock.runFor(6_000)
  await expect.poll(() => requests.filter(path => path === '/price').length).toBe(2)
})
