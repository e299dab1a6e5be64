import { gzipSync } from 'node:zlib'
import { expect } from 'vitest'
import { test } from './board.ts'

test('the page is one document of at most 60 kB, and its policy allows only its own script and style', async ({
  deployment,
}) => {
  const response = await fetch(`${deployment.baseUrl}/`)
  const html = await response.text()
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(gzipSync(html).length).toBeLessThan(60_000)
  expect(html).not.toMatch(/<script[^>]+src=|<link[^>]+href="(?!data:)|@import|url\(/)
  const policy = response.headers.get('content-security-policy')?.split('; ') ?? []
  expect(policy.map(directive => directive.replace(/sha256-[\w+/]{43}=/, '…'))).toEqual([
    "default-src 'none'",
    "script-src '…'",
    "style-src '…'",
    "connect-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ])
})

test('the policy allows the page’s script and no other', async ({ openBoard }) => {
  const { page } = await openBoard({ expected: /Content Security Policy|forbidden by the policy/ })
  await page.locator('tbody tr').first().waitFor()
  await page.evaluate(`document.body.append(Object.assign(document.createElement('script'), {
    textContent: 'globalThis.wasLetIn = true' }))`)
  expect(await page.evaluate('globalThis.wasLetIn')).toBeUndefined()
})

test('the page requests only itself and the API’s responses', async ({ openBoard }) => {
  const { page, requests } = await openBoard({ query: '?feed=IBM' })
  await page.getByText('cast call').first().waitFor()
  await page.locator('tbody tr').first().waitFor({ state: 'attached' })
  expect(requests.toSorted()).toEqual(['/?feed=IBM', '/price', '/price/IBM', '/price?network=testnet'])
})

test('the links to the API work', async ({ openBoard, deployment }) => {
  const { page } = await openBoard()
  for (const [name, path] of [
    ['GET /price', '/price'],
    ['reference', '/docs'],
    ['openapi.json', '/openapi.json'],
  ] as const) {
    const url = await page.getByRole('link', { name }).getAttribute('href')
    expect(url).toBe(`${deployment.baseUrl}${path}`)
    expect((await fetch(`${url}`)).status).toBe(200)
  }
})

test('without JavaScript the page names the API’s paths, and shows no loading state', async ({ openBoard }) => {
  const { page } = await openBoard({ javaScriptEnabled: false })
  expect(await page.locator('noscript p').boundingBox()).not.toBeNull()
  expect(await page.getByText('Reading').count()).toBe(0)
  expect(await page.locator('[aria-busy]').count()).toBe(0)
})

test('the footer states no maximum age', async ({ openBoard }) => {
  const { page } = await openBoard()
  expect(await page.locator('body > footer p').textContent()).toMatch(
    /^All rows are from one block, read through GET \/price\. The line above the table shows when\.\s/,
  )
})
