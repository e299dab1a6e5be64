import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished } from 'vitest'
import { listed, test, watchResponses } from '../support/browser/board.ts'

test('the policy allows the page’s script and no other', async ({ openBoard }) => {
  const { page } = await openBoard({ expected: /Content Security Policy|forbidden by the policy/ })
  await listed(page)
  await page.evaluate(`document.body.append(Object.assign(document.createElement('script'), {
    textContent: 'globalThis.wasLetIn = true' }))`)
  expect(await page.evaluate('globalThis.wasLetIn')).toBeUndefined()
})

test('the footer states no maximum age, and its links to the API work', async ({ openBoard, deployment }) => {
  const { page } = await openBoard()
  expect(await page.locator('body > footer p').first().textContent()).toMatch(
    /^All rows are from one block, read through GET \/price\. The line above the table shows when\.\s/,
  )
  for (const [name, path] of [
    ['GET /price', '/price'],
    ['reference', '/docs'],
    ['openapi.json', '/openapi.json'],
  ] as const) {
    const url = await page.locator('body > footer').getByRole('link', { name }).getAttribute('href')
    expect(url).toBe(`${deployment.baseUrl}${path}`)
    expect((await fetch(`${url}`)).status).toBe(200)
  }
})

test('the header leads to the reference, and both pages name the description and the reference to machines', async ({
  openBoard,
  deployment,
}) => {
  const { page } = await openBoard()
  await page.locator('body > header').getByRole('link', { name: 'API reference' }).click()
  await page.getByRole('heading', { name: 'Price Lookup: API reference' }).waitFor()
  for (const path of ['/', '/docs']) {
    await page.goto(deployment.baseUrl + path)
    const links = await page
      .locator('link[rel^=service]')
      .evaluateAll(all => all.map(one => [one.getAttribute('rel'), Object(one).href]))
    expect(links).toEqual([
      ['service-desc', `${deployment.baseUrl}/openapi.json`],
      ['service-doc', `${deployment.baseUrl}/docs`],
    ])
  }
})

test('without JavaScript the page names the API’s paths, and shows no loading state', async ({ openBoard }) => {
  const { page } = await openBoard({ javaScriptEnabled: false })
  expect(await page.locator('noscript p').boundingBox()).not.toBeNull()
  expect(await page.getByText('Reading').count()).toBe(0)
  expect(await page.locator('[aria-busy]').count()).toBe(0)
})

test('a response that openapi.yaml does not describe is reported, except one that a test made', async ({ browser }) => {
  const server = createServer((_, response) => response.end('{"feeds":[]}'))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  const context = await browser.newContext()
  onTestFinished(() => context.close())
  const listUndocumented = watchResponses(context, baseUrl)
  const page = await context.newPage()
  await page.goto(`${baseUrl}/price`)
  // On another page: the browser discards the responses of a page that was left.
  const changed = await context.newPage()
  await changed.route(/CRWD/, route => route.fulfill({ body: 'not documented either' }))
  await changed.goto(`${baseUrl}/price/CRWD`)
  expect(await listUndocumented()).toEqual([
    expect.stringMatching(/^Error: GET \/price: the response 200 is not documented/),
  ])
})
