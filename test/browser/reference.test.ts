import { expect } from 'vitest'
import { failedRequest, test } from '../support/browser/board.ts'

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

test('on a phone, each cell has the name of its column, which assistive technology reads once', async ({
  openBoard,
}) => {
  const { page } = await openBoard({ query: 'docs', viewport: { width: 320, height: 800 } })
  const row = page.getByRole('row').and(page.locator('#status-straddle'))
  expect(await row.ariaSnapshot()).toMatch(/rowheader "Straddle".*cell "no".*cell "The /s)
  const headers = page.getByRole('table').filter({ has: row }).getByRole('columnheader')
  expect(await headers.allTextContents()).toEqual(['status', 'served', 'meaning'])
})

test('a link to a row shows the row, and what its columns are', async ({ openBoard }) => {
  const { page } = await openBoard({ query: 'docs#status-stale' })
  const [header, row] = await page
    .locator('table:has(:target) th:first-child:is(thead th, :target th)')
    .evaluateAll(cells => cells.map(cell => cell.getBoundingClientRect()))
  expect(header?.top).toBe(0)
  expect(row?.top).toBeGreaterThanOrEqual(header?.bottom ?? Infinity)
})

test('without JavaScript, the reference shows its requests', async ({ openBoard, deployment }) => {
  const { page } = await openBoard({ query: 'docs', javaScriptEnabled: false })
  await page.getByText(`curl '${deployment.baseUrl}/price/CRWD'`).first().waitFor()
})

test('without JavaScript, the board links the API, by paths that do not depend on its own', async ({ openBoard }) => {
  const { page } = await openBoard({ javaScriptEnabled: false })
  const links = await page.getByRole('link').evaluateAll(all => all.map(link => link.getAttribute('href')))
  expect(links).toEqual(['/v1/price', '/v1/docs', '/v1/openapi.json'])
})
