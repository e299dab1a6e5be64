import type http from 'node:http'
import type { Hex } from 'viem'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type * as ReadFeeds from '../../lambda/chain/read-feeds.ts'
import { type Feed, feedsOf } from '../../lambda/feeds/registry.ts'
import { attemptMs, readMs, secondRoundPauseMs } from '../../lambda/timing.ts'
import { encodeRow, reverted, rowWithoutCode, withEveryRow } from './encoding.ts'
import {
  type FaultyNode,
  type Respond,
  reset,
  rpcError,
  silence,
  startFaultyNode,
  status,
  toReply,
} from './faulty-node.ts'
import { correct, detailOf, toCorrectResult } from './keyed-node.ts'

/** The pauses that reads made. */
const pausesMs: number[] = []
vi.mock(import('node:timers/promises'), async load =>
  (await import('./pauses.ts')).shortenPauses(await load(), pauseMs => void pausesMs.push(pauseMs)),
)

const mainnet = feedsOf('mainnet')
const [feed] = mainnet as readonly [Feed, ...Feed[]]

let container: typeof ReadFeeds
beforeEach(async () => {
  vi.resetModules()
  container = await import('../../lambda/chain/read-feeds.ts')
  pausesMs.length = 0
})
afterEach(() => vi.useRealTimers())

/** Answers correctly, but with this row for every feed. */
const everyFeed =
  (row: Hex): Respond =>
  (response, body) =>
    response.end(toReply(body, withEveryRow(toCorrectResult('mainnet', body), row)))
const withoutCode = everyFeed(rowWithoutCode)
const reverting = everyFeed(encodeRow(reverted('0xc4e5ad09'), reverted('0xc4e5ad09')))

/** Gives the answers in their order, the last one repeatedly. */
const inOrder = (...answers: readonly Respond[]): Respond => {
  let count = 0
  return (response, body) => {
    count += 1
    return answers[Math.min(count, answers.length) - 1]?.(response, body)
  }
}

/** Reads at nodes that give these answers. */
async function read(feeds: readonly Feed[], ...answers: readonly Respond[]) {
  await using stack = new AsyncDisposableStack()
  const nodes = await Promise.all(answers.map(async answer => stack.use(await startFaultyNode(answer))))
  return await readAt(feeds, nodes)
}

async function readAt(feeds: readonly Feed[], nodes: readonly FaultyNode[], timeoutMs = readMs) {
  const before = nodes.map(({ requests }) => requests.length)
  const began = performance.now()
  const request = { network: 'mainnet', feeds } as const
  const options = { rpcUrls: nodes.map(({ url }) => url), agreement: 1, deadline: began + timeoutMs }
  const { reading, trace } = await container.readFeeds(request, options)
  const { rpcMs, ...rest } = trace
  const requests = nodes.map(node => node.requests.length - (before[nodes.indexOf(node)] ?? 0))
  return { reading, trace: rest, tookMs: performance.now() - began, rpcMs, requests }
}

const fault = (place: number, kind: string, numbers: object = {}) => ({ endpoint: `rpc-${place}`, kind, ...numbers })
const readable = { feeds: [{ detail: { status: 'OK' } }] }
const noContract = { feeds: [{ unreadable: 'no contract is at its address' }] }
const unreadable = { feeds: [{ unreadable: 'latestDetail() reverted with NoHistory' }] }
const unavailable = expect.objectContaining({ slug: 'chain-unavailable' })

test.each<[string, Respond, object]>([
  ['fails', status(502), fault(1, 'http-status', { httpStatus: 502 })],
  ['is slow', silence, fault(1, 'slow')],
])(
  'after an endpoint that %s the next is asked, which is the last resort of two (D24)',
  async (_, answer, expected) => {
    const { reading, trace, requests } = await read([feed], answer, correct)
    expect(reading).toMatchObject(readable)
    expect(trace).toEqual({ attempts: 2, faults: [expected], endpoint: 'rpc-2', round: 1, lastResort: true })
    expect(requests).toEqual([1, 1])
  },
)

