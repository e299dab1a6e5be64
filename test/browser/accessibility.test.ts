import axe, { type AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { listPath } from './answers.ts'
import { failedRequest, rowOf, test } from './board.ts'

/** Lists the violations that axe finds, each with its element. */
async function listViolations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  const { violations } = await page.evaluate<AxeResults>('axe.run()')
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html, any }) => `${id}: ${html} ${any[0]?.message}`))
}

const listed = (page: Page) => page.locator('tbody tr').first().waitFor()

const looks = [
  ['light', { colorScheme: 'light' }],
  ['dark', { colorScheme: 'dark' }],
  ['with more contrast', { contrast: 'more' }],
  ['on a phone', { viewport: { width: 390, height: 844 } }],
  ['on a tablet', { viewport: { width: 820, height: 1180 } }],
  ['dark on a phone', { colorScheme: 'dark', viewport: { width: 390, height: 844 } }],
] as const

test.for(looks)('axe finds nothing in the list, %s', async ([, look], { openBoard }) => {
  const { page } = await openBoard({ bypassCSP: true, ...look })
  await listed(page)
  expect(await listViolations(page)).toEqual([])
})

test.for(looks)('axe finds nothing in an open record, %s', async ([, look], { openBoard }) => {
  const { page } = await openBoard({ bypassCSP: true, query: '?feed=JNJ', ...look })
  await page.getByText('cast call').first().waitFor()
  expect(await listViolations(page)).toEqual([])
})

test.for(looks)('axe finds nothing when the refresh fails, %s', async ([, look], { openBoard }) => {
  const prepare = (page: Page) => page.clock.install()
  const { page } = await openBoard({ bypassCSP: true, expected: failedRequest, prepare, ...look })
  await listed(page)
  await page.route(listPath, route => route.fulfill({ status: 503, body: '' }))
  await page.clock.fastForward(10_300)
  await page.locator('#failure').waitFor()
  expect(await listViolations(page)).toEqual([])
})

test.for([
  ['no feed matches', '?search=nope'],
  ['the symbol is unknown', '?feed=NOPE'],
] as const)('axe finds nothing when %s', async ([, query], { openBoard }) => {
  const { page } = await openBoard({ bypassCSP: true, expected: failedRequest, query })
  await page.getByText(/No feed matches|Unknown symbol/).waitFor()
  expect(await listViolations(page)).toEqual([])
})

test('axe finds nothing while a tip is open, and before the first answer', async ({ openBoard }) => {
  const { page } = await openBoard({ bypassCSP: true })
  await rowOf(page, 'JNJ').locator('.chip').focus()
  expect(await page.locator('.tip').isVisible()).toBe(true)
  expect(await listViolations(page)).toEqual([])
  const { page: early } = await openBoard({ bypassCSP: true, prepare: page => page.route(listPath, () => {}) })
  await early.getByText('Reading the chain').waitFor()
  expect(await listViolations(early)).toEqual([])
})
