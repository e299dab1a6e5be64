import { expect } from 'vitest'
import registry from '../../lambda/feeds/registry.json' with { type: 'json' }
import { dialogOf, feedCounts, listed, rowOf, symbolsOf, test } from './board.ts'
import { describeFocus, nextFrames } from './in-page.ts'

test('a search and a filter keep the feeds that match', async ({ openBoard }) => {
  const { page } = await openBoard()
  for (const [label, count] of [
    // A feed without a state in the table of the local run is OK.
    ['Served to a contract', feedCounts.mainnet - 6],
    ['No data', 1],
    ['All', feedCounts.mainnet],
  ] as const) {
    await page.getByLabel('Show').selectOption(label)
    await expect.poll(() => symbolsOf(page)).toHaveLength(count)
  }
  await page.getByLabel('Symbol').fill('a')
  const expected = registry.mainnet.map(({ symbol }) => symbol).filter(symbol => symbol.includes('A'))
  await expect.poll(() => symbolsOf(page)).toEqual(expected.toSorted())
  expect(await page.locator('#count').textContent()).toBe(`${expected.length} of ${feedCounts.mainnet} feeds`)
  expect(page.url()).toMatch(/\?search=a$/)
})

test('the URL of a view opens the same view', async ({ openBoard }) => {
  const { page } = await openBoard()
  await page.getByText('Testnet').click()
  await page.getByLabel('Symbol').fill('A')
  await page.getByLabel('Show').selectOption('Not served')
  await page.getByRole('columnheader', { name: 'Price, USD' }).getByRole('button').click()
  await page.getByRole('columnheader', { name: 'Price, USD' }).getByRole('button').click()
  await page.getByRole('link', { name: 'labTSLA' }).click()
  expect(page.url()).toMatch(/\?network=testnet&search=A&show=not-served&sort=-price&feed=labTSLA$/)

  const { page: other } = await openBoard({ query: new URL(page.url()).search })
  await other.getByRole('heading', { name: 'labTSLA' }).waitFor()
  await expect.poll(() => symbolsOf(other)).toEqual(await symbolsOf(page))
  expect(await symbolsOf(other)).toEqual(['labTSLA'])
  await other.keyboard.press('Escape')
  expect(await other.getByLabel('Testnet').isChecked()).toBe(true)
  expect(await other.getByLabel('Symbol').inputValue()).toBe('A')
  expect(await other.getByLabel('Show').inputValue()).toBe('not-served')
  const header = other.getByRole('columnheader', { name: 'Price, USD' })
  expect(await header.getAttribute('aria-sort')).toBe('descending')
})

test('back and forward move between feeds and between networks', async ({ openBoard }) => {
  const { page } = await openBoard()
  const dialog = dialogOf(page)
  await page.getByRole('link', { name: 'IBM' }).click()
  await page.getByRole('heading', { name: 'IBM' }).waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => page.url()).not.toContain('feed')
  await page.getByText('Testnet').click()
  await page.getByRole('link', { name: 'AMD' }).waitFor()

  await page.goBack()
  await page.getByRole('link', { name: 'IBM' }).waitFor()
  expect(await dialog.count()).toBe(0)
  await page.goBack()
  await page.getByRole('heading', { name: 'IBM' }).waitFor()
  await page.goBack()
  await expect.poll(() => dialog.count()).toBe(0)
  await page.goForward()
  await page.getByRole('heading', { name: 'IBM' }).waitFor()
  await page.goForward()
  await page.goForward()
  await page.getByRole('link', { name: 'AMD' }).waitFor()
})

test('a feed that is reopened before the close event of its dialog stays open, and one that the browser closes does not', async ({
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
    expect(page.url()).toMatch(/\?feed=IBM$/)
  }
  // Without a cancel event, and while the page is drawn.
  const isOpen = await page.evaluate(`
    document.querySelector('dialog').close()
    document.querySelector('#search').dispatchEvent(new Event('input'))
    document.querySelector('dialog').open`)
  expect(isOpen).toBe(false)
  await page.evaluate(nextFrames)
  expect(await dialogOf(page).count()).toBe(0)
  expect(page.url()).not.toContain('feed')
})

