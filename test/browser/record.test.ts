import { expect } from 'vitest'
import {
  dialogOf,
  failedRequest,
  listed,
  opened,
  queryOf,
  refresh,
  rowOf,
  settled,
  test,
  unreadableSymbol,
} from '../support/browser/board.ts'
import { failing } from '../support/browser/responses.ts'

const closed = { state: 'detached' } as const

test('a refused record has its verdict, network, every digit, reason, addresses and the check', async ({
  openBoard,
}) => {
  const { page } = await openBoard({ query: '?feed=ba' })
  await listed(page)
  await opened(page)
  // biome-ignore lint/performance/useDomNodeTextContent: parts of a text are separated by layout alone.
  const text = (await dialogOf(page).innerText()).replaceAll(/\s+/g, ' ')
  expect(text).toContain('BA Boeing · Robinhood Chain')
  expect(text).toContain(
    '✕ Not served: oracle paused 214.08 USD 214.08 USD per share × 1 Status: Oracle paused. The token',
  )
  expect(text).toContain('latestRoundData() reverts with FeedUnavailable.')
  expect(text).toMatch(/Observed \d+ \w+ \d{4}, \d\d:\d\d:\d\d UTC, .+ ago Read .+ UTC, block \d+, \d+ s ago/)
  expect(text).toMatch(/cast call 0x\w{40} 'latestRoundData\(\).*' --block \d+ --rpc-url https:/)
  expect(await page.getByRole('link', { name: '/v1/price/BA' }).getAttribute('href')).toBe('/v1/price/BA')
})

test('the share price and the multiplier have every digit', async ({ openBoard }) => {
  const { page } = await openBoard({ query: '?feed=AAPL' })
  await dialogOf(page).getByText('271.69550076 USD per share × 1.000566080061092436').waitFor()
})

test('an unreadable feed has its reason in place of a price', async ({ openBoard }) => {
  const { page } = await openBoard({ query: `?feed=${unreadableSymbol}`, expected: failedRequest })
  await dialogOf(page).getByText('! Unreadable').waitFor()
  const sentence = 'The chain answered, but this feed cannot be read: latestDetail() reverted or ran out of gas.'
  await dialogOf(page).getByText(sentence, { exact: true }).waitFor()
  await opened(page)
  expect(await dialogOf(page).getByText('USD').count()).toBe(0)
})

test('an unknown symbol has a link to the feeds, and not the text of the URL', async ({ openBoard }) => {
  const { page } = await openBoard({ query: '?network=testnet&feed=APPL%20call%201234', expected: failedRequest })
  await dialogOf(page).getByText('This service has no feed of that symbol on the testnet.').waitFor()
  expect(await page.locator('body').textContent()).not.toContain('1234')
  const link = page.getByRole('link', { name: 'Its feeds' })
  expect(await link.getAttribute('href')).toBe('./?network=testnet')
  await link.click()
  await dialogOf(page).waitFor(closed)
  expect(await queryOf(page)).toBe('?network=testnet')
})

test('the status of a record leads to its row of the reference', async ({ openBoard }) => {
  const { page } = await openBoard({ query: '?feed=NFLX' })
  await dialogOf(page).getByRole('link', { name: 'Straddle' }).click()
  await page.locator('tr:target', { hasText: '11,029 USD per token' }).waitFor()
})

test('a record opens and closes in every way', async ({ openBoard }) => {
  const { page } = await openBoard()
  await listed(page)
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
  await listed(page)
  await opened(page)
  await page.keyboard.press('Escape')
  await dialogOf(page).waitFor(closed)
  expect(await page.evaluate('document.activeElement.dataset.feed')).toBe('CCL')
  expect(await queryOf(page)).toBe('')
})

test('a second Escape, before the history has gone back, leaves the page open', async ({ openBoard }) => {
  const { page } = await openBoard()
  await listed(page)
  await rowOf(page, 'CCL').locator('a').click()
  await opened(page)
  await page.evaluate(`for (const name of ['cancel', 'cancel'])
    document.querySelector('dialog').dispatchEvent(new Event(name, { cancelable: true }))`)
  await dialogOf(page).waitFor(closed)
  await rowOf(page, 'CCL').waitFor()
  expect(await queryOf(page)).toBe('')
})

test('a double click on a row opens its record', async ({ openBoard }) => {
  const { page } = await openBoard()
  await listed(page)
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

test.for([
  ['the list', '', 'main > p span'],
  ['a record', '?feed=AAPL', 'dialog dd'],
] as const)(
  'what is selected in %s stays selected while the age beside it changes',
  async ([, query, place], { openBoard }) => {
    const { page } = await openBoard({ query, movesClock: true })
    await listed(page)
    if (query !== '') await opened(page)
    await settled(page)
    const age = page.locator(`${place} > span + span`).first()
    const before = await age.textContent()
    await page.evaluate(`getSelection().selectAllChildren(document.querySelector('${place} > span'))`)
    await page.clock.runFor(3_000)
    expect(await age.textContent()).not.toBe(before)
    expect(await page.evaluate('String(getSelection())')).toMatch(/\d UTC, ?$/)
  },
)

test('a selection freezes no record', async ({ openBoard }) => {
  const { page } = await openBoard({ query: '?feed=AAPL', movesClock: true, expected: failedRequest })
  await opened(page)
  await page.evaluate('getSelection().selectAllChildren(document.querySelector("dialog .price"))')
  await page.route(/\/price/, failing)
  await refresh(page)
  await dialogOf(page).getByText('When last read, a contract got this price').waitFor()
})

test('the buttons of a record copy the address and the command', async ({ openBoard }) => {
  const { page } = await openBoard({ query: '?feed=AAPL' })
  await opened(page)
  for (const [name, form] of [
    ['Copy feed address', /^0x\w{40}$/],
    ['Copy cast line', /^cast call 0x/],
  ] as const) {
    await page.getByRole('button', { name }).click()
    await page.getByText(`${name}: copied`).waitFor({ state: 'attached' })
    expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(form)
  }
})
