import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import { test as base, expect } from 'vitest'
import { watchAnswers } from './answer-watch.ts'
import { launchChromium } from './chromium.ts'
import { startDeployment } from './deployment.ts'

/** How a board is opened. */
export interface Opening extends BrowserContextOptions {
  /** The board's query. */
  readonly query?: string
  /** A complaint of the browser that belongs to the test: the request that is to fail. */
  readonly expected?: RegExp
  /** Changes the page before it is there. */
  readonly prepare?: (page: Page) => Promise<unknown>
}

/** A board in the browser. */
export interface Board {
  readonly page: Page
  /** The URLs that the page asked for, below the API's own. */
  readonly requests: string[]
}

/** What the board says when a request fails: a browser tells of each in its console. */
export const failedRequest = /^error: Failed to load resource: /

/**
 * A test of the board; it fails as well when the page asks another host, when the browser has anything to complain of, and when
 * openapi.yaml does not describe what the service answered.
 */
export const test = base
  // biome-ignore lint/correctness/noEmptyPattern: from this pattern Vitest reads what a fixture needs.
  .extend('browser', { scope: 'file' }, async ({}, { onCleanup }) => {
    const browser = await launchChromium()
    onCleanup(() => browser.close())
    return browser
  })
  // biome-ignore lint/correctness/noEmptyPattern: from this pattern Vitest reads what a fixture needs.
  .extend('deployment', { scope: 'file' }, async ({}, { onCleanup }) => {
    const deployment = await startDeployment()
    onCleanup(deployment.stop)
    return deployment
  })
  .extend('openBoard', async ({ browser, deployment }, { onCleanup }) => {
    const complaints: string[] = []
    const closing: (() => Promise<void>)[] = []
    const watched: (() => Promise<readonly string[]>)[] = []
    onCleanup(async () => {
      for (const findFaults of watched) complaints.push(...(await findFaults()))
      for (const close of closing) await close()
      expect(complaints).toEqual([])
    })
    return async ({ query = '', expected, prepare, ...options }: Opening = {}): Promise<Board> => {
      const context = await browser.newContext({ viewport: { width: 1280, height: 720 }, ...options })
      context.setDefaultTimeout(20_000)
      closing.push(() => context.close())
      const requests: string[] = []
      const complain = (text: string) => (expected?.test(text) ? undefined : complaints.push(text))
      context.on('request', request => {
        const url = request.url()
        requests.push(url.replace(deployment.baseUrl, ''))
        if (!url.startsWith(`${deployment.origin}/`) && !url.startsWith('data:')) complain(`asked of another: ${url}`)
      })
      watched.push(watchAnswers(context, deployment.baseUrl))
      context.on('console', message => {
        if (['error', 'warning'].includes(message.type())) complain(`${message.type()}: ${message.text()}`)
      })
      context.on('weberror', error => complain(`thrown: ${error.error()}`))
      await context.addInitScript({ content: reportViolations })
      const page = await context.newPage()
      await prepare?.(page)
      await page.goto(`${deployment.baseUrl}/${query}`)
      return { page, requests }
    }
  })

const reportViolations = `document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
  console.error('forbidden by the policy:', violatedDirective, blockedURI))`

/** Finds the row of a feed. */
export function rowOf(page: Page, symbol: string): Locator {
  return page.locator('tbody tr').filter({ has: page.getByRole('rowheader', { name: symbol, exact: true }) })
}

/** Lists the symbols of the rows, from above. */
export function symbolsOf(page: Page): Promise<string[]> {
  return page.locator('tbody th').allTextContents()
}
