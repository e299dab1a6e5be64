import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { dialogOf, listed, opened, queryOf, refresh, rowOf, settled, test } from '../support/browser/board.ts'
import { changeLists, listFive, refuseAll } from '../support/browser/responses.ts'

/** Makes every age of the list 5 seconds, which the board then counts on. */
const makeFresh = (page: Page) => changeLists(page, text => text.replaceAll(/"ageSeconds":\d+/g, '"ageSeconds":5'))

/** A click whose text changes between the press and the release. */
interface ChangingClick {
  readonly textOf: (page: Page) => Locator
  readonly change: (page: Page) => Promise<unknown>
  readonly expectClicked: (page: Page) => Promise<unknown>
}

/** Refreshes the list, in which all prices are other ones. */
async function changePrices(page: Page): Promise<void> {
  await changeLists(page, text => text.replaceAll(/"price":[\d.]+/g, '"price":5.55'))
  await refresh(page)
}

/** Refreshes the list, in which no feed is served any more. */
async function stopServing(page: Page): Promise<void> {
  await refuseAll(page)
  await refresh(page)
}

async function expectOpened(page: Page): Promise<void> {
  expect(await dialogOf(page).count()).toBe(1)
}

const changingClicks: Readonly<Record<string, ChangingClick>> = {
  'an age': {
    textOf: page => rowOf(page, 'CCL').locator('.age'),
    change: page => page.clock.runFor(1_000),
    expectClicked: expectOpened,
  },
  'a price': {
    textOf: page => rowOf(page, 'CCL').locator('.price'),
    change: changePrices,
    expectClicked: expectOpened,
  },
  'a verdict': {
    textOf: page => rowOf(page, 'CCL').locator('.served'),
    change: stopServing,
    expectClicked: expectOpened,
  },
  'a filter': {
    textOf: page => page.locator('.choice label', { hasText: /^Served/ }),
    change: stopServing,
    expectClicked: async page => expect(await queryOf(page)).toBe('?show=served'),
  },
}

test.for(Object.entries(changingClicks))(
  'a click on %s, whose text changes before the release, has its effect',
  async ([, { textOf, change, expectClicked }], { openBoard }) => {
    // At this width, the heading has two lines in the present tense and in the past, so it moves nothing below it.
    const viewport = { width: 700, height: 720 }
    const { page } = await openBoard({ movesClock: true, viewport, prepare: makeFresh })
    await settled(page)
    await listed(page)
    const text = textOf(page)
    const before = await text.textContent()
    const { x = 0, y = 0, width = 0, height = 0 } = (await text.locator('span').last().boundingBox()) ?? {}
    await page.mouse.move(x + width / 2, y + height / 2)
    await page.mouse.down()
    await change(page)
    expect(await text.textContent()).not.toBe(before)
    await page.mouse.up()
    await expectClicked(page)
  },
)

test('a drag over a row selects its text, and opens nothing', async ({ openBoard }) => {
  const { page } = await openBoard({ prepare: listFive })
  await listed(page)
  const { x = 0, y = 0, width = 0 } = (await rowOf(page, 'CCL').boundingBox()) ?? {}
  const from = await rowOf(page, 'CCL').locator('.served').boundingBox()
  await page.mouse.move(from?.x ?? 0, y + 15)
  await page.mouse.down()
  // Within the row: a release outside of it is no click on the row.
  await page.mouse.move(x + width - 2, y + 15, { steps: 5 })
  await page.mouse.up()
  expect(await page.evaluate('String(getSelection())')).toMatch(/^✓served, market closed\s+2\.00\s+for 4 shares\s+22 h/)
  expect(await dialogOf(page).count()).toBe(0)
})

test.for(['Control', 'Meta'] as const)(
  'a click on a row with the key %s opens its link as the browser does, and no record on this page',
  async (key, { openBoard }) => {
    const { page } = await openBoard()
    await listed(page)
    // Records what the browser would do with the link, and prevents it.
    await page.evaluate(`globalThis.links = []
      addEventListener('click', event => {
        const link = event.target.closest('a')
        if (link === null || event.defaultPrevented) return
        links.push([link.dataset.feed, event.ctrlKey, event.metaKey])
        event.preventDefault()
      })`)
    await rowOf(page, 'CCL')
      .locator('.price')
      .click({ modifiers: [key] })
    expect(await page.evaluate('links')).toEqual([['CCL', key === 'Control', key === 'Meta']])
    expect(await dialogOf(page).count()).toBe(0)
  },
)

test('a click on a row with the key Control opens the record in another tab', async ({ openBoard }) => {
  const { page } = await openBoard()
  await listed(page)
  const other = page.context().waitForEvent('page')
  await rowOf(page, 'COST')
    .locator('.price')
    .click({ modifiers: ['Control'] })
  await opened(await other)
  expect(
    await dialogOf(await other)
      .getByRole('heading', { level: 2 })
      .textContent(),
  ).toBe('COST')
  expect(await dialogOf(page).count()).toBe(0)
})
