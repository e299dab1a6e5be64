import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Clock, createClient } from '../../smoke/client.ts'
import { startFaultyNode } from '../support/chain/faulty-node.ts'
import { createClock } from '../support/smoke/clock.ts'

/** 100 MB when decompressed. */
const bomb = gzipSync(Buffer.alloc(100_000_000, 'x'))
/** Would never end. */
function* endless() {
  while (true) yield Buffer.alloc(100_000, 'x')
}

let clock: Clock
let seen: { url: string | undefined; connection: string | undefined }[]

const server = await startFaultyNode(response => {
  const { url, headers } = response.req
  seen.push({ url, connection: headers.connection })
  if (url === '/silent') return response.write('{')
  if (url === '/bomb') return response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(bomb)
  if (url === '/long') return void Readable.from(endless()).pipe(response)
  if (url === '/moved') response.writeHead(307, { Location: '/' })
  if (url === '/busy' || (url === '/once' && seen.length === 1)) response.writeHead(429, { 'Retry-After': '1' })
  return response.end('{"price":1.10,"feeds":[1e2]}')
})
afterAll(() => server.stop())
beforeEach(() => {
  clock = createClock()
  seen = []
})
afterEach(() => void vi.restoreAllMocks())

const create = () => createClient(server.url.origin, clock)

test('no more than ten requests are sent in a second', async () => {
  const client = create()
  for (let asked = 0; asked < 15; asked += 1) await client.ask('/')
  expect(seen).toHaveLength(15)
  expect(clock.nowMs()).toBe(1_400)
})

test('no connection is kept for another run, during which the server may have closed it', async () => {
  await create().ask('/')
  expect(seen).toEqual([{ url: '/', connection: 'close' }])
})

test.each([
  ['/once', 200],
  ['/busy', 429],
])('after a 429 a request is repeated once, a second later: %s', async (path, status) => {
  const client = create()
  expect(await client.ask(path)).toMatchObject({ status })
  expect(client.replies.map(reply => reply.status)).toEqual([429, status])
  expect(clock.nowMs()).toBe(1_000)
})

test('a redirect is not followed', async () => {
  expect(await create().ask('/moved')).toMatchObject({ status: 307 })
})

test.each(['/bomb', '/long'])('a body of more than 1 MB is no response, and is not read further: %s', async path => {
  const failure = 'no response (a body of more than 1 MB)'
  expect(await create().ask(path)).toMatchObject({ status: 0, text: '', fields: {}, failure })
})

test('a body of 1 MB is a response', async () => {
  const text = 'x'.repeat(1_000_000)
  const client = createClient('http://127.0.0.1', clock, async () => new Response(text))
  expect(await client.ask('/')).toMatchObject({ status: 200, text })
})

test('a response that does not end within 15 s is none', async () => {
  const limit = new AbortController()
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal)
  const reply = create().ask('/silent')
  await vi.waitUntil(() => seen.length === 1, { timeout: 100_000 })
  expect(timeout.mock.calls).toEqual([[15_000]])
  limit.abort(new Error('too late'))
  expect(await reply).toMatchObject({ status: 0, text: '', failure: 'no response (too late)' })
})
