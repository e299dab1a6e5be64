import type { Page } from 'playwright-core'
import { robinhood } from 'viem/chains'
import { expect } from 'vitest'
import registry from '../../lambda/feeds/registry.json' with { type: 'json' }
import {
  dialogOf,
  failedRequest,
  opened,
  queryOf,
  refresh,
  rowOf,
  settled,
  test,
  unreadableSymbol,
} from '../support/browser/board.ts'
import { changeLists, failing, listFive, markAsLocal, refuseAll } from '../support/browser/responses.ts'

const closed = { state: 'detached' } as const

test('a refused record has its verdict, network, every digit, reason, addresses and the check', async ({
  openBoard,
}) => {
  const { page } = await openBoard({ query: '?feed=ba' })
  await opened(page)
  // biome-ignore lint/performance/useDomNodeTextContent: parts of a text are separated by layout alone.
  const text = (await dialogOf(page).innerText()).replaceAll(/\s+/g, ' ')
  expect(text).toMatch(/^BA × Boeing · Robinhood Chain ✕ not served/)
  expect(text).toContain(
    '✕ not served: oracle paused 214.08 USD per token 214.08 USD per share × 1 share per token Do not use this price. ' +
      'A lending market gets no price: its call, latestRoundData(), reverts with FeedUnavailable. ' +
      'Status: Oracle paused. The token reports that its oracle is paused.',
  )
  expect(text).toMatch(
    /Observed \d+ \w+ \d{4}, \d\d:\d\d:\d\d UTC, .+ ago; limit 4 h 15 min Read .+ UTC, block \d+, \d+ s ago/,
  )
  expect(text).toContain('Authors Slate, which calls its feeds unaudited (4 October 2026)')
  expect(text).toMatch(
    /cast call 0x\w{40} 'latestRoundData\(\).*' --block \d+ --rpc-url https:\S+ At block \d+, expect a revert with FeedUnavailable\(3\), 0xe3f18fa8\. Check the other fields\. JSON/,
  )
  expect(await page.getByRole('link', { name: '/v1/price/BA' }).getAttribute('href')).toBe('/v1/price/BA')
})

test('a record of the testnet names its chain, and has the RPC URL and the JSON of the testnet', async ({
  openBoard,
}) => {
  const { page } = await openBoard({ query: '?network=testnet&feed=labTSLA' })
  await opened(page)
  expect(await dialogOf(page).locator('.bar + p').textContent()).toMatch(/ · Robinhood Chain Testnet$/)
  expect(await dialogOf(page).locator('pre').textContent()).toMatch(/ --rpc-url https:\/\/rpc\.testnet\.\S+$/)
  const json = dialogOf(page).getByRole('link', { name: '/v1/' })
  expect(await json.getAttribute('href')).toBe('/v1/price/labTSLA?network=testnet')
})

test('the share price and the multiplier have every digit', async ({ openBoard }) => {
  const { page } = await openBoard({ query: '?feed=AAPL' })
  await dialogOf(page).getByText('271.69550076 USD per share × 1.000566080061092436').waitFor()
})

test.for([
  ['NFLX', '11,029.00 USD per token', '1,102.90 USD per share × 10 shares per token'],
  ['CRWD', '1,079.90 USD per token', '269.975 USD per share × 4 shares per token'],
] as const)('the prices of %s have at least two decimals', async ([symbol, price, factors], { openBoard }) => {
  const { page } = await openBoard({ query: `?feed=${symbol}` })
  await opened(page)
  expect(await dialogOf(page).locator('.price').textContent()).toBe(price)
  expect(await dialogOf(page).locator('.price + .soft').textContent()).toBe(factors.replace('× ', '×\xA0'))
})

test('the verdict of a price that is not served is larger than the price, also in the past', async ({ openBoard }) => {
  const { page } = await openBoard({ query: '?feed=NFLX', movesClock: true, expected: failedRequest })
  await opened(page)
  const sizeOf = (selector: string) =>
    page.evaluate<number>(`parseFloat(getComputedStyle(document.querySelector('dialog ${selector}')).fontSize)`)
  expect(await sizeOf('.verdict')).toBeGreaterThan(await sizeOf('.price'))
  await page.route(/\/price/, failing)
  await refresh(page)
  await dialogOf(page).getByText('was not served').waitFor()
  expect(await sizeOf('.verdict')).toBeGreaterThan(await sizeOf('.price'))
})

