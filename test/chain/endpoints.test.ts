import type http from 'node:http'
import { numberToHex } from 'viem'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Row } from '../../lambda/chain/multicall.ts'
import type * as ReadFeeds from '../../lambda/chain/read-feeds.ts'
import { type Feed, feedsOf } from '../../lambda/feeds/registry.ts'
import { attemptMs, readMs, secondRoundPauseMs } from '../../lambda/timing.ts'
import { decodeResult, encodeRows, returned, reverted, withEveryFeed } from './encoding.ts'
import {
  type Answer,
  countFeeds,
  type FaultyNode,
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

/** Answers correctly, but with this row for both calls of every feed. */
const everyFeed =
  (row: Row): Answer =>
  (response, body) =>
    response.end(toReply(body, withEveryFeed(toCorrectResult('mainnet', body), countFeeds(body), row)))
const withoutCode = everyFeed(returned('0x'))
const reverting = everyFeed(reverted('0xc4e5ad09'))

/** Gives the answers in their order, the last one repeatedly. */
const inOrder = (...answers: readonly Answer[]): Answer => {
  let count = 0
  return (response, body) => {
    count += 1
    return answers[Math.min(count, answers.length) - 1]?.(response, body)
  }
}

/** Reads at nodes that give these answers. */
async function read(feeds: readonly Feed[], ...answers: readonly Answer[]) {
  await using stack = new AsyncDisposableStack()
  const nodes = await Promise.all(answers.map(async answer => stack.use(await startFaultyNode(answer))))
  return await readAt(feeds, nodes)
}

async function readAt(feeds: readonly Feed[], nodes: readonly FaultyNode[], timeoutMs = readMs) {
  const before = nodes.map(({ requests }) => requests.length)
  const began = performance.now()
  const budget = container.createRequestBudget()
  const request = { network: 'mainnet', feeds } as const
  const rpcUrls = nodes.map(({ url }) => url)
  const { reading, trace } = await container.readFeeds(request, rpcUrls, began + timeoutMs, budget)
  const tookMs = performance.now() - began
  const requests = nodes.map(node => node.requests.length - (before[nodes.indexOf(node)] ?? 0))
  return { taken: budget.countTaken(), reading, trace, tookMs, requests }
}

const fault = (place: number, kind: string, numbers: object = {}) => ({ endpoint: `rpc-${place}`, kind, ...numbers })
const readable = { reads: [{ reading: { detail: { status: 'OK' } } }] }
const noContract = { reads: [{ reading: { unreadable: 'no contract is at its address' } }] }
const unreadable = { reads: [{ reading: { unreadable: 'latestDetail() reverted with NoHistory' } }] }

test.each<[string, Answer, object]>([
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
  expect(await readAt([feed], [one, two])).toMatchObject({ reading: undefined, requests: [1, 1] })
})

test('a preference for an endpoint that is no longer configured has no effect', async () => {
  await using down = await startFaultyNode(status(502))
  await using healthy = await startFaultyNode(correct)
  await readAt([feed], [down, healthy])
  expect((await readAt([feed], [healthy])).trace).toMatchObject({ endpoint: 'rpc-1', round: 1, lastResort: false })
})

test.each<[string, Answer, object]>([
  ['429', status(429), { httpStatus: 429 }],
  ['500', status(500), { httpStatus: 500 }],
  ['a reset', reset, {}],
  ['a JSON-RPC error', rpcError(-32_000), { rpcCode: -32_000 }],
  ['a rate limit in a JSON-RPC error', rpcError(-32_005), { rpcCode: -32_005 }],
  ['a timeout', silence, {}],
  ['too large a reply', response => response.end(' '.repeat(4_194_305)), {}],
])('an only endpoint is asked again after %s and a random pause of 150 to 300 ms (D24)', async (_, answer, numbers) => {
  for (const feeds of [[feed], mainnet]) {
    const { reading, trace, requests } = await read(feeds, inOrder(answer, correct))
    expect(reading?.reads.map(one => one.feed)).toEqual(feeds)
    expect(trace).toMatchObject({ attempts: 2, faults: [numbers], endpoint: 'rpc-1', round: 2 })
    expect(requests).toEqual([2])
  }
  expect(pausesMs).toHaveLength(2)
})

test('a list is read again when there was too little gas for its gas probe (D24)', async () => {
  const withoutGas: Answer = (response, body) => {
    const rows = decodeResult(toCorrectResult('mainnet', body)).with(-1, reverted('0x'))
    response.end(toReply(body, encodeRows(rows)))
  }
  const { reading, trace } = await read(mainnet, inOrder(withoutGas, correct))
  expect(reading?.reads).toHaveLength(mainnet.length)
  expect(trace).toMatchObject({ faults: [fault(1, 'out-of-gas')], round: 2 })
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

test.each<[string, Answer]>([
  ['401', status(401)],
  ['404', status(404)],
  ['302', status(302)],
  ['a body that is no JSON', response => response.end('<html>')],
  ['a malformed result', (response, body) => response.end(toReply(body, '0x12'))],
])('an endpoint is not asked again after %s, which does not pass within moments (D24)', async (_, answer) => {
  const { reading, trace, requests } = await read([feed], answer)
  expect(reading).toBeUndefined()
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
  expect(reading).toBeUndefined()
  expect(requests).toEqual([1])
  expect(pausesMs).toEqual([])
})

test('the second round ends at the deadline (D24)', async () => {
  await using node = await startFaultyNode(inOrder(status(502), silence))
  const { reading, trace, tookMs } = await readAt([feed], [node], 700)
  expect(reading).toBeUndefined()
  expect(trace.faults).toEqual([fault(1, 'http-status', { httpStatus: 502 }), fault(1, 'timeout')])
  expect(tookMs).toBeGreaterThanOrEqual(695)
  // Without the deadline, the attempt alone would take as long.
  expect(tookMs).toBeLessThan(attemptMs)
})

/** Answers that a node gives to every request, and how many requests a list makes at most. */
const lasting: readonly (readonly [string, Answer, number])[] = [
  ['HTTP 429', status(429), 2],
  ['-32005 in HTTP 200', rpcError(-32_005), 2],
  ['-32007 in HTTP 200', rpcError(-32_007), 2],
  ['-32016 in HTTP 200', rpcError(-32_016), 2],
  ['-32029 in HTTP 200', rpcError(-32_029), 2],
  ['HTTP 503', status(503), 2],
  ['a reset', reset, 2],
  // 21 feeds, and then 21, 11, 6, 3, 2 and 1.
  ['-32000 in HTTP 200', rpcError(-32_000), 7],
  ['too much', response => response.end('x'.repeat(5_000_000)), 7],
]
test.each(lasting)(
  'a node that always answers %s gets a bounded number of requests per read (D17, D24)',
  async (_, answer, most) => {
    for (const answers of [[answer], [answer, answer, answer]]) {
      const { reading, requests, taken } = await read(mainnet, ...answers)
      expect(reading).toBeUndefined()
      for (const count of requests) expect(count).toBeLessThanOrEqual(most)
      // At the deadline, a request may be counted that does not arrive any more.
      expect(taken).toBeGreaterThanOrEqual(requests.reduce((sum, count) => sum + count))
      expect(taken).toBeLessThanOrEqual(24)
      if (answers.length === 1) expect(requests).toEqual([taken])
    }
  },
)

test('a list that would need more than 12 requests to its only endpoint is the fault over-budget (D17)', async () => {
  const single: Answer = (response, body) => (countFeeds(body) > 1 ? rpcError(-32_000) : correct)(response, body)
  const { reading, trace, requests } = await read(mainnet, single)
  expect(reading).toBeUndefined()
  expect(trace.faults).toEqual([fault(1, 'rpc-error', { rpcCode: -32_000 }), fault(1, 'over-budget')])
  expect(requests).toEqual([12])
})

test('one HTTP request makes at most 12 RPC requests to one endpoint and 24 in all (D17)', () => {
  const [one, two, three] = [0, 1, 2].map(index => ({ rpcUrl: new URL('https://node.test'), index }))
  const { take, countTaken } = container.createRequestBudget()
  const takeAll = (endpoint = one): void => {
    while (endpoint) take(endpoint)
  }
  const overBudget = expect.objectContaining({ kind: 'over-budget' })
  expect(() => takeAll(one)).toThrow(overBudget)
  expect(countTaken()).toBe(12)
  if (three) take(three)
  expect(() => takeAll(two)).toThrow(overBudget)
  expect(countTaken()).toBe(24)
  expect(() => takeAll(three)).toThrow(overBudget)
  expect(countTaken()).toBe(24)
})

test.each([1, 3])('with %i endpoints, each that limits the rate gets 2 requests per failed read (D24)', async count => {
  let tokens = 5
  const limited: Answer = (response, body) => {
    tokens -= 1
    return (tokens >= 0 ? correct : rpcError(-32_016))(response, body)
  }
  for (let reads = 0; reads < 8; reads += 1) {
    const { taken, reading } = await read(mainnet, ...Array.from({ length: count }, () => limited))
    expect(taken).toBe(reading === undefined ? 2 * count : 1)
  }
})

test('a list in which no feed has code is the fault no-state, and the next endpoint is asked (D17)', async () => {
  const { reading, trace } = await read(mainnet, withoutCode, correct)
  expect(reading?.reads).toHaveLength(mainnet.length)
  expect(reading?.reads[0]).toMatchObject({ reading: { detail: { status: 'OK' } } })
  expect(trace.faults).toEqual([fault(1, 'no-state')])
  expect((await read(mainnet, withoutCode)).reading).toBeUndefined()
})

test('a missing contract needs the agreement of every endpoint, and none that failed (D24)', async () => {
  expect((await read([feed], withoutCode)).reading).toMatchObject(noContract)
  expect((await read([feed], withoutCode, withoutCode)).reading).toMatchObject(noContract)
  const failing = [status(429), status(401), rpcError(-32_000), silence]
  const pairs = failing.flatMap(answer => [[withoutCode, answer] as const, [answer, withoutCode] as const])
  const results = await Promise.all(pairs.map(pair => read([feed], ...pair)))
  expect(results.map(({ reading }) => reading)).toEqual(pairs.map(() => undefined))
  expect((await read([feed], withoutCode, correct)).reading).toMatchObject(readable)
})

test('an endpoint that failed is asked again before a missing contract is concluded (D24)', async () => {
  const { reading, trace } = await read([feed], withoutCode, inOrder(status(429), correct))
  expect(reading).toMatchObject(readable)
  expect(trace).toMatchObject({ attempts: 3, endpoint: 'rpc-2', round: 2 })
  const agreeing = inOrder(status(429), withoutCode)
  expect((await read([feed], withoutCode, agreeing)).reading).toMatchObject(noContract)
  expect((await read([feed], status(401), inOrder(status(429), withoutCode))).reading).toBeUndefined()
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
  expect(reading).toMatchObject({ reads: mainnet.map(() => unreadable.reads[0]) })
  expect(requests).toEqual([1, 0])
})

test('a list with a feed without code is an answer, after an endpoint that failed (D18, D24)', async () => {
  const oneWithoutCode: Answer = (response, body) => {
    const rows = decodeResult(toCorrectResult('mainnet', body))
    const none = returned(encodeRows([returned('0x'), returned('0x')]))
    response.end(toReply(body, encodeRows(rows.with(3, none))))
  }
  const { reading } = await read(mainnet, status(401), oneWithoutCode)
  expect(reading?.reads[0]).toMatchObject(noContract.reads[0] ?? {})
  expect(reading?.reads[1]).toMatchObject(readable.reads[0] ?? {})
})

/** Reads a feed in each of two containers at the same time, through one proxy. */
async function readBoth(proxy: FaultyNode) {
  const other = mainnet[7] ?? feed
  vi.resetModules()
  const second: typeof ReadFeeds = await import('../../lambda/chain/read-feeds.ts')
  const readIn = ({ readFeeds, createRequestBudget }: typeof ReadFeeds, one: Feed) => {
    const request = { network: 'mainnet', feeds: [one] } as const
    return readFeeds(request, [proxy.url], performance.now() + readMs, createRequestBudget())
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
    expect(reading).toBeUndefined()
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
  const [reading, ...others] = results.flatMap(result => result.reading ?? [])
  expect(others).toEqual([])
  const { feed: asked = feed, reading: first } = reading?.reads[0] ?? {}
  expect(first).toMatchObject({ detail: { answer: detailOf('mainnet', asked).answer } })
  expect(results.find(result => result.reading === undefined)?.trace.faults).toEqual([fault(1, 'malformed-envelope')])
})

test('a list that fails as a whole is divided in the second round only', async () => {
  // The node's block has the time of the clock, and a pinned block must keep its time.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  const small: Answer = (response, body) => (countFeeds(body) === 1 ? correct : rpcError(-32_000))(response, body)
  const few = mainnet.slice(0, 3)
  const { reading, trace, requests } = await read(few, small)
  expect(reading?.reads.map(one => one.feed)).toEqual(few)
  // 3 feeds, and then 3, 2, 1, 1 and 1.
  expect(requests).toEqual([6])
  expect(trace).toMatchObject({ attempts: 2, round: 2 })
  expect(numberToHex(reading?.head.block ?? 0)).toBe('0x1267')
})
