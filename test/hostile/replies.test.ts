import diagnostics from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import { attemptMs, hedgeDelayMs, readMs } from '../../lambda/timing.ts'
import { toCorrectResult } from '../support/chain/correct-node.ts'
import { type FaultyNode, type Respond, startFaultyNode, toReply } from '../support/chain/faulty-node.ts'
import { importReader } from '../support/chain/reader.ts'
import { stopClock, until } from '../support/clock.ts'
import { feedsOfOneCall } from '../support/feeds.ts'
import { hostileReplies, uncountedReplies } from '../support/hostile/replies.ts'

const feeds = feedsOfOneCall('testnet')
const healthy = await startFaultyNode((response, body) => response.end(toReply(body, toCorrectResult('testnet', body))))
afterAll(() => healthy.stop())

const connections: { readonly port: number | undefined; readonly socket: Socket }[] = []
function observe(message: unknown): void {
  const { socket } = message as { socket: Socket }
  socket.once('connect', () => connections.push({ port: socket.remotePort, socket }))
}
beforeEach(() => {
  // A node may get the port of an earlier one.
  connections.length = 0
  diagnostics.subscribe('net.client.socket', observe)
  stopClock()
})
afterEach(() => {
  diagnostics.unsubscribe('net.client.socket', observe)
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** The bytes that were taken from all connections to a node. */
const countTaken = ({ url }: FaultyNode) =>
  connections.filter(({ port }) => `${port}` === url.port).reduce((sum, { socket }) => sum + socket.bytesRead, 0)

/** Reads at a hostile node first, and at a healthy one. */
async function read(hostile: FaultyNode) {
  const { readFeeds } = await importReader()
  const options = { rpcUrls: [hostile.url, healthy.url], agreement: 1, deadline: performance.now() + readMs }
  return await readFeeds({ network: 'testnet', feeds }, options)
}

const readings = { feeds: feeds.map(feed => ({ feed, detail: { status: 'OK' } })) }

test.each(hostileReplies)('of %s, no more is taken and parsed than is bounded', async (...row) => {
  const [, respond, kind, taken, parses] = row
  const parse = vi.spyOn(JSON, 'parse')
  await using hostile = await startFaultyNode(respond)
  const { reading, trace } = await read(hostile)
  expect(trace.faults.map(fault => fault.kind)).toEqual(kind === undefined ? [] : [kind])
  expect(trace.endpoint).toBe(kind === undefined ? 'rpc-1' : 'rpc-2')
  expect(reading).toMatchObject(readings)
  // The nodes parse the requests. After a fault, the reply of the healthy node is parsed.
  const parsed = parse.mock.calls.filter(([text]) => !text.includes('eth_call'))
  expect(parsed.length).toBe(parses + (kind === undefined ? 0 : 1))
  await until(() => hostile.countOpen() === 0 || countTaken(hostile) > taken)
  expect(countTaken(hostile)).toBeLessThanOrEqual(taken)
})

test.each(uncountedReplies)('%s without an end are taken until the attempt ends', async (_, respond) => {
  await using hostile = await startFaultyNode(respond)
  const result = read(hostile)
  // The event loop has turns for the timer and for the other endpoint, while megabytes arrive.
  await until(() => countTaken(hostile) > 2 ** 20)
  await vi.advanceTimersByTimeAsync(hedgeDelayMs)
  const { reading, trace } = await result
  expect(trace).toMatchObject({ faults: [{ kind: 'slow' }], endpoint: 'rpc-2' })
  expect(reading).toMatchObject(readings)
  await until(() => hostile.countOpen() === 0)
})

test('a response other than 200 that does not end is closed', async () => {
  const respond: Respond = response => response.writeHead(500, { 'Content-Length': 9 }).write('x')
  await using node = await startFaultyNode(respond)
  await read(node)
  expect(node.countOpen()).toBe(1)
  await vi.advanceTimersByTimeAsync(attemptMs)
  await until(() => node.countOpen() === 0)
})
