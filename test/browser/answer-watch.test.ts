import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished } from 'vitest'
import { watchAnswers } from './answer-watch.ts'
import { test } from './board.ts'

test('a response that openapi.yaml does not describe is reported, except one that a test made', async ({ browser }) => {
  const server = createServer((_, response) => response.end('{"feeds":[]}'))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  const context = await browser.newContext()
  onTestFinished(() => context.close())
  const findFaults = watchAnswers(context, baseUrl)
  const page = await context.newPage()
  await page.goto(`${baseUrl}/price`)
  // On another page: the browser discards the responses of a page that was left.
  const changed = await context.newPage()
  await changed.route(/CRWD/, route => route.fulfill({ body: 'not documented either' }))
  await changed.goto(`${baseUrl}/price/CRWD`)
  expect(await findFaults()).toEqual([expect.stringMatching(/^Error: GET \/price: the response 200 is not documented/)])
})

test('page, list, record and problem responses are checked', async ({ browser, deployment }) => {
  const context = await browser.newContext()
  onTestFinished(() => context.close())
  const seen: string[] = []
  context.on('response', async response => {
    if ((await response.serverAddr()) !== null) seen.push(response.url().slice(deployment.baseUrl.length))
  })
  const findFaults = watchAnswers(context, deployment.baseUrl)
  const page = await context.newPage()
  await page.goto(`${deployment.baseUrl}/?feed=IBM`)
  await page.getByText('cast call').first().waitFor()
  await page.locator('tbody tr').first().waitFor({ state: 'attached' })
  await (await context.newPage()).goto(`${deployment.baseUrl}/price/NOPE`)
  expect(await findFaults()).toEqual([])
  await expect
    .poll(() => seen.toSorted())
    .toEqual(['/?feed=IBM', '/price', '/price/IBM', '/price/NOPE', '/price?network=testnet'])
})
