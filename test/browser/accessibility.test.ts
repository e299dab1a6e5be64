import axe, { type Result } from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import {
  dialogOf,
  failedRequest,
  failureOf,
  listed,
  type Opening,
  opened,
  rowOf,
  test,
} from '../support/browser/board.ts'
import { addHeaders, changeLists, failing, listPath, localRpcUrls, markAsLocal } from '../support/browser/responses.ts'

/** Makes names, a symbol and a price of the list as long as they can be. */
async function stretchNames(page: Page): Promise<void> {
  await changeLists(page, text => {
    const list = JSON.parse(text)
    list.feeds[0].name = 'Very long name '.repeat(10)
    list.feeds[1].name = 'x'.repeat(150)
    list.feeds[2].symbol = 'A'.repeat(20)
    Object.assign(list.feeds[3], { price: 1e15, multiplier: 12.3456 })
    return JSON.stringify(list)
  })
}

/** Makes the list of the mainnet one of a local chain, which a cache has kept for an hour. */
const markAsPast = (page: Page) =>
  addHeaders(page, () => ({ age: '3600', 'x-local-chains': `mainnet=${localRpcUrls.mainnet}` }))

const states: Readonly<Record<string, readonly [Opening, (page: Page) => Promise<unknown>]>> = {
  'the list': [{ prepare: stretchNames }, listed],
  'a served record': [{ query: '?feed=CRWD', prepare: stretchNames }, opened],
  'a refused record': [{ query: '?feed=NFLX', prepare: stretchNames }, opened],
  'a list of the past on a local chain': [{ prepare: markAsPast }, listed],
  'an unknown symbol': [{ query: '?feed=NOPE' }, page => page.getByText('No feed matches').waitFor()],
  'an unknown network': [{ query: '?network=moon' }, page => page.getByText('Unknown network').waitFor()],
  'a first failure': [
    { expected: failedRequest, prepare: page => page.route(listPath, failing) },
    page => failureOf(page).getByText('Chain unavailable').waitFor(),
  ],
  'the reference': [{ query: 'docs' }, page => page.getByText('Quick start').first().waitFor()],
}

test.for(Object.entries(states))(
  'axe finds nothing in %s, light and dark',
  async ([, [opening, reach]], { openBoard }) => {
    const { page } = await openBoard(opening)
    await reach(page)
    expect(await page.locator(':is(h1, h2, h3) button').count()).toBe(0)
    await page.evaluate(axe.source)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      const violations = await page.evaluate<Result[]>('axe.run().then(results => results.violations)')
      expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
    }
  },
)

/** Lists what is not completely visible: elements beyond the window, and texts that are larger than their box. */
const listMisfits = `[...document.querySelectorAll('th, td, p, h1, h2, dd, dt, pre, button, label, dialog')]
  .filter(element => {
    if (!element.checkVisibility() || element.closest('.hidden') !== null) return false
    const range = document.createRange()
    range.selectNodeContents(element)
    const [text, box] = [range.getBoundingClientRect(), element.getBoundingClientRect()]
    const isClipped = text.width > 0 && (text.left < box.left - 0.5 || text.right > box.right + 0.5)
    return isClipped || box.right > innerWidth || element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0
  })
  .map(element => element.tagName + ' ' + element.textContent.trim().slice(0, 60))`

async function expectNothingCut(page: Page, widths: readonly number[]): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 })
    expect(await page.evaluate(listMisfits), `${width}`).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
  }
}

test.for(Object.entries(states))(
  'from 320 to 1920 pixels nothing of %s is cut',
  async ([, [opening, reach]], { openBoard }) => {
    const { page } = await openBoard(opening)
    await reach(page)
    await expectNothingCut(page, [320, 390, 640, 759, 760, 768, 1280, 1920])
  },
)

test('a reader who chose a larger size of text reads it, and nothing is cut', async ({ openBoard }) => {
  const { page } = await openBoard({ prepare: stretchNames })
  const session = await page.context().newCDPSession(page)
  await listed(page)
  const sizeOf = () => page.evaluate<number>('parseFloat(getComputedStyle(document.querySelector("td")).fontSize)')
  const before = await sizeOf()
  await session.send('Page.setFontSizes', { fontSizes: { standard: 24, fixed: 20 } })
  expect(await sizeOf()).toBe(before * 1.5)
  await expectNothingCut(page, [480, 768, 1139, 1140, 1280, 1920])
})

test.for(['the list', 'a served record', 'a refused record', 'an unknown symbol', 'the reference'])(
  'with texts of twice the size, nothing of %s is cut on a phone',
  async (name, { openBoard }) => {
    const [opening, reach] = states[name] ?? []
    const { page } = await openBoard(opening)
    const session = await page.context().newCDPSession(page)
    await session.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 28 } })
    await reach?.(page)
    await expectNothingCut(page, [320, 360])
  },
)