test('neither the second of three endpoints nor an only endpoint is the last resort', async () => {
  const { trace } = await read([feed], status(502), correct, correct)
  expect(trace).toMatchObject({ endpoint: 'rpc-2', round: 1, lastResort: false })
  expect((await read([feed], correct)).trace).toMatchObject({ endpoint: 'rpc-1', round: 1, lastResort: false })
})

test('the endpoint that answered is asked first for 30 s, then the configured order counts again (D24)', async () => {
  let isSlow = true
  await using one = await startFaultyNode((response, body) => (isSlow ? silence : correct)(response, body))
  await using two = await startFaultyNode(correct)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  expect((await readAt([feed], [one, two])).requests).toEqual([1, 1])
  isSlow = false
  const began = Date.now()
  // Its later answers do not renew its preference.
  for (const seconds of [0, 10, 20, 29]) {
    vi.setSystemTime(began + 1_000 * seconds)
    const { trace, requests } = await readAt([feed], [one, two])
    expect(requests).toEqual([0, 1])
    expect(trace).toMatchObject({ endpoint: 'rpc-2', round: 1, lastResort: false })
  }
  vi.setSystemTime(began + 30_000)
  const { trace, requests } = await readAt([feed], [one, two])
  expect(requests).toEqual([1, 0])
  expect(trace).toMatchObject({ endpoint: 'rpc-1', round: 1, lastResort: false })
})

test('an endpoint that another overtook in time has not failed, so the last of three is not the last resort', async () => {
  let isFirstRead = true
  const third = Promise.withResolvers<void>()
  await using one = await startFaultyNode(status(502))
  await using two = await startFaultyNode((...request) => (isFirstRead ? status(502)(...request) : third.resolve()))
  await using three = await startFaultyNode(async (...request) => {
    if (!isFirstRead) await third.promise
    correct(...request)
  })
  await readAt([feed], [one, two, three])
  isFirstRead = false
  // The third is asked first and hedged. The first fails, and the answer arrives as soon as the second has been asked.
  const { trace } = await readAt([feed], [one, two, three])
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
  await readAt([feed], [one, two])
  isFirstDown = false
  expect((await readAt([feed], [one, two])).trace).toMatchObject({
    faults: [fault(2, 'http-status', { httpStatus: 502 })],
    endpoint: 'rpc-1',
    lastResort: false,
  })
  expect((await readAt([feed], [one, two])).requests).toEqual([1, 0])
})

test('the preferred endpoint is asked once in a round, as the others are', async () => {
  let isUp = true
  await using one = await startFaultyNode(status(401))
  await using two = await startFaultyNode((...request) => (isUp ? correct : status(401))(...request))
  await readAt([feed], [one, two])
  isUp = false
  expect(await readAt([feed], [one, two])).toMatchObject({ reading: unavailable, requests: [1, 1] })
})

test('a preference for an endpoint that is no longer configured has no effect', async () => {
  await using down = await startFaultyNode(status(502))
  await using healthy = await startFaultyNode(correct)
  await readAt([feed], [down, healthy])
  expect((await readAt([feed], [healthy])).trace).toMatchObject({ endpoint: 'rpc-1', round: 1, lastResort: false })
})

test.each<[string, Respond, object]>([
  ['429', status(429), { httpStatus: 429 }],
  ['500', status(500), { httpStatus: 500 }],
  ['a reset', reset, {}],
  ['a JSON-RPC error', rpcError(-32_000), { rpcCode: -32_000 }],
  ['a rate limit in a JSON-RPC error', rpcError(-32_005), { rpcCode: -32_005 }],
  ['a timeout', silence, {}],
])('an only endpoint is asked again after %s and a random pause of 150 to 300 ms (D24)', async (_, answer, numbers) => {
  for (const feeds of [[feed], mainnet]) {
    const { reading, trace, requests } = await read(feeds, inOrder(answer, correct))
    expect(reading).toMatchObject({ feeds: feeds.map(one => ({ feed: one })) })
    expect(trace).toMatchObject({ attempts: 2, faults: [numbers], endpoint: 'rpc-1', round: 2 })
    expect(requests).toEqual([2])
  }
  expect(pausesMs).toHaveLength(2)
})

