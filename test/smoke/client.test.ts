import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createClient } from '../../smoke/client.ts'

const seen = { atMs: [] as number[], atOnce: 0, mostAtOnce: 0 }
let baseUrl: string
const server = createServer(async (request, response) => {
  seen.atMs.push(performance.now())
  seen.atOnce += 1
  seen.mostAtOnce = Math.max(seen.mostAtOnce, seen.atOnce)
  if (request.url === '/slow') await sleep(600)
  seen.atOnce -= 1
  if (request.url === '/busy') response.writeHead(429, { 'Retry-After': '1' })
  response.end('{}')
})

beforeAll(async () => {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => void server.close())
beforeEach(() => Object.assign(seen, { atMs: [], atOnce: 0, mostAtOnce: 0 }))

test('no more than ten requests are sent in a second', async () => {
  const client = createClient(baseUrl)
  await Promise.all(Array.from({ length: 15 }, () => client.ask('/')))
  expect(client.answers).toHaveLength(15)
  expect((seen.atMs.at(-1) ?? 0) - (seen.atMs[0] ?? 0)).toBeGreaterThan(1_300)
})

test('no more than four are asked at once', async () => {
  const client = createClient(baseUrl)
  await Promise.all(Array.from({ length: 12 }, () => client.ask('/slow')))
  expect(seen.mostAtOnce).toBe(4)
})

test('after a 429 it is asked once more, and nobody asks meanwhile', async () => {
  const client = createClient(baseUrl)
  const [busy] = await Promise.all([client.ask('/busy'), sleep(300).then(() => client.ask('/'))])
  expect(busy?.status).toBe(429)
  expect(seen.atMs).toHaveLength(3)
  expect((seen.atMs[1] ?? 0) - (seen.atMs[0] ?? 0)).toBeGreaterThan(950)
})

test('what cannot be reached is an answer without status', async () => {
  const client = createClient('http://127.0.0.1:9')
  expect(await client.ask('/')).toMatchObject({ status: 0, failure: expect.stringMatching(/^no answer/) })
})