/**
 * Lists the words of a page, up to twelve letters, each with the number of lines that it is on. Code and names, which can
 * be longer than a line, are left out.
 */
const listWords = `(() => {
  const walker = document.createTreeWalker(document.querySelector('main').parentElement, NodeFilter.SHOW_TEXT)
  const words = []
  while (walker.nextNode()) {
    const text = walker.currentNode
    if (text.parentElement.closest('code, pre, .name, .bar, .hidden') !== null) continue
    for (const { 0: word, index } of text.data.matchAll(/(?<![\\w.])[A-Za-z]{2,12}(?!\\w)/g)) {
      const range = document.createRange()
      range.setStart(text, index)
      range.setEnd(text, index + word.length)
      words.push([word, new Set(Array.from(range.getClientRects(), ({ top }) => top)).size])
    }
  }
  return words
})()`

test('with texts of up to twice the size, no word of a list and a record is on two lines', async ({ openBoard }) => {
  const { page } = await openBoard({ query: '?feed=NFLX', viewport: { width: 320, height: 700 } })
  const session = await page.context().newCDPSession(page)
  await opened(page)
  for (const standard of [16, 20, 24, 32]) {
    await session.send('Page.setFontSizes', { fontSizes: { standard, fixed: 28 } })
    const words = await page.evaluate<[string, number][]>(listWords)
    expect(words.map(([word]) => word)).toEqual(expect.arrayContaining(['served', 'straddle', 'corporate']))
    expect(words.filter(([, lines]) => lines > 1)).toEqual([])
  }
})

/** The smallest distance between a price and the age beside it, in pixels. */
const smallestGap = `Math.min(...[...document.querySelectorAll('tbody .age')].map(age => {
  const [price, text] = [document.createRange(), document.createRange()]
  price.selectNodeContents(age.previousElementSibling)
  text.selectNodeContents(age)
  return text.getBoundingClientRect().left - price.getBoundingClientRect().right
}))`

// https://www.w3.org/WAI/WCAG22/Understanding/text-spacing.html
const spacing = '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }'

test('with more space between letters and words, price and age do not touch', async ({ openBoard }) => {
  const days = (text: string) => text.replaceAll(/"ageSeconds":\d+/g, '"ageSeconds":4219200')
  const { page } = await openBoard({ bypassCSP: true, prepare: page => changeLists(page, days) })
  await listed(page)
  await page.addStyleTag({ content: spacing })
  for (const width of [760, 1280]) {
    await page.setViewportSize({ width, height: 900 })
    expect(await page.evaluate<number>(smallestGap)).toBeGreaterThanOrEqual(8)
  }
})

/** The size of the text in the search, in pixels. */
const searchSize = 'parseFloat(getComputedStyle(document.querySelector("[type=search]")).fontSize)'

// Below 16 pixels, iPhones zoom in.
test('on a touchscreen, the text of the search has 16 pixels, or more if the reader chose larger texts', async ({
  openBoard,
}) => {
  const { page } = await openBoard({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 800 } })
  await listed(page)
  const session = await page.context().newCDPSession(page)
  expect(await page.evaluate<number>(searchSize)).toBe(16)
  await session.send('Page.setFontSizes', { fontSizes: { standard: 24, fixed: 20 } })
  expect(await page.evaluate<number>(searchSize)).toBeGreaterThan(16)
})

test('with a mouse, the search has the size of the texts beside it', async ({ openBoard }) => {
  const { page } = await openBoard()
  await listed(page)
  expect(await page.evaluate<number>(searchSize)).toBe(14)
})

test.for(['', 'docs'])(
  'at /%s, the page asks browsers to link no number as a telephone number',
  async (query, { openBoard }) => {
    const { page } = await openBoard({ query })
    expect(await page.locator('meta[name=format-detection]').getAttribute('content')).toBe('telephone=no')
  },
)

/** Gives the heading the system colour of a selection as its background. */
const selectHeading = `Object.assign(document.querySelector('h1').style, {
  background: 'SelectedItem',
  forcedColorAdjust: 'none',
})`

test('with forced colours, only what is chosen has the background of a selection', async ({ openBoard }) => {
  const { page } = await openBoard({ forcedColors: 'active' })
  await listed(page)
  await page.evaluate(selectHeading)
  /** Takes a picture of one pixel, beside the text of an element. */
  const backgroundOf = async (selector: string) => {
    const { x = 0, y = 0 } = (await page.locator(selector).first().boundingBox()) ?? {}
    return page.screenshot({ clip: { x: x + 4, y: y + 2, width: 1, height: 1 } })
  }
  const [selected, plain] = [await backgroundOf('h1'), await backgroundOf('h2')]
  expect(selected).not.toEqual(plain)
  for (const group of ['header', '.tools']) {
    expect(await backgroundOf(`${group} :checked + span`)).toEqual(selected)
    expect(await backgroundOf(`${group} :not(:checked) + span`)).toEqual(plain)
  }
})

