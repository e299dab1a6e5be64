import { expect } from 'vitest'
import {
  closeFeed,
  dialogOf,
  feedCounts,
  filterOf,
  listed,
  opened,
  queryOf,
  rowOf,
  symbolsOf,
  test,
  testnetSymbol,
} from '../support/browser/board.ts'
import { describeFocus, nextFrames } from '../support/browser/in-page.ts'

test('a search without a match can be cleared, and leads to each feed of other networks, the nearest first', async ({
  openBoard,
}) => {
  const { page } = await openBoard({ query: `?search=${testnetSymbol}&show=OK` })
  await page.getByRole('button', { name: 'Clear filter' }).click()
  await expect.poll(() => symbolsOf(page)).toHaveLength(feedCounts.mainnet)
  expect(await queryOf(page)).toBe('')
  await page.getByLabel('Search').fill('tesla')
  const links = page.locator('.no-feeds').getByRole('link')
  await expect.poll(() => links.allTextContents()).toEqual(['TSLA is on the testnet', 'labTSLA is on the testnet'])
  await links.first().click()
  await expect.poll(() => symbolsOf(page)).toEqual(['labTSLA', 'TSLA'])
  expect(await queryOf(page)).toBe('?network=testnet&search=TSLA')
})

test('a network that does not exist is a problem that names the others, as in the API', async ({ openBoard }) => {
  const { page, requests } = await openBoard({ query: '?network=foo&feed=AAPL' })
  const problem = page.getByText('Unknown network')
  await problem.waitFor()
  expect(await page.locator('main').textContent()).toContain(
    'There are Mainnet (Robinhood Chain) and Testnet (Robinhood Chain Testnet).',
  )
  expect(await page.locator('.networks input:checked').count()).toBe(0)
  expect(await page.locator('footer').textContent()).not.toContain('All rows')
  expect(requests).toEqual(['/?network=foo&feed=AAPL'])
  await page.getByText('Testnet', { exact: true }).click()
  await expect.poll(() => symbolsOf(page)).toHaveLength(feedCounts.testnet)
  await page.goBack()
  await problem.waitFor()
})

test('the URL of a view opens the same view', async ({ openBoard }) => {
  const { page } = await openBoard()
  await page.getByText('Testnet').click()
  await page.getByLabel('Search').fill('A')
  await filterOf(page, 'not-served').click()
  await page.getByRole('button', { name: 'Price, USD', exact: true }).click()
  await page.getByRole('button', { name: 'Price, USD', exact: true }).click()
  await page.getByRole('link', { name: 'labTSLA' }).click()
  expect(await queryOf(page)).toBe('?network=testnet&search=A&show=not-served&sort=-price&feed=labTSLA')

  const { page: reopened } = await openBoard({ query: await queryOf(page) })
  await reopened.getByRole('heading', { name: 'labTSLA' }).waitFor()
  await expect.poll(() => symbolsOf(reopened)).toEqual(await symbolsOf(page))
  expect(await symbolsOf(reopened)).toEqual(['labTSLA', 'AMZN'])
  await reopened.keyboard.press('Escape')
  expect(await reopened.getByLabel('Testnet').isChecked()).toBe(true)
  expect(await reopened.getByLabel('Search').inputValue()).toBe('A')
  const pressed = reopened.locator('.filter-buttons [aria-pressed=true]')
  expect(await pressed.evaluateAll(all => all.map(button => button.getAttribute('data-status')))).toEqual([
    'not-served',
  ])
  const header = reopened.getByRole('columnheader', { name: /^Price/ })
  expect(await header.getAttribute('aria-sort')).toBe('descending')
})

test('to open a feed is an entry of the history, to step replaces it, and to close it goes back', async ({
  openBoard,
}) => {
  const { page } = await openBoard()
  const dialog = dialogOf(page)
  await listed(page)
  const length = await page.evaluate<number>('history.length')
  for (const symbol of ['IBM', 'AAPL', 'COST']) {
    await page.getByRole('link', { name: symbol }).click()
    await page.getByRole('heading', { name: symbol }).waitFor()
    await page.keyboard.press('ArrowRight')
    await closeFeed(page)
    await expect.poll(() => queryOf(page)).not.toContain('feed')
  }
  expect(await page.evaluate('history.length')).toBe(length + 1)
  await page.goForward()
  await dialog.waitFor()
  await page.goBack()
  await dialog.waitFor({ state: 'hidden' })
})

