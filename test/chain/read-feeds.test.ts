import type http from 'node:http'
import type { Hex } from 'viem'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { attemptMs, hedgeDelayMs, readMs, secondRoundPauseMs } from '../../lambda/timing.ts'
import { encodeRow, reverted, rowWithoutCode, withEveryRow } from '../support/chain/encoding.ts'
import {
  type FaultyNode,
  type Respond,
  rpcError,
  startFaultyNode,
  status,
  toReply,
} from '../support/chain/faulty-node.ts'
import { correct, detailOf, toCorrectResult } from '../support/chain/keyed-node.ts'
import { createReader, fault, feed, importReader, mainnet, silentFor, unavailable } from '../support/chain/reader.ts'

/** The pauses that reads made. */
const pausesMs: number[] = []
vi.mock(import('node:timers/promises'), async load =>
  (await import('../support/chain/pauses.ts')).shortenPauses(await load(), pauseMs => void pausesMs.push(pauseMs)),
)

let reader: Awaited<ReturnType<typeof createReader>>
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout', 'performance'] })
  reader = await createReader(1)
  pausesMs.length = 0
})
afterEach(() => vi.useRealTimers())

/** Responds correctly, but with this row for every feed. */
const everyFeed =
  (row: Hex): Respond =>
  (response, body) =>
    response.end(toReply(body, withEveryRow(toCorrectResult('mainnet', body), row)))
const withoutCode = everyFeed(rowWithoutCode)
const reverting = everyFeed(encodeRow(reverted('0xc4e5ad09'), reverted('0xc4e5ad09')))

/** Responds in these ways in their order, in the last one repeatedly. */
const inOrder = (...behaviours: readonly Respond[]): Respond => {
  let count = 0
  return (response, body) => {
    count += 1
    return behaviours[Math.min(count, behaviours.length) - 1]?.(response, body)
  }
}

/** Counts the requests that each node got. */
const countRequests = ({ blocks }: { readonly blocks: readonly (readonly string[])[] }) =>
  blocks.map(({ length }) => length)
const readable = { feeds: [{ detail: { status: 'OK' } }] }
const noContract = { feeds: [{ unreadable: 'no contract is at its address' }] }
const unreadable = { feeds: [{ unreadable: 'latestDetail() reverted with NoHistory' }] }

test('neither the second of three endpoints nor an only endpoint is the last resort', async () => {
  const { trace } = await reader.read([feed], status(502), correct, correct)
  expect(trace).toMatchObject({ endpoint: 'rpc-2', round: 1, lastResort: false })
  expect((await reader.read([feed], correct)).trace).toMatchObject({ endpoint: 'rpc-1', round: 1, lastResort: false })
})

test('the endpoint of a reading is asked first for 30 s, then the configured order counts again (D24)', async () => {
  let isSlow = true
  await using one = await startFaultyNode((response, body) =>
    (isSlow ? silentFor(hedgeDelayMs) : correct)(response, body),
  )
  await using two = await startFaultyNode(correct)
  expect(countRequests(await reader.readAt([feed], [one, two]))).toEqual([1, 1])
  isSlow = false
  const began = Date.now()
  // Its later readings do not renew its preference.
  for (const seconds of [0, 10, 20, 29]) {
    vi.setSystemTime(began + 1_000 * seconds)
    const read = await reader.readAt([feed], [one, two])
    expect(countRequests(read)).toEqual([0, 1])
    expect(read.trace).toMatchObject({ endpoint: 'rpc-2', round: 1, lastResort: false })
  }
  vi.setSystemTime(began + 30_000)
  const read = await reader.readAt([feed], [one, two])
  expect(countRequests(read)).toEqual([1, 0])
  expect(read.trace).toMatchObject({ endpoint: 'rpc-1', round: 1, lastResort: false })
})

test('an endpoint that is still being asked has not failed, so the last of three is not the last resort', async () => {
  let isFirstRead = true
  const third = Promise.withResolvers<void>()
  await using one = await startFaultyNode(status(502))
  await using two = await startFaultyNode((...request) => (isFirstRead ? status(502)(...request) : third.resolve()))
  await using three = await startFaultyNode(async (...request) => {
    if (!isFirstRead) {
      await vi.advanceTimersByTimeAsync(hedgeDelayMs)
      await third.promise
    }
    correct(...request)
  })
  await reader.readAt([feed], [one, two, three])
  isFirstRead = false
  // The third is asked first and hedged. The first fails, and the third responds as soon as the second has been asked.
  const { trace } = await reader.readAt([feed], [one, two, three])
  expect(trace).toMatchObject({
    faults: [fault(1, 'http-status', { httpStatus: 502 })],
    endpoint: 'rpc-3',
    lastResort: false,
  })
})

