import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import { expect, test as plainTest } from 'vitest'
import { stopPerformance } from '../clock.ts'
import { makeUnreadable } from '../local/make-unreadable.ts'
import { startService } from '../service.ts'
import { launchChromium } from './chromium.ts'

/** Options for opening a board. */
export interface Opening extends BrowserContextOptions {
  /** The board's query. */
  readonly query?: string
  /** A console message that the test expects, such as that of a failed request. */
  readonly expected?: RegExp
  /** Whether the page's clock is stopped unless the test moves it. */
  readonly movesClock?: boolean
  /** Prepares the page before it is loaded. */
  readonly prepare?: (page: Page) => Promise<unknown>
}

/** The console message of a failed request. */
export const failedRequest = /^error: Failed to load resource: /

/** A symbol of the mainnet whose feed reverts every call. */
export const unreadableSymbol = 'PFE'

/**
 * A test of the board, which begins with an expired cache of the gateway. It also fails on an unexpected console
 * message, such as the browser's for a request to another host, which the page's policy forbids.
 */
export const test = plainTest
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the dependencies of a fixture from this pattern.
  .extend('browser', { scope: 'worker' }, async ({}, { onCleanup }) => {
    const browser = await launchChromium()
    onCleanup(() => browser.close())
    return browser
  })
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the dependencies of a fixture from this pattern.
  .extend('deployment', { scope: 'worker' }, async ({}, { onCleanup }) => {
    const clock = stopPerformance()
    // The service responds as a deployment does, whose responses do not name local chains.
    const service = await startService({ chains: {} })
    onCleanup(async () => {
      await service[Symbol.asyncDispose]()
      clock[Symbol.dispose]()
    })
    await makeUnreadable(service, unreadableSymbol)
    return { ...service, ...clock }
  })
  .extend('openBoard', async ({ browser, deployment }, { onCleanup }) => {
    deployment.advance(10_000)
    const unexpected: string[] = []
    onCleanup(async () => {
      for (const context of browser.contexts()) {
        // A handler of a route can still be running.
        for (const page of context.pages()) await page.unrouteAll({ behavior: 'ignoreErrors' })
        await context.close()
      }
      expect(unexpected).toEqual([])
    })
    return async ({ query = '', expected, movesClock, prepare, ...options }: Opening = {}) => {
      const permissions = ['clipboard-read', 'clipboard-write']
      const context = await browser.newContext({ viewport: { width: 1280, height: 720 }, permissions, ...options })
      // This limit ends a test that hangs.
      context.setDefaultTimeout(500_000)
      /** The URLs that the page requested, relative to the API's URL. */
      const requests: string[] = []
      const report = (text: string) => (expected?.test(text) ? undefined : unexpected.push(text))
      context.on('request', request => requests.push(request.url().replace(deployment.baseUrl, '')))
      context.on('console', message => {
        if (['error', 'warning'].includes(message.type())) report(`${message.type()}: ${message.text()}`)
      })
      context.on('weberror', error => report(`uncaught: ${error.error()}`))
      const page = await context.newPage()
      if (movesClock) await standClock(page)
      await prepare?.(page)
      await page.goto(`${deployment.baseUrl}/${query}`)
      return { page, requests }
    }
  })

async function standClock(page: Page): Promise<void> {
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 60_000)
  await page.addInitScript({ content: recordRequests })
}

/** Counts the page's requests in `requestCount`, and in `pending` those without a complete response. */
const recordRequests = `globalThis.requestCount = 0
globalThis.pending = 0
const request = fetch
globalThis.fetch = async (...parameters) => {
  requestCount += 1
  pending += 1
  try {
    const response = await request(...parameters)
    const text = await response.text()
    return Object.assign(response, { text: async () => text })
  } finally {
    pending -= 1
  }
}`

/** Returns the row of a feed. */
export function rowOf(page: Page, symbol: string): Locator {
  return page.locator('tbody tr').filter({ has: page.locator(`[data-feed="${symbol}"]`) })
}

/** Lists the symbols of the rows, top down. */
export function symbolsOf(page: Page): Promise<string[]> {
  return page.locator('tbody th a').allTextContents()
}

/** Waits until the rows are drawn. A dialog may cover them. */
export function listed(page: Page): Promise<void> {
  return page.locator('tbody tr').first().waitFor({ state: 'attached' })
}

/** The dialog of the open feed. */
export function dialogOf(page: Page): Locator {
  return page.getByRole('dialog')
}

/** Waits until the open feed is drawn. */
export function opened(page: Page): Promise<void> {
  return dialogOf(page).getByText('Token', { exact: true }).waitFor()
}

/** The sentence about how many feeds serve. */
export function summaryOf(page: Page): Locator {
  return page.locator('main h2')
}

/** The failure of the list. */
export function failureOf(page: Page): Locator {
  return page.locator('main > p', { has: page.getByRole('status') })
}

/** Counts the requests of a page whose clock is stopped, without those of its documents. */
export function countRequests(page: Page): Promise<number> {
  return page.evaluate<number>('requestCount')
}

/** Waits until a page whose clock is stopped has drawn the responses to all of its requests. */
export async function settled(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate('pending')).toBe(0)
}

/** Moves the page's clock to its next request. */
export async function nextRequest(page: Page): Promise<void> {
  // The page sets its timer when it has drawn a response.
  await settled(page)
  const before = await countRequests(page)
  await page.clock.fastForward(10_300)
  expect(await countRequests(page)).toBeGreaterThan(before)
}

/** Hides or shows the page. */
export function setVisibility(page: Page, state: 'hidden' | 'visible'): Promise<void> {
  return page.evaluate(`Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))`)
}

/** Moves the page's clock to its next request, and waits until the response is drawn. */
export async function refresh(page: Page): Promise<void> {
  await nextRequest(page)
  await settled(page)
}

/** Returns the query of the page's URL, as the page has it: Playwright learns of a change later. */
export function queryOf(page: Page): Promise<string> {
  return page.evaluate<string>('location.search')
}