test('back and forward move between networks, and a feed opened by its URL, in lower or upper case, closes in place', async ({
  openBoard,
}) => {
  const { page } = await openBoard({ query: '?feed=ibm' })
  await opened(page)
  const length = await page.evaluate<number>('history.length')
  await page.keyboard.press('Escape')
  await expect.poll(() => queryOf(page)).not.toContain('feed')
  expect(await page.evaluate('history.length')).toBe(length)
  expect(await page.evaluate(describeFocus)).toBe('IBM')
  await page.getByText('Testnet').click()
  await page.getByRole('link', { name: 'AMD' }).waitFor()
  await page.goBack()
  await page.getByRole('link', { name: 'IBM' }).waitFor()
  await page.goForward()
  await page.getByRole('link', { name: 'AMD' }).waitFor()
})

test('a feed reopened before the close event of its dialog stays open, one closed by the browser does not', async ({
  openBoard,
}) => {
  const { page } = await openBoard({ query: '?feed=IBM' })
  await listed(page)
  // The event comes with the next frame, which is late on a busy machine.
  for (const steps of [
    // The back button.
    "['?', '?feed=IBM'].forEach(goTo)",
    // Escape.
    'dialog.requestClose(); link.click()',
    'button.click(); link.click()',
  ]) {
    await page.evaluate(`{
      const dialog = document.querySelector('dialog')
      const button = dialog.querySelector('.close')
      const link = document.querySelector('[data-feed=IBM]')
      const goTo = query => {
        history.replaceState(null, '', query)
        dispatchEvent(new PopStateEvent('popstate'))
      }
      ${steps}
    }`)
    await page.evaluate(nextFrames)
    expect(await page.getByRole('heading', { name: 'IBM' }).isVisible(), steps).toBe(true)
    expect(await queryOf(page)).toMatch(/\?feed=IBM$/)
  }
  // Without a cancel event, and while the page is drawn.
  const isOpen = await page.evaluate(`
    document.querySelector('dialog').close()
    document.querySelector('#search').dispatchEvent(new Event('input'))
    document.querySelector('dialog').open`)
  expect(isOpen).toBe(false)
  await page.evaluate(nextFrames)
  expect(await dialogOf(page).count()).toBe(0)
  expect(await queryOf(page)).not.toContain('feed')
})

test('the back button undoes no letter of a search, and restores the search field, also with the focus', async ({
  openBoard,
}) => {
  const { page } = await openBoard()
  await page.getByLabel('Search').pressSequentially('NFLX')
  await page.getByText('Testnet').click()
  await page.getByLabel('Search').fill('AM')
  await expect.poll(() => symbolsOf(page)).toEqual(['AMD', 'AMZN'])
  await page.goBack()
  await expect.poll(() => symbolsOf(page)).toEqual(['NFLX'])
  expect(await page.getByLabel('Search').inputValue()).toBe('NFLX')
})

test('the board works with and without the slash at the end of its URL', async ({ openBoard, deployment }) => {
  const { page } = await openBoard()
  await page.goto(`${deployment.baseUrl}?network=testnet`)
  await expect.poll(() => symbolsOf(page)).toHaveLength(feedCounts.testnet)
  await page.getByRole('link', { name: 'TSLA', exact: true }).click()
  await page.getByText(`curl '${deployment.baseUrl}/price/TSLA?network=testnet'`).waitFor()
  expect(await page.evaluate('location.href')).toBe(`${deployment.baseUrl}?network=testnet&feed=TSLA`)
})

test('a click anywhere on a row opens its feed, unless it selects text, with the modifier keys of a link', async ({
  openBoard,
}) => {
  const { page } = await openBoard({ movesClock: true })
  // Longer than the board waits for a second click.
  const awaitSecondClick = () => page.clock.runFor(600)
  const dialog = dialogOf(page)
  const row = rowOf(page, 'CRWD')
  for (const place of [row.locator('.status'), row.locator('.price .whole')]) {
    await place.click({ position: { x: 3, y: 3 } })
    await awaitSecondClick()
    await dialog.getByRole('heading', { name: 'CRWD' }).waitFor()
    await closeFeed(page)
    expect(await page.evaluate(describeFocus)).toBe('CRWD')
  }
  const opened = page.context().waitForEvent('page')
  await row.locator('.age').click({ modifiers: ['ControlOrMeta'] })
  await awaitSecondClick()
  expect(new URL((await opened).url()).search).toBe('?feed=CRWD')
  await row.locator('.price .whole').dblclick()
  expect(await page.evaluate('getSelection().toString()')).toBe('1079.90')
  await awaitSecondClick()
  expect(await dialog.count()).toBe(0)
})
