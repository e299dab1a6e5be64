import { expect } from 'vitest'
import { failedRequest, test } from '../support/browser/board.ts'
import { listMisfits } from '../support/browser/in-page.ts'

test.for(['docs', 'docs/'])(
  'at /%s, its URLs and links are those of the deployment',
  async (query, { openBoard, deployment }) => {
    const { page } = await openBoard({ query, expected: failedRequest })
    expect(await page.locator('p .url').textContent()).toBe(deployment.baseUrl)
    const links = await page.locator('header a').evaluateAll(all => all.map(link => Object(link).href))
    expect(links).toEqual(['/', '/openapi.json'].map(path => deployment.baseUrl + path))
    await page.getByRole('link', { name: '/price/CRWD', exact: true }).click()
    expect(page.url()).toBe(`${deployment.baseUrl}/price/CRWD`)
  },
)

test('from 320 to 1280 pixels nothing of it is cut', async ({ openBoard }) => {
  const { page } = await openBoard({ query: 'docs' })
  for (const width of [320, 390, 640, 760, 1280]) {
    await page.setViewportSize({ width, height: 844 })
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
    expect(await page.evaluate(listMisfits)).toEqual([])
  }
})

test('without JavaScript, the reference shows its requests', async ({ openBoard, deployment }) => {
  const { page } = await openBoard({ query: 'docs', javaScriptEnabled: false })
  await page.getByText(`curl '${deployment.baseUrl}/price/CRWD'`).first().waitFor()
})

test.for(['', '/'])(
  'without JavaScript, the board links the API, at /v1%s',
  async (slash, { openBoard, deployment }) => {
    const { page } = await openBoard({ javaScriptEnabled: false })
    await page.goto(deployment.baseUrl + slash)
    const links = await page.getByRole('link').evaluateAll(all => all.map(link => Object(link).href))
    expect(links).toEqual(['price', 'docs', 'openapi.json'].map(path => `${deployment.baseUrl}/${path}`))
  },
)
