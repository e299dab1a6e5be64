import { mkdirSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { inject } from 'vitest'
import registry from '../../lambda/feeds/registry.json' with { type: 'json' }
import { misbehave } from '../../local/stand-in-feed.ts'
import { changeAnswers, listPath, multiply } from './answers.ts'
import { failedRequest, type Opening, rowOf, test } from './board.ts'

/** Where the pictures go; without it this file is not run. */
const folder = process.env['SCREENSHOTS'] ?? ''

const phone = { viewport: { width: 390, height: 844 } }
/** A4, across, within the margins that Chromium leaves. */
const paper = { viewport: { width: 1047, height: 718 } }
const print = (page: Page) => page.emulateMedia({ media: 'print' })
const listed = (page: Page) => page.locator('tbody tr').first().waitFor()
const opened = (page: Page) => page.getByText('cast call').first().waitFor()

async function fail(page: Page): Promise<void> {
  await listed(page)
  await page.route(/\/price/, route => route.abort())
  await page.clock.fastForward(10_300)
  await page.getByText('No answer').first().waitFor()
}

const failing: Opening = { expected: failedRequest, prepare: page => page.clock.install() }
const many: Opening = { prepare: page => changeAnswers(page, listPath, text => multiply(text, 200)) }

const pictures: Record<string, [Opening, (page: Page) => Promise<unknown>]> = {
  'list-light': [{}, listed],
  'list-dark': [{ colorScheme: 'dark' }, listed],
  'list-testnet': [{ query: '?network=testnet' }, listed],
  'list-phone': [phone, listed],
  'list-phone-dark': [{ ...phone, colorScheme: 'dark' }, listed],
  'list-narrowest': [{ viewport: { width: 320, height: 640 } }, listed],
  'list-forced-colors': [{ forcedColors: 'active' }, listed],
  'list-zoomed': [{ viewport: { width: 640, height: 360 } }, listed],
  'list-narrow': [{ viewport: { width: 820, height: 700 } }, listed],
  'list-close': [{ viewport: { width: 1024, height: 700 } }, listed],
  'list-print': [{ ...paper, prepare: print }, listed],
  'record-print': [{ ...paper, prepare: print, query: '?feed=AAPL' }, opened],
  'list-failed-narrowest': [{ ...failing, viewport: { width: 320, height: 640 } }, fail],
  'list-many': [many, listed],
  'list-failed': [failing, fail],
  'list-failed-phone': [{ ...failing, ...phone }, fail],
  'list-empty': [{ query: '?search=nope' }, page => page.getByText('No feed matches').waitFor()],
  tip: [{}, page => rowOf(page, 'NFLX').locator('.chip').hover()],
  record: [{ query: '?feed=AAPL' }, opened],
  'record-dark': [{ query: '?feed=JNJ', colorScheme: 'dark' }, opened],
  'record-narrowest': [{ viewport: { width: 320, height: 640 }, query: '?feed=AAPL' }, opened],
  'record-phone': [{ ...phone, query: '?feed=AAPL' }, opened],
  'record-unknown': [
    { query: '?feed=NOPE', expected: failedRequest },
    page => page.getByText('Unknown symbol').waitFor(),
  ],
}

test.for(Object.entries(pictures))('a picture of %s', async ([name, [opening, ready]], { openBoard }) => {
  const { page } = await openBoard(opening)
  await ready(page)
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: `${folder}/${name}.png` })
})

test('a picture of a feed that cannot be read', async ({ openBoard }) => {
  const pfe = registry.mainnet.find(({ symbol }) => symbol === 'PFE')?.address as `0x${string}`
  await misbehave(inject('rpcUrls').mainnet, pfe, 'latestDetail()', { revert: '0x' })
  const { page } = await openBoard({ query: '?sort=-status', expected: failedRequest })
  await rowOf(page, 'PFE').getByText('Unreadable').waitFor()
  await page.screenshot({ path: `${folder}/list-unreadable.png` })
  await page.getByRole('link', { name: 'PFE' }).click()
  await page.getByText('Feed unreadable').waitFor()
  await page.screenshot({ path: `${folder}/record-unreadable.png` })
  await misbehave(inject('rpcUrls').mainnet, pfe, 'latestDetail()', 'behave')
})
