import axe, { type Result } from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import {
  bannerOf,
  failedRequest,
  listed,
  nextRequest,
  type Opening,
  opened,
  test,
  testnetSymbol,
} from '../support/browser/board.ts'
import { listPath, markAsLocal } from '../support/browser/responses.ts'

const states: Record<string, [Opening, (page: Page) => Promise<unknown>]> = {
  'the list and the open legend': [{}, openLegend],
  'an open record, unfolded': [{ query: '?feed=AAPL' }, unfold],
  'the record of a refused price, of a local chain': [
    { query: '?feed=JNJ', prepare: page => markAsLocal(page, 'mainnet', 'http://127.0.0.1:8545') },
    opened,
  ],
  'a failed refresh': [{ movesClock: true, expected: failedRequest }, fail],
  'a search without a match': [
    { query: `?search=${testnetSymbol}` },
    page => page.getByText('is on the testnet').waitFor(),
  ],
  'an unknown symbol': [
    { query: '?feed=NOPE', expected: failedRequest },
    page => page.getByText('Unknown symbol').waitFor(),
  ],
  'an unknown network': [{ query: '?network=moon' }, page => page.getByText('Unknown network').waitFor()],
  'a first failure': [
    {
      expected: failedRequest,
      prepare: page => page.route(listPath, route => route.fulfill({ status: 503, body: '' })),
    },
    page => bannerOf(page).getByText('HTTP 503').waitFor(),
  ],
  'a list without a response yet': [
    { prepare: page => page.route(listPath, () => {}) },
    page => page.getByText('Reading the chain').waitFor({ state: 'attached' }),
  ],
  'the reference with a response': [{ query: 'docs' }, request],
}

async function openLegend(page: Page): Promise<void> {
  await listed(page)
  await page.getByText('Legend').click()
}

async function unfold(page: Page): Promise<void> {
  await opened(page)
  await page.getByText('What was read').click()
}

async function fail(page: Page): Promise<void> {
  await listed(page)
  await page.route(listPath, route => route.fulfill({ status: 503, body: '' }))
  await nextRequest(page)
  await bannerOf(page).waitFor()
  // axe waits for timers.
  await page.clock.resume()
}

async function request(page: Page): Promise<void> {
  await page.locator('.operation:has(#getPrice)').getByRole('button', { name: 'Send the request' }).click()
  await page.getByText('200 OK').waitFor()
  await page.evaluate(`document.querySelectorAll('details').forEach(element => { element.open = true })`)
}

/** The layouts in light colours, and the other colours, on which only two rules depend. */
const looks = [
  ['desktop', 1280, {}, {}],
  ['tablet', 820, {}, {}],
  ['phone', 390, {}, {}],
  ['phone, dark', 390, { colorScheme: 'dark' }, { runOnly: ['color-contrast', 'link-in-text-block'] }],
  ['desktop, dark', 1280, { colorScheme: 'dark' }, { runOnly: ['color-contrast', 'link-in-text-block'] }],
  ['desktop, more contrast', 1280, { contrast: 'more' }, { runOnly: ['color-contrast', 'link-in-text-block'] }],
] as const

/** A folder for a picture of every state and look. Without it there are none. */
const screenshots = process.env['SCREENSHOTS']

test.for(Object.entries(states))(
  'axe finds nothing in %s, in each layout and in all colours',
  async ([state, [opening, ready]], { openBoard }) => {
    const { page } = await openBoard({ bypassCSP: true, ...opening })
    await ready(page)
    await page.evaluate(axe.source)
    for (const [name, width, colors, options] of looks) {
      await page.setViewportSize({ width, height: 844 })
      await page.emulateMedia({ colorScheme: 'light', contrast: 'no-preference', ...colors })
      if (screenshots !== undefined) await page.screenshot({ path: `${screenshots}/${state}, ${name}.png` })
      const violations = await page.evaluate<Result[]>(
        `axe.run(${JSON.stringify({ ...options, resultTypes: ['violations'] })}).then(({ violations }) => violations)`,
      )
      const found = violations.flatMap(({ id, nodes }) => nodes.map(({ html, any }) => [id, html, any[0]?.message]))
      expect(found, name).toEqual([])
    }
  },
)
