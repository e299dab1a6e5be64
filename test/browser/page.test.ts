import { expect } from 'vitest'
import { test } from '../support/browser/board.ts'

test('the links of the page lead to the API and its documents', async ({ openBoard, deployment }) => {
  const { page } = await openBoard()
  for (const [within, name, path] of [
    ['header', 'API reference', '/docs'],
    ['footer', 'GET /price', '/price'],
    ['footer', 'reference', '/docs'],
    ['footer', 'openapi.json', '/openapi.json'],
  ] as const) {
    const url = await page.locator(`body > ${within}`).getByRole('link', { name }).getAttribute('href')
    expect(url).toBe(`${deployment.baseUrl}${path}`)
    expect((await fetch(`${url}`)).status).toBe(200)
  }
})

test('both pages name the description and the reference to machines', async ({ openBoard, deployment }) => {
  for (const query of ['', 'docs']) {
    const { page } = await openBoard({ query })
    const links = await page
      .locator('link[rel^=service]')
      .evaluateAll(all => all.map(link => [link.getAttribute('rel'), Object(link).href]))
    expect(links).toEqual([
      ['service-desc', `${deployment.baseUrl}/openapi.json`],
      ['service-doc', `${deployment.baseUrl}/docs`],
    ])
  }
})

test('without JavaScript the page has margins and leads to the API, and shows no loading state', async ({
  openBoard,
  deployment,
}) => {
  const { page } = await openBoard({ javaScriptEnabled: false })
  const heading = await page.getByRole('heading', { name: 'Price Lookup' }).boundingBox()
  expect([Number(heading?.x), Number(heading?.y)]).toEqual([20, 24])
  const links = await page.getByRole('link').evaluateAll(all => all.map(link => Object(link).href))
  expect(links).toEqual(['price', 'docs', 'openapi.json'].map(path => `${deployment.baseUrl}/${path}`))
  expect(await page.getByText('Reading').count()).toBe(0)
  expect(await page.locator('[aria-busy]').count()).toBe(0)
})