test('the pause between the rounds is random, from 150 to 300 ms (D24)', async () => {
  for (let reads = 0; reads < 8; reads += 1) await read([feed], status(502))
  expect(pausesMs).toHaveLength(8)
  expect(new Set(pausesMs).size).toBeGreaterThan(1)
  for (const pauseMs of pausesMs) {
    expect(pauseMs).toBeGreaterThanOrEqual(150)
    expect(pauseMs).toBeLessThanOrEqual(300)
  }
})

test.each<[string, Respond]>([
  ['401', status(401)],
  ['404', status(404)],
  ['302', status(302)],
  ['a body that is no JSON', response => response.end('<html>')],
  ['too large a reply', response => response.end(' '.repeat(65_537))],
  ['a malformed result', (response, body) => response.end(toReply(body, '0x12'))],
])('an endpoint is not asked again after %s, which does not pass within moments (D24)', async (_, answer) => {
  const { reading, trace, requests } = await read([feed], answer)
  expect(reading).toEqual(unavailable)
  expect(requests).toEqual([1])
  expect(trace).toMatchObject({ attempts: 1 })
  expect(trace).not.toHaveProperty('endpoint')
})

test('only endpoints with a passing fault are asked again, after all have failed (D24)', async () => {
  const { trace, requests } = await read([feed], status(401), inOrder(status(503), correct))
  expect(requests).toEqual([1, 2])
  expect(trace).toEqual({
    attempts: 3,
    faults: [fault(1, 'unauthorized', { httpStatus: 401 }), fault(2, 'http-status', { httpStatus: 503 })],
    endpoint: 'rpc-2',
    round: 2,
    lastResort: true,
  })
})

test('no endpoint is asked again when the pause would end after the deadline (D24)', async () => {
  await using node = await startFaultyNode(status(502))
  const { reading, requests } = await readAt([feed], [node], secondRoundPauseMs.min - 10)
  expect(reading).toEqual(unavailable)
  expect(requests).toEqual([1])
  expect(pausesMs).toEqual([])
})

test('the second round ends at the deadline (D24)', async () => {
  await using node = await startFaultyNode(inOrder(status(502), silence))
  const { reading, trace, tookMs } = await readAt([feed], [node], 700)
  expect(reading).toEqual(unavailable)
  expect(trace.faults).toEqual([fault(1, 'http-status', { httpStatus: 502 }), fault(1, 'timeout')])
  expect(tookMs).toBeGreaterThanOrEqual(695)
  // Without the deadline, the attempt alone would take as long.
  expect(tookMs).toBeLessThan(attemptMs)
})

test.each([1, 3])('with %i endpoints, each that limits the rate gets 2 requests per failed read (D24)', async count => {
  let tokens = 5
  const limited: Respond = (response, body) => {
    tokens -= 1
    return (tokens >= 0 ? correct : rpcError(-32_016))(response, body)
  }
  for (let reads = 0; reads < 8; reads += 1) {
    const { reading, requests } = await read(mainnet, ...Array.from({ length: count }, () => limited))
    const total = requests.reduce((sum, some) => sum + some)
    expect(total).toBe(reading instanceof Error ? 2 * count : 1)
  }
})

test('a list in which no feed has code is the fault no-state, and the next endpoint is asked (D17)', async () => {
  const { reading, trace } = await read(mainnet, withoutCode, correct)
  expect(reading).toMatchObject({ feeds: mainnet.map(() => readable.feeds[0]) })
  expect(trace.faults).toEqual([fault(1, 'no-state')])
  expect((await read(mainnet, withoutCode)).reading).toEqual(unavailable)
})