test('the back button undoes no letter of a search, and restores the search field, also while it has the focus', async ({
  openBoard,
}) => {
  const { page } = await openBoard()
  await page.getByRole('link', { name: 'IBM' }).click()
  await page.keyboard.press('Escape')
  await page.getByLabel('Symbol').pressSequentially('NFLX')
  await page.goBack()
  await page.getByRole('heading', { name: 'IBM' }).waitFor()
  await page.goBack()
  await page.getByText('Testnet').click()
  await page.getByLabel('Symbol').fill('AM')
  await expect.poll(() => symbolsOf(page)).toEqual(['AMD', 'AMZN'])
  await page.goBack()
  await expect.poll(() => symbolsOf(page)).toHaveLength(feedCounts.mainnet)
  expect(await page.getByLabel('Symbol').inputValue()).toBe('')
})

test('the board works with and without the slash at the end of its URL', async ({ openBoard, deployment }) => {
  const { page } = await openBoard()
  await page.goto(`${deployment.baseUrl}?network=testnet`)
  await expect.poll(() => symbolsOf(page)).toHaveLength(feedCounts.testnet)
  await page.getByRole('link', { name: 'TSLA', exact: true }).click()
  await page.getByText(`curl '${deployment.baseUrl}/price/TSLA?network=testnet'`).waitFor()
  expect(page.url()).toBe(`${deployment.baseUrl}?network=testnet&feed=TSLA`)
})

test('the summary counts the whole list, and each of its parts sets and removes its filter', async ({ openBoard }) => {
  const { page } = await openBoard({ query: '?search=a' })
  const parts = page.locator('.summary button')
  await parts.getByText(String(feedCounts.mainnet - 7)).waitFor()
  const served = `${feedCounts.mainnet - 6} served`
  const ok = `${feedCounts.mainnet - 7} OK`
  const texts = [served, '6 not served', ok, '2 Market closed', '1 Stale', '1 Oracle paused', '1 Straddle']
  expect(await parts.allTextContents()).toEqual([...texts, '1 Corporate action', '1 No data', '0 Unreadable'])
  expect(await parts.last().isDisabled()).toBe(true)
  await page.getByLabel('Symbol').fill('')
  for (const [text, show, symbols] of [
    ['2 Market closed', 'Market closed', ['CRWD', 'GLD']],
    ['6 not served', 'not-served', ['AMC', 'BA', 'GLD', 'JNJ', 'NFLX', 'SNAP']],
  ] as const) {
    const part = page.getByRole('button', { name: text })
    await part.click()
    expect(await symbolsOf(page)).toEqual(symbols)
    expect(await page.getByLabel('Show').inputValue()).toBe(show)
    expect(new URL(page.url()).searchParams.get('show')).toBe(show)
    expect(await page.locator('.summary [aria-pressed=true]').allTextContents()).toEqual([text])
    expect(await parts.first().textContent()).toBe(served)
    await part.click()
    expect(await symbolsOf(page)).toHaveLength(feedCounts.mainnet)
    expect(page.url()).not.toContain('show')
  }
})

test('a click anywhere on a row opens its feed, unless it selects text, with the modifier keys of a link', async ({
  openBoard,
}) => {
  const { page } = await openBoard()
  const dialog = dialogOf(page)
  const row = rowOf(page, 'CRWD')
  for (const place of [row.locator('.status'), row.locator('.price .whole')]) {
    await place.click({ position: { x: 3, y: 3 } })
    await dialog.getByRole('heading', { name: 'CRWD' }).waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    expect(await page.evaluate(describeFocus)).toBe('CRWD')
  }
  const opened = page.context().waitForEvent('page')
  await row.locator('.age').click({ modifiers: ['ControlOrMeta'] })
  expect(new URL((await opened).url()).search).toBe('?feed=CRWD')
  await row.locator('.price .whole').dblclick()
  expect(await page.evaluate('getSelection().toString()')).toBe('1079.9')
  // Longer than the board waits for a second click.
  await page.waitForTimeout(600)
  expect(await dialog.count()).toBe(0)
})
