import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Clock, createClient } from '../../smoke/client.ts'
import { createClock } from '../support/smoke/clock.ts'

let clock: Clock
let baseUrl: string
const seen = { paths: [] as unknown[], connections: [] as unknown[] }
const server = createServer((request, response) => {
  seen.paths.push(request.url)
  seen.connections.push(request.headers.connection)
  if (request.url === '/busy') response.writeHead(429, { 'Retry-After': '1' })
  response.end('{"price":1.10,"feeds":[1e2]}')
})

beforeAll(async () => {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => void server.close())
beforeEach(() => {
  clock = createClock()
  Object.assign(seen, { paths: [], connections: [] })
})

test('no more than ten requests are sent in a second', async () => {
  const client = createClient(baseUrl, clock)
  const beganAtMs = clock.nowMs()
  for (let asked = 0; asked < 15; asked += 1) await client.ask('/')
  expect(seen.paths).toHaveLength(15)
  expect(clock.nowMs() - beganAtMs).toBe(1_400)
})

test('no connection is kept for another run, during which the server may have closed it', async () => {
  await createClient(baseUrl, clock).ask('/')
  expect(seen.connections).toEqual(['close'])
})

test('after a 429 a request is repeated once, a second later', async () => {
  const client = createClient(baseUrl, clock)
  expect(await client.ask('/busy')).toMatchObject({ status: 429 })
  expect(seen.paths).toEqual(['/busy', '/busy'])
  expect(clock.nowMs()).toBe(1_000)
})

test('numbers are kept as they were sent', async () => {
  const { fields } = await createClient(baseUrl, clock).ask('/')
  expect(fields).toEqual({ price: '1.10', feeds: ['1e2'] })
})

test('without a response, the status is 0', async () => {
  const client = createClient('http://127.0.0.1:9', clock)
  expect(await client.ask('/')).toMatchObject({ status: 0, failure: expect.stringMatching(/^no response/) })
})
