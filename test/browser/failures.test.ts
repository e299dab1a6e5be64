import type { Page, Route } from 'playwright-core'
import { expect } from 'vitest'
import {
  countRequests,
  dialogOf,
  failedRequest,
  failureOf,
  listed,
  nextRequest,
  opened,
  refresh,
  rowOf,
  settled,
  setVisibility,
  summaryOf,
  test,
} from '../support/browser/board.ts'
import { failing, listPath, markAsLocal } from '../support/browser/responses.ts'

const problem = (status: number, retryAfter: number) => (route: Route) =>
  route.fulfill({ status, headers: { 'retry-after': String(retryAfter) }, body: '{"title":"T","detail":"D"}' })

const opening = { movesClock: true, expected: failedRequest }

test('during an outage the list and a record are in the past tense, until a response', async ({ openBoard }) => {
  const { page } = await openBoard({ ...opening, query: '?feed=CRWD' })
  await settled(page)
  await page.route(/\/price/, failing)
  await refresh(page)
  expect(await summaryOf(page).textContent()).toMatch(
    /^When last read, \d+ of \d+ feeds would have served a lending market, 1 unr/,
  )
  const verdictOf = (symbol: string) => rowOf(page, symbol).locator('td.served').textContent()
  expect(await verdictOf('CRWD')).toBe('✓was served, market closed')
  expect(await verdictOf('NFLX')).toBe('✕was not served: straddle')
  expect(await failureOf(page).textContent()).toMatch(
    /^Chain unavailable\. No reading of the chain could be served\. .* Next attempt in \d+ s\.$/,
  )
  await page.getByRole('dialog', { name: 'CRWD, was served, market closed' }).waitFor()
  expect(await dialogOf(page).textContent()).toMatch(
    /A lending market would have got this price: its call, latestRoundData\(\), returned it\.Status: Market closed\. Meaning: The price is older /,
  )
  await page.unroute(/\/price/)
  await refresh(page)
  expect(await summaryOf(page).textContent()).toMatch(/ now, 1 unreadable$/)
  expect(await verdictOf('CRWD')).toBe('✓served, market closed')
  expect(await dialogOf(page).textContent()).toMatch(
    /A lending market gets this price: its call, latestRoundData\(\), returns it\.Status: Market closed\. The price is older /,
  )
})

test('the next attempt after a first failure is announced in seconds, and as now while it runs', async ({
  openBoard,
}) => {
  const { page } = await openBoard({ ...opening, prepare: page => page.route(listPath, problem(503, 12)) })
  await failureOf(page).getByText(' Next attempt in 12 s.').waitFor()
  await settled(page)
  const held = Promise.withResolvers<void>()
  await page.route(listPath, route => held.promise.then(() => route.continue()))
  await page.clock.runFor(7_000)
  await failureOf(page).getByText(' Next attempt in 5 s.').waitFor()
  await page.clock.runFor(5_000)
  expect(await failureOf(page).textContent()).toMatch(/ Next attempt now\.$/)
  // The page is drawn again while the attempt runs.
  await page.clock.runFor(3_000)
  expect(await failureOf(page).textContent()).toMatch(/ Next attempt now\.$/)
  held.resolve()
  await rowOf(page, 'AAPL').waitFor()
})

/** Temporary failures, each by the first words of the sentence that the board shows. */
const passing: Readonly<Record<string, (route: Route) => Promise<void>>> = {
  // A `Retry-After` of 1 s does not shorten the delay: the address would stay above its limit.
  'T. D Next attempt in 10 s.': problem(429, 1),
  'HTTP 404': route => route.fulfill({ status: 404, body: '<h1>Not found</h1>' }),
  'No response': route => route.abort(),
  // This list has a symbol twice.
  'Unexpected response': async route => {
    const response = await route.fetch()
    await route.fulfill({ response, body: (await response.text()).replaceAll('"CCL"', '"COST"') })
  },
}