test('when the preferred endpoint fails, the configured order counts again', async () => {
  let isFirstDown = true
  await using one = await startFaultyNode((...request) => (isFirstDown ? status(502) : correct)(...request))
  await using two = await startFaultyNode((...request) => (isFirstDown ? correct : status(502))(...request))
  await reader.readAt([feed], [one, two])
  isFirstDown = false
  expect((await reader.readAt([feed], [one, two])).trace).toMatchObject({
    faults: [fault(2, 'http-status', { httpStatus: 502 })],
    endpoint: 'rpc-1',
    lastResort: false,
  })
  expect(countRequests(await reader.readAt([feed], [one, two]))).toEqual([1, 0])
})

test('the preferred endpoint is asked once in a round, as the others are', async () => {
  let isUp = true
  await using one = await startFaultyNode(status(401))
  await using two = await startFaultyNode((...request) => (isUp ? correct : status(401))(...request))
  await reader.readAt([feed], [one, two])
  isUp = false
  const read = await reader.readAt([feed], [one, two])
  expect(read.reading).toEqual(unavailable)
  expect(countRequests(read)).toEqual([1, 1])
})

test('no endpoint is preferred after all returned the same, whichever is at the lower block', async () => {
  const at =
    (block: number): Respond =>
    (response, body) => {
      const row = encodeRow(reverted('0xc4e5ad09'), reverted('0xc4e5ad09'))
      response.end(toReply(body, withEveryRow(toCorrectResult('mainnet', body, block), row)))
    }
  await using one = await startFaultyNode(at(1_010))
  await using two = await startFaultyNode(at(1_000))
  expect((await reader.readAt([feed], [one, two])).trace).toMatchObject({ endpoint: 'rpc-2', lastResort: false })
  const { trace } = await reader.readAt(mainnet, [one, two])
  expect(trace).toMatchObject({ attempts: 1, endpoint: 'rpc-1' })
})

test('a preference for an endpoint that is no longer configured has no effect', async () => {
  await using down = await startFaultyNode(status(502))
  await using healthy = await startFaultyNode(correct)
  await reader.readAt([feed], [down, healthy])
  const { trace } = await reader.readAt([feed], [healthy])
  expect(trace).toMatchObject({ endpoint: 'rpc-1', round: 1, lastResort: false })
})

test('a reading in the second round is served, after one pause (D24)', async () => {
  for (const feeds of [[feed], mainnet]) {
    const { reading, trace } = await reader.read(feeds, inOrder(status(429), correct))
    expect(reading).toMatchObject({ feeds: feeds.map(one => ({ feed: one, ...readable.feeds[0] })) })
    const faults = [fault(1, 'rate-limited', { httpStatus: 429 })]
    expect(trace).toMatchObject({ attempts: 2, faults, endpoint: 'rpc-1', round: 2, lastResort: false })
  }
  expect(pausesMs).toHaveLength(2)
})

test('the pause between the rounds is random, from 150 to 300 ms (D24)', async () => {
  for (let reads = 0; reads < 8; reads += 1) await reader.read([feed], status(502))
  expect(pausesMs).toHaveLength(8)
  expect(new Set(pausesMs).size).toBeGreaterThan(1)
  for (const pauseMs of pausesMs) {
    expect(pauseMs).toBeGreaterThanOrEqual(150)
    expect(pauseMs).toBeLessThanOrEqual(300)
  }
})

test('only endpoints with a passing fault are asked again, after all have failed (D24)', async () => {
  const read = await reader.read([feed], status(401), inOrder(status(503), correct))
  expect(countRequests(read)).toEqual([1, 2])
  expect(read.trace).toEqual({
    attempts: 3,
    faults: [fault(1, 'unauthorized', { httpStatus: 401 }), fault(2, 'http-status', { httpStatus: 503 })],
    endpoint: 'rpc-2',
    round: 2,
    lastResort: true,
    rpcMs: expect.any(Number),
  })
})

test('no endpoint is asked again when the pause would end after the deadline (D24)', async () => {
  await using node = await startFaultyNode(status(502))
  const read = await reader.readAt([feed], [node], { timeoutMs: secondRoundPauseMs.min - 10 })
  expect(read.reading).toEqual(unavailable)
  expect(countRequests(read)).toEqual([1])
  expect(pausesMs).toEqual([])
})

test('an endpoint that the deadline leaves no time for is not asked (D24)', async () => {
  await using silent = await startFaultyNode(silentFor(100))
  await using other = await startFaultyNode(correct)
  const read = await reader.readAt([feed], [silent, other], { timeoutMs: 100 })
  expect(read).toMatchObject({ reading: unavailable, trace: { attempts: 1, faults: [fault(1, 'timeout')] } })
  expect(countRequests(read)).toEqual([1, 0])
})

test('the second round ends at the deadline (D24)', async () => {
  await using node = await startFaultyNode(inOrder(status(502), silentFor(700)))
  const { reading, trace } = await reader.readAt([feed], [node], { timeoutMs: 700 })
  expect(reading).toEqual(unavailable)
  expect(trace.faults).toEqual([fault(1, 'http-status', { httpStatus: 502 }), fault(1, 'timeout')])
  expect(trace.rpcMs).toBe(700)
})