test.for([
  ['NFLX', 1],
  ['SNAP', 0],
  ['CRWD', 0],
] as const)('only a price that is not served must not be used: %s', async ([symbol, count], { openBoard }) => {
  const { page } = await openBoard({ query: `?feed=${symbol}` })
  await opened(page)
  expect(await dialogOf(page).getByText('Do not use this price.').count()).toBe(count)
})

test('of an answer of zero, which a feed serves like any other, a record has no price but the answer', async ({
  openBoard,
}) => {
  const zero = (page: Page) =>
    changeLists(page, text => text.replaceAll('"price":1079.9', '"price":null').replaceAll('"107990000000"', '"0"'))
  const { page } = await openBoard({ query: '?feed=CRWD', prepare: zero })
  await opened(page)
  expect(await dialogOf(page).locator('.price').textContent()).toBe('No price ')
  await dialogOf(page)
    .getByText('A lending market gets the answer 0: its call, latestRoundData(), returns it.')
    .waitFor()
})

test('the close button of a record that is scrolled stays', async ({ openBoard }) => {
  const { page } = await openBoard({ query: '?feed=NFLX', viewport: { width: 320, height: 500 } })
  await opened(page)
  const close = page.getByRole('button', { name: 'Close' })
  const before = await close.boundingBox()
  await page.evaluate("document.querySelector('dialog').scrollTo(0, 300)")
  expect(await page.evaluate("document.querySelector('dialog').scrollTop")).toBe(300)
  expect(await close.boundingBox()).toEqual(before)
})

test('a record of an unknown symbol is not invented, also on a local chain', async ({ openBoard }) => {
  const { page } = await openBoard({ query: '?feed=NOPE', prepare: markAsLocal })
  await dialogOf(page).getByText('No feed matches').waitFor()
  expect(await dialogOf(page).locator('.bar + .soft').textContent()).toBe('Robinhood Chain')
})

test('an unreadable feed has its reason in place of a price', async ({ openBoard }) => {
  const { page } = await openBoard({ query: `?feed=${unreadableSymbol}` })
  await page.getByRole('dialog', { name: `${unreadableSymbol}, unreadable` }).waitFor()
  const sentence = 'The chain answered, but this feed cannot be read: latestDetail() reverted or ran out of gas.'
  await dialogOf(page).getByText(sentence, { exact: true }).waitFor()
  await opened(page)
  expect(await dialogOf(page).getByText('USD').count()).toBe(0)
})

test('at /v1, a symbol that the list lacks has a link to the feeds, and no text of the URL but a symbol', async ({
  openBoard,
  deployment,
}) => {
  const { page, requests } = await openBoard()
  // As at API Gateway, no path outside of the stage exists.
  await page.route(/^https?:..[^/]+\/(?!v1)/, route => route.fulfill({ status: 404 }))
  await page.goto(`${deployment.baseUrl}?network=testnet&feed=APPL%20call%201234`)
  await dialogOf(page).getByText('No feed matches on the testnet.').waitFor()
  expect(await dialogOf(page).getByRole('heading').textContent()).toBe('Feed')
  expect(await page.locator('body').textContent()).not.toContain('1234')
  const targets = await page.locator('a').evaluateAll(links => links.map(link => link.getAttribute('href') ?? ''))
  expect(targets.filter(target => !/^(https?:|[/?])/.test(target) || target.includes('1234'))).toEqual([])
  await page.getByRole('link', { name: 'The feeds of the testnet' }).click()
  await dialogOf(page).waitFor(closed)
  expect(page.url()).toBe(`${deployment.baseUrl}/?network=testnet`)
  expect(requests.filter(path => path.startsWith('/price/'))).toEqual([])
})

test.for([
  [
    '?search=a&show=served&sort=-age&feed=labtsla',
    'labtsla',
    'testnet',
    '?network=testnet&feed=labtsla#not-on-mainnet',
  ],
  ['?network=testnet&feed=NOPE', 'NOPE', 'mainnet', '?feed=NOPE#not-on-testnet'],
] as const)(
  'at %s, the dialog of %s links to the symbol alone on the %s',
  async ([query, symbol, other, otherQuery], { openBoard, deployment }) => {
    const { page } = await openBoard({ query })
    expect(await dialogOf(page).getByRole('heading').textContent()).toBe(symbol)
    const link = dialogOf(page).getByRole('link', { name: `Look on the ${other}` })
    expect(await link.getAttribute('href')).toBe(`${deployment.baseUrl}/${otherQuery}`)
  },
)

