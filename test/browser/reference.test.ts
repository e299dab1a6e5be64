import { expect } from 'vitest'
import { failedRequest, test } from '../support/browser/board.ts'
import { listMisfits } from '../support/browser/in-page.ts'

test.for(['docs', 'docs/'])(
  'at /%s, its URLs are those of the deployment, and each route has a link that opens it',
  async (query, { openBoard, deployment }) => {
    const { page } = await openBoard({ query, expected: failedRequest })
    expect(await page.locator('p .url').textContent()).toBe(deployment.baseUrl)
    await page.getByRole('link', { name: '/price/CRWD', exact: true }).click()
    expect(page.url()).toBe(`${deployment.baseUrl}/price/CRWD`)
  },
)

test('the first request is copied as it stands', async ({ openBoard, deployment }) => {
  const { page } = await openBoard({ query: 'docs' })
  await page.getByRole('button', { name: 'Copy curl' }).click()
  await page.getByText('Copied', { exact: true }).waitFor()
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(`curl '${deployment.baseUrl}/price/CRWD'`)
})

test.for([320, 390, 768, 1280])('at %i pixels nothing of it is cut', async (width, { openBoard }) => {
  const { page } = await openBoard({ query: 'docs', viewport: { width, height: 844 } })
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
  expect(await page.evaluate(listMisfits)).toEqual([])
})

test('without JavaScript, the reference shows its requests', async ({ openBoard }) => {
  const { page } = await openBoard({ query: 'docs', javaScriptEnabled: false })
  await page.getByText("curl 'https://prices.example/v1/price/CRWD'").first().waitFor()
})

test('without JavaScript, the board links the API', async ({ openBoard, deployment }) => {
  const { page } = await openBoard({ javaScriptEnabled: false })
  const links = await page.getByRole('link').evaluateAll(all => all.map(link => Object(link).href))
  expect(links).toEqual(['price', 'docs', 'openapi.json'].map(path => `${deployment.baseUrl}/${path}`))
})