test("after a 429, a proxy's error, no response or an odd one, list and record stay and are refreshed", async ({
  openBoard,
}) => {
  const { page } = await openBoard({ ...opening, query: '?feed=CCL' })
  await opened(page)
  for (const [sentence, fail] of Object.entries(passing)) {
    await page.route(/\/price/, fail)
    await refresh(page)
    expect(await rowOf(page, 'AAPL').count()).toBe(1)
    expect(await dialogOf(page).textContent()).toMatch(/^CCL.*was served/)
    for (const place of [failureOf(page), dialogOf(page).locator('.failure')])
      expect(await place.textContent()).toContain(sentence)
    await page.unroute(/\/price/)
    await refresh(page)
    expect(await page.locator('.failure').count()).toBe(0)
  }
})

test('a late list of one network does not show under another', async ({ openBoard }) => {
  const held = Promise.withResolvers<void>()
  const { page } = await openBoard({ movesClock: true })
  await listed(page)
  await page.route(/price$/, route => held.promise.then(() => route.continue()))
  await nextRequest(page)
  await page.getByText('Testnet').click()
  await rowOf(page, 'labTSLA').waitFor()
  held.resolve()
  await settled(page)
  expect(await rowOf(page, 'labTSLA').count()).toBe(1)
})

/** Late responses to an older request. */
const lateResponses: Readonly<Record<string, (route: Route) => Promise<void>>> = {
  failure: route => route.abort(),
  list: async route => {
    const response = await route.fetch()
    await route.fulfill({ response, body: (await response.text()).replaceAll(/"block":\d+/g, '"block":5') })
  },
}

test.for(Object.entries(lateResponses))(
  'a late %s does not replace the list of a newer request',
  async ([, respond], { openBoard }) => {
    const held = Promise.withResolvers<void>()
    const { page } = await openBoard(opening)
    await listed(page)
    await page.route(/price$/, route => held.promise.then(() => respond(route)), { times: 1 })
    await nextRequest(page)
    await page.getByText('Testnet').click()
    await rowOf(page, 'labTSLA').waitFor()
    await page.getByText('Mainnet').click()
    // The first request alone has no response yet.
    await expect.poll(() => page.evaluate('pending')).toBe(1)
    const before = await page.locator('main').textContent()
    held.resolve()
    await settled(page)
    expect(before).toMatch(/ now, 1 unreadable/)
    expect(await page.locator('main').textContent()).toBe(before)
  },
)

test('a network keeps its list and its failure while another one is shown', async ({ openBoard }) => {
  const { page } = await openBoard({ ...opening, prepare: page => page.route(/price\?/, () => {}) })
  await settled(page)
  await page.route(/price$/, failing)
  await refresh(page)
  await page.route(/price$/, () => {})
  await page.getByText('Testnet').click()
  await page.getByText('Reading Robinhood Chain Testnet…').waitFor()
  expect(await failureOf(page).textContent()).toBe('')
  await page.getByText('Mainnet').click()
  await rowOf(page, 'AAPL').waitFor()
  expect(await summaryOf(page).textContent()).toMatch(/^When last read, /)
  expect(await failureOf(page).textContent()).toMatch(/^Chain unavailable\. .* Next attempt now\.$/)
})

/** Dispatches the event of a machine that is online again. Returns how many requests the page has made. */
async function goOnline(page: Page): Promise<number> {
  await page.evaluate("dispatchEvent(new Event('online'))")
  return countRequests(page)
}

test('a machine that is online again makes the next attempt five seconds after a failure, of a visible page', async ({
  openBoard,
}) => {
  const { page } = await openBoard({ ...opening, prepare: page => page.route(listPath, problem(503, 61)) })
  await failureOf(page).getByText(' Next attempt in ').waitFor()
  expect(await failureOf(page).textContent()).toBe('T. D Next attempt in 60 s.')
  await settled(page)
  const before = await countRequests(page)
  await page.clock.runFor(3_000)
  expect(await goOnline(page)).toBe(before)
  expect(await failureOf(page).textContent()).toMatch(/ Next attempt in 2 s\.$/)
  await page.clock.runFor(2_000)
  expect(await countRequests(page)).toBe(before + 1)
  await settled(page)
  await page.clock.runFor(6_000)
  await setVisibility(page, 'hidden')
  expect(await goOnline(page)).toBe(before + 1)
  const held = Promise.withResolvers<void>()
  await page.route(listPath, route => held.promise.then(() => route.continue()))
  await setVisibility(page, 'visible')
  expect(await countRequests(page)).toBe(before + 2)
  // A request that is under way is not repeated.
  await page.clock.runFor(6_000)
  expect(await goOnline(page)).toBe(before + 2)
  held.resolve()
  await rowOf(page, 'AAPL').waitFor()
  await settled(page)
  await page.clock.runFor(6_000)
  expect(await goOnline(page)).toBe(before + 2)
})

