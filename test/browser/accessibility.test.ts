import axe, { type Result } from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { failedRequest, failureOf, listed, type Opening, opened, test } from '../support/browser/board.ts'
import { failing, listPath } from '../support/browser/responses.ts'

const states: Readonly<Record<string, readonly [Opening, (page: Page) => Promise<unknown>]>> = {
  'the list': [{}, listed],
  'a record': [{ query: '?feed=CRWD' }, opened],
  'an unknown symbol': [
    { query: '?feed=NOPE', expected: failedRequest },
    page => page.getByText('has no feed').waitFor(),
  ],
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