test('with forced colours, what sorts, copies and closes has a border', async ({ openBoard }) => {
  const { page } = await openBoard({ query: '?feed=CRWD', forcedColors: 'active' })
  await opened(page)
  /** Whether the left edge of an element differs from what is further left, above its text. */
  const hasBorder = async (selector: string) => {
    const { x = 0, y = 0 } = (await page.locator(selector).first().boundingBox()) ?? {}
    const pictureOf = (left: number) =>
      page.screenshot({ clip: { x: Math.floor(left), y: Math.floor(y) + 3, width: 2, height: 1 } })
    return !(await pictureOf(x)).equals(await pictureOf(x - 3))
  }
  expect(await hasBorder('dialog .copy')).toBe(true)
  expect(await hasBorder('dialog .close')).toBe(true)
  expect(await hasBorder('dialog pre')).toBe(false)
  await page.keyboard.press('Escape')
  await dialogOf(page).waitFor({ state: 'detached' })
  expect(await hasBorder('thead .price button')).toBe(true)
})

test("the name of the search contains its visible words, and the link to a contract's page names the contract", async ({
  openBoard,
}) => {
  const { page } = await openBoard()
  const search = page.getByPlaceholder('Search')
  expect(await search.getAttribute('aria-label')).toBe('Search: symbol, name or status')
  await rowOf(page, 'CRWD').locator('a').click()
  const links = dialogOf(page).locator('dd').getByRole('link')
  expect(await links.evaluateAll(all => all.map(link => link.getAttribute('aria-label')))).toEqual([
    'Explorer: feed',
    'Explorer: token',
    null,
  ])
})

test('a record has the verdict as a heading, and is no second banner; each group of buttons has its name', async ({
  openBoard,
}) => {
  const { page } = await openBoard({ query: '?feed=CRWD' })
  await opened(page)
  await dialogOf(page).getByRole('heading', { name: 'served, market closed', level: 3 }).waitFor()
  expect(await page.getByRole('banner').count()).toBe(1)
  const groups = page.locator('fieldset')
  expect(await groups.evaluateAll(all => all.map(group => group.ariaLabel))).toEqual(['Network', 'Filter'])
})

test('Copy, Reference, Explorer and Authors are targets of at least 24 by 24 pixels', async ({ openBoard }) => {
  const { page } = await openBoard({ query: '?feed=CRWD' })
  await opened(page)
  const targets = await page.locator('.copy, header a, dd a').all()
  const boxes = await Promise.all(targets.map(target => target.boundingBox()))
  expect(boxes).toHaveLength(7)
  for (const box of boxes) expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(24)
})

test('what has the focus is covered neither by the note above a list nor by the header of a record, with texts of any size', async ({
  openBoard,
}) => {
  const viewport = { width: 320, height: 500 }
  const { page } = await openBoard({ viewport, prepare: markAsLocal })
  const session = await page.context().newCDPSession(page)
  await listed(page)
  /** Focuses the links, the last one first. Lists the distances of their upper edges from the lower edge of what stays. */
  const listDistances = (links: string, fixed: string) =>
    page.evaluate<number[]>(`[...document.querySelectorAll('${links}')].reverse().map(link => {
      link.focus()
      return link.getBoundingClientRect().top - document.querySelector('${fixed}').getBoundingClientRect().bottom
    })`)
  for (const standard of [16, 32]) {
    await session.send('Page.setFontSizes', { fontSizes: { standard, fixed: 28 } })
    expect(Math.min(...(await listDistances('tbody a', '.note')))).toBeGreaterThanOrEqual(0)
    await rowOf(page, 'NFLX').locator('a').click()
    await opened(page)
    expect(Math.min(...(await listDistances('dialog :is(a, .copy)', 'dialog .bar')))).toBeGreaterThanOrEqual(0)
    await page.keyboard.press('Escape')
    await dialogOf(page).waitFor({ state: 'detached' })
  }
})

/** How far the name beside the focused link is from the outer edge of its focus ring, in pixels. */
const ringGap = `(() => {
  const link = document.activeElement
  const { outlineOffset, outlineWidth } = getComputedStyle(link)
  const name = document.createRange()
  name.selectNodeContents(link.nextElementSibling)
  const ring = link.getBoundingClientRect().right + parseFloat(outlineOffset) + parseFloat(outlineWidth)
  return name.getBoundingClientRect().left - ring
})()`

test('the focus ring of a symbol does not cover the name beside it', async ({ openBoard }) => {
  const { page } = await openBoard()
  await listed(page)
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    for (const symbol of ['F', 'CRWD']) {
      await rowOf(page, symbol).locator('a').focus()
      expect(await page.evaluate<string>('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid')
      expect(await page.evaluate<number>(ringGap)).toBeGreaterThan(0)
    }
  }
})
