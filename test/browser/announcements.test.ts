import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import {
  bannerOf,
  dialogOf,
  failedRequest,
  feedCounts,
  filterOf,
  listed,
  nextRequest,
  opened,
  refresh,
  test,
} from '../support/browser/board.ts'
import { listPath, recordPath } from '../support/browser/responses.ts'

/** Lists the text of each status region that is exposed. */
const listStatuses = (within: Page | Locator) => within.getByRole('status').allTextContents()

/** Records each change of a status region. */
const noteAnnounced = `globalThis.announced = []
new MutationObserver(all => all.forEach(({ target }) => {
  const region = (target.nodeType === 1 ? target : target.parentElement).closest('[role=status]')
  if (region !== null) announced.push(region.textContent)
})).observe(document.body, { subtree: true, childList: true, characterData: true })`
const takeAnnounced = 'announced.splice(0)'

const count = `${feedCounts.mainnet} feeds`

test('the status regions exist before, during and after a failure, which is announced once', async ({ openBoard }) => {
  const { page } = await openBoard({ expected: failedRequest, movesClock: true })
  await listed(page)
  expect(await listStatuses(page)).toEqual([count, '', '', ''])
  await page.evaluate(noteAnnounced)
  await page.route(listPath, route => route.fulfill({ status: 502, body: '' }))
  for (let count = 0; count < 3; count += 1) await refresh(page)
  const failure = 'HTTP 502. The service responded with an error. What you see are the last good values. Trying again.'
  expect(await page.evaluate(takeAnnounced)).toEqual([failure])
  expect(await listStatuses(page)).toEqual([count, '', failure, ''])
  await page.unroute(listPath)
  await nextRequest(page)
  await bannerOf(page).waitFor({ state: 'hidden' })
  expect(await listStatuses(page)).toEqual([count, '', '', ''])
})

test('the status regions of a record exist before a failure, and its values are not among them', async ({
  openBoard,
}) => {
  const { page } = await openBoard({ query: '?feed=LLY', expected: failedRequest, movesClock: true })
  await opened(page)
  const before = await listStatuses(dialogOf(page))
  expect(new Set(before)).toEqual(new Set(['']))
  await page.route(recordPath, route => route.fulfill({ status: 502, body: '' }))
  await nextRequest(page)
  await dialogOf(page).getByText('HTTP 502').waitFor()
  const after = await listStatuses(dialogOf(page))
  expect(after).toHaveLength(before.length)
  expect(after.filter(text => text !== '')).toEqual([expect.stringMatching(/^HTTP 502\..+ Trying again\.$/)])
})

test('a search and a filter are announced, a refresh is not', async ({ openBoard }) => {
  const { page } = await openBoard({ movesClock: true })
  await listed(page)
  await page.evaluate(noteAnnounced)
  await page.getByLabel('Search').fill('aapl')
  expect(await page.evaluate(takeAnnounced)).toEqual([`1 of ${feedCounts.mainnet} feeds`])
  await filterOf(page, 'No data').click()
  expect(await page.evaluate(takeAnnounced)).toEqual([`0 of ${feedCounts.mainnet} feeds`, 'No feed matches.'])
  await page.getByLabel('Search').fill('snap')
  expect(await page.evaluate(takeAnnounced)).toEqual([`1 of ${feedCounts.mainnet} feeds`, ''])
  await refresh(page)
  await refresh(page)
  expect(await page.evaluate(takeAnnounced)).toEqual([])
})