test('a missing contract needs the agreement of every endpoint, and none that failed (D24)', async () => {
  expect((await read([feed], withoutCode)).reading).toMatchObject(noContract)
  expect((await read([feed], withoutCode, withoutCode)).reading).toMatchObject(noContract)
  const failing = [status(429), status(401), rpcError(-32_000), silence]
  const pairs = failing.flatMap(answer => [[withoutCode, answer] as const, [answer, withoutCode] as const])
  const results = await Promise.all(pairs.map(pair => read([feed], ...pair)))
  expect(results.map(({ reading }) => reading)).toEqual(pairs.map(() => unavailable))
  expect((await read([feed], withoutCode, correct)).reading).toMatchObject(readable)
})

test('an endpoint that failed is asked again before a missing contract is concluded (D24)', async () => {
  const { reading, trace } = await read([feed], withoutCode, inOrder(status(429), correct))
  expect(reading).toMatchObject(readable)
  expect(trace).toMatchObject({ attempts: 3, endpoint: 'rpc-2', round: 2 })
  const agreeing = inOrder(status(429), withoutCode)
  expect((await read([feed], withoutCode, agreeing)).reading).toMatchObject(noContract)
  expect((await read([feed], status(401), inOrder(status(429), withoutCode))).reading).toEqual(unavailable)
})

test('an unreadable feed needs the agreement of every endpoint that answered (D24)', async () => {
  const { reading, trace, requests } = await read([feed], reverting, reverting)
  expect(reading).toMatchObject(unreadable)
  expect(requests).toEqual([1, 1])
  expect(trace).toMatchObject({ endpoint: 'rpc-1', round: 1, lastResort: false })
  expect((await read([feed], reverting, correct)).reading).toMatchObject(readable)
  expect((await read([feed], reverting, status(429))).reading).toMatchObject(unreadable)
})

test('any other reason takes precedence over a missing contract (D24)', async () => {
  expect((await read([feed], withoutCode, reverting)).reading).toMatchObject(unreadable)
  expect((await read([feed], reverting, withoutCode)).reading).toMatchObject(unreadable)
})

test('the first valid answer to a list is conclusive, even with an unreadable feed (D24)', async () => {
  const { reading, requests } = await read(mainnet, reverting, correct)
  expect(reading).toMatchObject({ feeds: mainnet.map(() => unreadable.feeds[0]) })
  expect(requests).toEqual([1, 0])
})

test('a list with a feed without code is an answer, after an endpoint that failed (D18, D24)', async () => {
  const oneWithoutCode: Respond = (response, body) => {
    const output = toCorrectResult('mainnet', body)
    const headEnd = 2 + 3 * 64
    response.end(toReply(body, output.slice(0, headEnd) + rowWithoutCode.slice(2) + output.slice(headEnd + 13 * 64)))
  }
  const { reading } = await read(mainnet, status(401), oneWithoutCode)
  expect(reading).toMatchObject({ feeds: [noContract.feeds[0], ...mainnet.slice(1).map(() => readable.feeds[0])] })
})

/** Reads a feed in each of two containers at the same time, through one proxy. */
async function readBoth(proxy: FaultyNode) {
  const other = mainnet[7] ?? feed
  vi.resetModules()
  const second: typeof ReadFeeds = await import('../../lambda/chain/read-feeds.ts')
  const readIn = ({ readFeeds }: typeof ReadFeeds, one: Feed) => {
    const request = { network: 'mainnet', feeds: [one] } as const
    return readFeeds(request, { rpcUrls: [proxy.url], agreement: 1, deadline: performance.now() + readMs })
  }
  return await Promise.all([readIn(container, feed), readIn(second, other)])
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