test.each([1, 3])('with %i endpoints, each that limits the rate gets 2 requests per failed read (D24)', async count => {
  let tokens = 5
  const limited: Respond = (response, body) => {
    tokens -= 1
    return (tokens >= 0 ? correct : rpcError(-32_016))(response, body)
  }
  for (let reads = 0; reads < 8; reads += 1) {
    const read = await reader.read(mainnet, ...Array.from({ length: count }, () => limited))
    const total = countRequests(read).reduce((sum, some) => sum + some)
    expect(total).toBe(read.reading instanceof Error ? 2 * count : 1)
  }
})

test('a missing contract needs the agreement of every endpoint, and none that failed (D24)', async () => {
  expect((await reader.read([feed], withoutCode)).reading).toMatchObject(noContract)
  expect((await reader.read([feed], withoutCode, withoutCode)).reading).toMatchObject(noContract)
  for (const failing of [status(429), status(401), rpcError(-32_000), silentFor(attemptMs)]) {
    expect((await reader.read([feed], withoutCode, failing)).reading).toEqual(unavailable)
    expect((await reader.read([feed], failing, withoutCode)).reading).toEqual(unavailable)
  }
  expect((await reader.read([feed], withoutCode, correct)).reading).toMatchObject(readable)
})

test('an endpoint that failed is asked again before a missing contract is concluded (D24)', async () => {
  const { reading, trace, blocks } = await reader.read([feed], withoutCode, inOrder(status(429), correct))
  expect(reading).toMatchObject(readable)
  expect(trace).toMatchObject({ attempts: 3, endpoint: 'rpc-2', round: 2 })
  expect(blocks).toEqual([['latest'], ['latest', 'latest']])
  const agreeing = inOrder(status(429), withoutCode)
  expect((await reader.read([feed], withoutCode, agreeing)).reading).toMatchObject(noContract)
  expect((await reader.read([feed], status(401), inOrder(status(429), withoutCode))).reading).toEqual(unavailable)
})

test('an unreadable feed needs the agreement of every endpoint that returned a reading (D24)', async () => {
  const read = await reader.read([feed], reverting, reverting)
  expect(read.reading).toMatchObject(unreadable)
  expect(countRequests(read)).toEqual([1, 1])
  expect(read.trace).toMatchObject({ endpoint: 'rpc-1', round: 1, lastResort: false })
  expect((await reader.read([feed], reverting, correct)).reading).toMatchObject(readable)
  expect((await reader.read([feed], reverting, status(429))).reading).toMatchObject(unreadable)
})

test('any other reason takes precedence over a missing contract (D24)', async () => {
  expect((await reader.read([feed], withoutCode, reverting)).reading).toMatchObject(unreadable)
  expect((await reader.read([feed], reverting, withoutCode)).reading).toMatchObject(unreadable)
})

test('the first reading of a list stands, even if every feed in it is unreadable (D24)', async () => {
  const read = await reader.read(mainnet, reverting, correct)
  expect(read.reading).toMatchObject({ feeds: mainnet.map(() => unreadable.feeds[0]) })
  expect(countRequests(read)).toEqual([1, 0])
})

/** Reads a feed in each of two containers at the same time, through one proxy. */
async function readBoth(proxy: FaultyNode) {
  const containers = [await importReader(), await importReader()]
  const feeds = [feed, mainnet[7] ?? feed]
  const options = { rpcUrls: [proxy.url], agreement: 1, deadline: performance.now() + readMs }
  return await Promise.all(
    containers.map(({ readFeeds }, index) =>
      readFeeds({ network: 'mainnet', feeds: feeds.slice(index, index + 1) }, options),
    ),
  )
}

test('when a proxy swaps the replies to two containers, both are rejected (D23)', async () => {
  const waiting: (readonly [http.ServerResponse, string])[] = []
  await using proxy = await startFaultyNode((response, body) => {
    waiting.push([response, body])
    const [one, two] = waiting
    if (one === undefined || two === undefined) return
    correct(one[0], two[1])
    correct(two[0], one[1])
  })
  for (const { reading, trace } of await readBoth(proxy)) {
    expect(reading).toEqual(unavailable)
    expect(trace.faults).toEqual([fault(1, 'malformed-envelope')])
  }
})

test('when a proxy caches replies by URL, a second container rejects the cached reply (D23)', async () => {
  const cached = Promise.withResolvers<string>()
  await using proxy = await startFaultyNode(async (response, body) => {
    cached.resolve(toReply(body, toCorrectResult('mainnet', body)))
    response.end(await cached.promise)
  })
  const results = await readBoth(proxy)
  const readings = results.flatMap(({ reading }) => ('feeds' in reading ? reading.feeds : []))
  expect(readings).toHaveLength(1)
  for (const one of readings) expect(one).toMatchObject({ detail: { answer: detailOf('mainnet', one.feed).answer } })
  const rejected = results.find(({ reading }) => reading instanceof Error)
  expect(rejected?.trace.faults).toEqual([fault(1, 'malformed-envelope')])
})