test('the link of a symbol that the list lacks leads to its record, with the focus on the close button', async ({
  openBoard,
}) => {
  const { page, requests } = await openBoard({ query: '?feed=labtsla' })
  await dialogOf(page).getByRole('link', { name: 'Look on the testnet' }).click()
  // The URL has another case, so this is the symbol of the list.
  await dialogOf(page).getByRole('heading', { name: 'labTSLA', exact: true }).waitFor()
  expect(await page.evaluate('document.activeElement.ariaLabel')).toBe('Close')
  expect(requests.filter(path => path.startsWith('/price/'))).toEqual([])
})

const listOldFeeds = (page: Page) => changeLists(page, text => text.replaceAll(/"maxAgeSeconds":\d+,/g, ''))

test.for([
  ['a served price of a closed market', 'CCL', listFive, / ago; limit 1\xA0d$/],
  ['a price of a closed market that is not served', 'CRWD', refuseAll, / ago; limit 40\xA0min$/],
  ['a stale price', 'AAPL', listFive, / ago; limit 1\xA0d$/],
  ['a list of a former deployment, without limits', 'CCL', listOldFeeds, / ago$/],
] as const)('beside the age is the limit of the feed, for %s', async ([, symbol, prepare, form], { openBoard }) => {
  const { page } = await openBoard({ query: `?feed=${symbol}`, prepare })
  await opened(page)
  expect(await dialogOf(page).locator('dd').first().textContent()).toMatch(form)
})

test('a screen reader reads a change of the verdict in an open record', async ({ openBoard }) => {
  const { page } = await openBoard({ query: '?feed=CRWD', movesClock: true })
  await opened(page)
  const verdict = dialogOf(page).locator('.verdict')
  expect(await verdict.getAttribute('aria-live')).toBe('polite')
  expect(await verdict.textContent()).toBe('✓ served, market closed')
  // A live region is read only if it is the same element before and after the change.
  const element = await verdict.elementHandle()
  await refuseAll(page)
  await refresh(page)
  await dialogOf(page).getByText('not served: market closed').waitFor()
  expect(await element?.textContent()).toBe('✕ not served: market closed')
})

test('a served price, and no other, leads to how it can be wrong', async ({ openBoard }) => {
  const { page } = await openBoard({ query: '?feed=NFLX' })
  await opened(page)
  const link = dialogOf(page).getByRole('link', { name: 'can still be wrong after a split, by its whole factor' })
  expect(await link.count()).toBe(0)
  await page.keyboard.press('Escape')
  await rowOf(page, 'CCL').locator('a').click()
  await dialogOf(page).getByText('For inspection only: it can still be wrong').waitFor()
  await link.click()
  await page.locator(':target', { hasText: 'A served price can be wrong' }).waitFor()
})

test('the status of a record leads to its row of the reference', async ({ openBoard }) => {
  const { page } = await openBoard({ query: '?feed=NFLX' })
  await dialogOf(page).getByRole('link', { name: 'Straddle' }).click()
  await page.locator('tr:target', { hasText: '11,029 USD per token' }).waitFor()
})

test('a record leads to what it means that a feed is served', async ({ openBoard }) => {
  const { page } = await openBoard({ query: '?feed=NFLX' })
  await dialogOf(page).getByRole('link', { name: 'latestRoundData()' }).click()
  expect(await page.locator(':target').textContent()).toBe('Feed, served')
})

test('a record opens and closes in every way', async ({ openBoard }) => {
  const { page } = await openBoard()
  const ways = [
    () => page.keyboard.press('Escape'),
    () => page.getByRole('button', { name: 'Close' }).click(),
    () => page.mouse.click(5, 5),
    () => page.goBack(),
  ]
  for (const [index, close] of ways.entries()) {
    await rowOf(page, 'CCL')
      .locator(index % 2 === 0 ? 'a' : '.age')
      .click()
    await opened(page)
    expect(await queryOf(page)).toBe('?feed=CCL')
    await close()
    await dialogOf(page).waitFor(closed)
    await expect.poll(() => queryOf(page)).toBe('')
    expect(await page.evaluate('document.activeElement.dataset.feed')).toBe('CCL')
  }
})

test('a record of the URL closes in place, with the focus on its link', async ({ openBoard }) => {
  const { page } = await openBoard({ query: '?feed=ccl' })
  await opened(page)
  await page.keyboard.press('Escape')
  await dialogOf(page).waitFor(closed)
  expect(await page.evaluate('document.activeElement.dataset.feed')).toBe('CCL')
  expect(await queryOf(page)).toBe('')
})