test('a screen reader reads each change of the heading: another network, a failure, and its end', async ({
  openBoard,
}) => {
  const held = Promise.withResolvers<void>()
  const prepare = (page: Page) => page.route(/price\?/, route => held.promise.then(() => route.abort()))
  const { page } = await openBoard({ ...opening, prepare })
  await listed(page)
  const heading = summaryOf(page)
  expect(await heading.getAttribute('aria-live')).toBe('polite')
  // A live region is read only if it is the same element before and after the change.
  const element = await heading.elementHandle()
  const now = await element?.textContent()
  expect(now).toMatch(/ now, 1 unreadable$/)
  await page.getByText('Testnet').click()
  expect(await element?.textContent()).toBe('Reading Robinhood Chain Testnet…')
  held.resolve()
  await page.getByText('Mainnet').click()
  await settled(page)
  await page.route(/price$/, failing)
  await refresh(page)
  expect(await element?.textContent()).toMatch(/^When last read, /)
  await page.unroute(/price$/)
  await refresh(page)
  expect(await element?.textContent()).toBe(now)
})

/** What of a page that is scrolled to its end is visible at the top of the window. */
const topText = "document.elementFromPoint(innerWidth / 2, 8).closest('p')?.textContent"

test('above a list that is scrolled, one line of at most two states that the prices are invented, or of the past', async ({
  openBoard,
}) => {
  const { page } = await openBoard({
    ...opening,
    viewport: { width: 320, height: 700 },
    prepare: markAsLocal,
  })
  await settled(page)
  const scrolled = async () => {
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight / 2)')
    expect((await page.getByRole('note').boundingBox())?.height).toBeLessThan(50)
    return page.evaluate(topText)
  }
  expect(await scrolled()).toBe('Invented prices on a local chain. The status of SHOP changes every 17\xA0s.')
  await page.route(/\/price/, failing)
  await refresh(page)
  expect(await scrolled()).toMatch(/^Invented prices\. Not up to date: read \d+ s ago\.$/)
})

test('a request without a response fails after ten to twelve seconds', async ({ openBoard }) => {
  const held = Promise.withResolvers<void>()
  const { page } = await openBoard({
    ...opening,
    prepare: page => page.route(listPath, route => held.promise.then(() => route.continue())),
  })
  await page.clock.runFor(10_000)
  held.resolve()
  await listed(page)
  await page.unroute(listPath)
  await page.route(listPath, () => {})
  await nextRequest(page)
  await page.clock.runFor(12_000)
  await failureOf(page).getByText('No response').waitFor()
})

test('after an error in drawing, the page goes on as before', async ({ openBoard }) => {
  const held = Promise.withResolvers<void>()
  const { page } = await openBoard({
    movesClock: true,
    expected: /broken/,
    prepare: page => page.route(listPath, route => held.promise.then(() => route.continue())),
  })
  await page.getByText('Reading Robinhood Chain…').waitFor()
  await page.evaluate(`globalThis.create = document.createElementNS
    document.createElementNS = () => { throw new Error('broken') }`)
  held.resolve()
  await settled(page)
  expect(await rowOf(page, 'COST').count()).toBe(0)
  await page.evaluate('document.createElementNS = create')
  await page.clock.runFor(1_000)
  expect(await rowOf(page, 'COST').count()).toBe(1)
  expect(await failureOf(page).textContent()).toBe('')
})

test('the page needs no function that a browser of three years ago lacks', async ({ openBoard }) => {
  const { page } = await openBoard({
    prepare: page =>
      page.addInitScript(`delete AbortSignal.any; delete Map.groupBy; delete Object.groupBy; delete Promise.withResolvers
        delete Promise.try; delete URL.parse; delete Error.isError; delete Uint8Array.fromBase64; delete Array.fromAsync; delete Element.prototype.moveBefore; delete globalThis.Iterator
        delete Set.prototype.union; delete JSON.rawJSON; delete RegExp.escape; delete Intl.DurationFormat`),
  })
  await rowOf(page, 'CCL').locator('a').click()
  await opened(page)
})
