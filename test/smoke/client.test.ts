import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Clock, createClient } from '../../smoke/client.ts'
import { createClock } from './clock.ts'

let clock: Clock
let baseUrl: string
const seen = { paths: [] as unknown[], connections: [] as unknown[], open: 0, mostOpen: 0 }
const server = createServer(async (request, response) => {
  seen.paths.push(request.url)
  seen.connections.push(request.headers.connection)
  seen.open += 1
  seen.mostOpen = Math.max(seen.mostOpen, seen.open)
  if (request.url === '/slow') await sleep(20)
  seen.open -= 1
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
  Object.assign(seen, { paths: [], connections: [], open: 0, mostOpen: 0 })
})

test('no more than ten requests are sent in a second', async () => {
  const client = createClient(baseUrl, clock)
  const beganAtMs = clock.nowMs()
  await Promise.all(Array.from({ length: 15 }, () => client.ask('/')))
  expect(seen.paths).toHaveLength(15)
  expect(clock.nowMs() - beganAtMs).toBe(1_400)
})

test('no connection is kept for another run, during which the server may have closed it', async () => {
  await createClient(baseUrl, clock).ask('/')
  expect(seen.connections).toEqual(['close'])
})

test('no more than four requests are open at once', async () => {
  const client = createClient(baseUrl, clock)
  await Promise.all(Array.from({ length: 12 }, () => client.ask('/slow')))
  expect(seen.mostOpen).toBe(4)
})

test('after a 429 a request is repeated once, and no other is sent before', async () => {
  const others: Promise<unknown>[] = []
  const waits: number[] = []
  const client = createClient(baseUrl, {
    nowMs: clock.nowMs,
    async sleep(ms) {
      waits.push(ms)
      if (waits.length === 1) others.push(client.ask('/'))
      await clock.sleep(ms)
    },
  })
  expect(await client.ask('/busy')).toMatchObject({ status: 429 })
  await Promise.all(others)
  expect(seen.paths).toEqual(['/busy', '/busy', '/'])
  expect(waits[0]).toBe(1_000)
})

test('numbers are parsed to doubles, and kept as they were sent', async () => {
  const { json, exact } = await createClient(baseUrl, clock).ask('/')
  expect(json).toEqual({ price: 1.1, feeds: [100] })
  expect(exact).toEqual({ price: '1.10', feeds: ['1e2'] })
})

test('without a response an answer has no status', async () => {
  const client = createClient('http://127.0.0.1:9', clock)
  expect(await client.ask('/')).toMatchObject({ status: 0, failure: expect.stringMatching(/^no answer/) })
})