test('a second Escape, before the history has gone back, leaves the page open', async ({ openBoard }) => {
  const { page } = await openBoard()
  await rowOf(page, 'CCL').locator('a').click()
  await opened(page)
  await page.evaluate(`for (const name of ['cancel', 'cancel'])
    document.querySelector('dialog').dispatchEvent(new Event(name, { cancelable: true }))`)
  await dialogOf(page).waitFor(closed)
  await rowOf(page, 'CCL').waitFor()
  expect(await queryOf(page)).toBe('')
})

test('a record that is opened before the close event of the one before it stays open', async ({ openBoard }) => {
  const { page } = await openBoard()
  await rowOf(page, 'CCL').locator('a').click()
  await opened(page)
  await page.evaluate(`void (window.ended = new Promise(resolve => {
    document.querySelector('dialog').addEventListener('close', () => setTimeout(resolve))
    addEventListener('popstate', () => document.activeElement.click(), { once: true })
  }))`)
  await page.keyboard.press('Escape')
  await page.evaluate('window.ended')
  expect([await dialogOf(page).count(), await queryOf(page)]).toEqual([1, '?feed=CCL'])
})

test('a double click on a row opens its record', async ({ openBoard }) => {
  const { page } = await openBoard()
  await rowOf(page, 'SNAP').locator('.age').dblclick()
  await opened(page)
  await page.goBack()
  await dialogOf(page).waitFor(closed)
})

test('a selection that is dragged out of a record does not close it', async ({ openBoard }) => {
  const { page } = await openBoard({ query: '?feed=AAPL' })
  await opened(page)
  const box = await dialogOf(page).getByText('USD per share').boundingBox()
  await page.mouse.move(box?.x ?? 0, (box?.y ?? 0) + 5)
  await page.mouse.down()
  await page.mouse.move(5, 5)
  await page.mouse.up()
  expect(await dialogOf(page).isVisible()).toBe(true)
})

test('what is selected stays selected while the age beside it changes', async ({ openBoard }) => {
  const { page } = await openBoard({ query: '?feed=AAPL', movesClock: true })
  await settled(page)
  const age = dialogOf(page).locator('dd > span + span').first()
  const before = await age.textContent()
  await page.evaluate("getSelection().selectAllChildren(document.querySelector('dd > span'))")
  await page.clock.runFor(3_000)
  expect(await age.textContent()).not.toBe(before)
  expect(await page.evaluate('String(getSelection())')).toMatch(/\d UTC, ?$/)
})

const apple = registry.mainnet.find(({ symbol }) => symbol === 'AAPL')
const copied = [
  ['Copy feed address', `${apple?.address}`],
  ['Copy token address', `${apple?.token}`],
  ['Copy cast line', expect.stringMatching(`^cast call ${apple?.address} .* --rpc-url https:\\S+$`)],
] as const

/** Waits until a button has this name, and a status for screen readers the same text. */
async function stated(page: Page, text: string): Promise<void> {
  await dialogOf(page).getByRole('button', { name: text }).waitFor()
  expect(await dialogOf(page).getByRole('status').filter({ hasText: text }).textContent()).toBe(text)
}

test('the buttons of a record copy the addresses and the command', async ({ openBoard }) => {
  const { page } = await openBoard({ query: '?feed=AAPL', movesClock: true })
  await opened(page)
  for (const [name, text] of copied) {
    await page.getByRole('button', { name }).click()
    await stated(page, name.replace('Copy', 'Copied'))
    expect(await page.evaluate('navigator.clipboard.readText()')).toEqual(text)
  }
})

test.for([
  ['without a clipboard, as of a page by plain http', 'delete Navigator.prototype.clipboard'],
  ['with a clipboard that refuses', "Clipboard.prototype.writeText = () => Promise.reject(new Error('refused'))"],
] as const)('%s, the buttons select the addresses and the command', async ([, script], { openBoard }) => {
  const { page } = await openBoard({
    query: '?feed=AAPL',
    movesClock: true,
    prepare: page => page.addInitScript(script),
  })
  await opened(page)
  for (const [name, text] of copied) {
    await page.getByRole('button', { name }).click()
    await stated(page, name.replace('Copy', 'Selected'))
    expect(await page.evaluate('String(getSelection())')).toEqual(text)
  }
})

test('each address of a record leads to its own page in the explorer (D16)', async ({ openBoard }) => {
  const { page } = await openBoard({ query: '?feed=AAPL' })
  await opened(page)
  const links = page.getByRole('link', { name: 'Explorer' })
  const { url } = robinhood.blockExplorers.default
  expect(await links.evaluateAll(found => found.map(link => link.getAttribute('href')))).toEqual([
    `${url}/address/${apple?.address}`,
    `${url}/address/${apple?.token}`,
  ])
})
