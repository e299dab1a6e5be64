import { mkdirSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { failedRequest, listed, nextRequest, type Opening, opened, test } from '../support/browser/board.ts'
import { changeResponses, listPath, multiply } from '../support/browser/responses.ts'

/** The folder of the screenshots. Without it this file does not run. */
const folder = process.env['SCREENSHOTS'] ?? ''

const phone = { viewport: { width: 390, height: 844 } }
const narrowest = { viewport: { width: 320, height: 640 } }
const tablet = { viewport: { width: 768, height: 1024 } }
/** A4 in landscape, within Chromium's margins. */
const paper = { viewport: { width: 1047, height: 718 }, prepare: (page: Page) => page.emulateMedia({ media: 'print' }) }

async function fail(page: Page): Promise<void> {
  await listed(page)
  await page.route(/\/price/, route => route.abort())
  await nextRequest(page)
  await page.getByText('No response').first().waitFor()
}

const failing: Opening = { expected: failedRequest, movesClock: true }
const many: Opening = { prepare: page => changeResponses(page, listPath, text => multiply(text, 200)) }

const pictures: Record<string, [Opening, (page: Page) => Promise<unknown>]> = {
  'list-light': [{}, listed],
  'list-dark': [{ colorScheme: 'dark' }, listed],
  'list-testnet': [{ query: '?network=testnet' }, listed],
  'list-phone': [phone, listed],
  'list-phone-dark': [{ ...phone, colorScheme: 'dark' }, listed],
  'list-narrowest': [narrowest, listed],
  'list-forced-colors': [{ forcedColors: 'active' }, listed],
  'list-tablet': [tablet, listed],
  'list-tablet-dark': [{ ...tablet, colorScheme: 'dark' }, listed],
  'list-print': [paper, listed],
  'list-many': [many, listed],
  'list-failed': [failing, fail],
  'list-failed-phone': [{ ...failing, ...phone }, fail],
  'list-empty': [{ query: '?search=nope' }, page => page.getByText('No feed matches').waitFor()],
  'list-unreadable': [{ query: '?sort=-status' }, listed],
  legend: [{}, page => page.getByText('Legend').click()],
  record: [{ query: '?feed=AAPL' }, opened],
  'record-dark': [{ query: '?feed=JNJ', colorScheme: 'dark' }, opened],
  'record-narrowest': [{ ...narrowest, query: '?feed=AAPL' }, opened],
  'record-tablet': [{ ...tablet, query: '?feed=NFLX' }, opened],
  'record-phone': [{ ...phone, query: '?feed=AAPL' }, opened],
  'record-phone-dark': [{ ...phone, query: '?feed=AMC', colorScheme: 'dark' }, opened],
  'record-failed': [{ ...failing, query: '?feed=CRWD' }, fail],
  'record-failed-forced-colors': [{ ...failing, query: '?feed=CRWD', forcedColors: 'active' }, fail],
  'record-print': [{ ...paper, query: '?feed=AAPL' }, opened],
  'record-unknown': [
    { query: '?feed=NOPE', expected: failedRequest },
    page => page.getByText('Unknown symbol').waitFor(),
  ],
  'record-unreadable': [
    { query: '?feed=PFE', expected: failedRequest },
    page => page.getByText('Feed unreadable').waitFor(),
  ],
}

test.for(Object.entries(pictures))('screenshot of %s', async ([name, [opening, ready]], { openBoard, deployment }) => {
  const take = async () => {
    const { page } = await openBoard(opening)
    await ready(page)
    mkdirSync(folder, { recursive: true })
    await page.screenshot({ path: `${folder}/${name}.png` })
  }
  await (name.endsWith('unreadable') ? deployment.whileReverting('PFE', take) : take())
})
