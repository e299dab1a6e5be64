import type http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { encodeFunctionResult, type Hex, multicall3Abi, numberToHex } from 'viem'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { decodeRows, type Row } from '../../lambda/chain/multicall.ts'
import type * as ReadFeeds from '../../lambda/chain/read-feeds.ts'
import { type Feed, feedsOf } from '../../lambda/feeds/registry.ts'
import { type FaultyNode, startFaultyNode, toErrorReply, toReply } from './faulty-node.ts'
import { toTrueResult } from './keyed-node.ts'

const mainnet = feedsOf('mainnet')
const [feed] = mainnet as readonly [Feed, ...Feed[]]

let container: typeof ReadFeeds
beforeEach(async () => {
  vi.resetModules()
  container = await import('../../lambda/chain/read-feeds.ts')
})
afterEach(() => vi.useRealTimers())

type Answer = (response: http.ServerResponse, body: string) => unknown
const truth: Answer = (response, body) => response.end(toReply(body, toTrueResult('mainnet', body)))
const status =
  (code: number): Answer =>
  response =>
    response.writeHead(code).end()
const error =
  (code: number): Answer =>
  (response, body) =>
    response.end(toErrorReply(body, code))
const silence: Answer = () => {}

/** Returns the true result with the rows of all feeds changed. */
const changed =
  (change: (row: Row) => Row): Answer =>
  (response, body) => {
    const result = toTrueResult('mainnet', body)
    const count = Number.parseInt(result.slice(66, 130), 16)
    const rows = decodeRows(result, count).map((row, at) => (at < 3 || row.returnData.length < 200 ? row : change(row)))
    response.end(toReply(body, encodeRows(rows)))
  }
const encodeRows = (rows: readonly Row[]): Hex =>
  encodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', result: rows })
const ofBothCalls = (row: Row) => ({ success: true, returnData: encodeRows([row, row]) })
/** A node without the state of the feeds. */
const blind = changed(() => ofBothCalls({ success: true, returnData: '0x' }))
/** A node at which every feed reverts. */
const reverting = changed(() => ofBothCalls({ success: false, returnData: '0xc4e5ad09' }))

/** Plays the answers in their order, the last one for good. */
const inTurn = (...answers: readonly Answer[]): Answer => {
  let turn = 0
  return (response, body) => {
    turn += 1
    return answers[Math.min(turn, answers.length) - 1]?.(response, body)
  }
}

/** Reads at nodes that give these answers. */
async function read(feeds: readonly Feed[], ...answers: readonly Answer[]) {
  const nodes = await Promise.all(
    answers.map(answer => startFaultyNode((response, body) => void answer(response, body))),
  )
  await using stack = new AsyncDisposableStack()
  for (const node of nodes) stack.use(node)
  return await readAt(feeds, nodes)
}

async function readAt(feeds: readonly Feed[], nodes: readonly FaultyNode[], timeoutMs = 3_500) {
  const before = nodes.map(({ requests }) => requests.length)
  const began = performance.now()
  const budget = container.createRequestBudget()
  const { reading, trace } = await container.readFeeds(
    { network: 'mainnet', feeds, maxHeadAgeSeconds: 60 },
    nodes.map(({ url }) => url),
    began + timeoutMs,
    budget,
  )
  const tookMs = performance.now() - began
  return {
    taken: budget.countTaken(),
    reading,
    trace,
    tookMs,
    requests: nodes.map(({ requests }, at) => requests.length - (before[at] ?? 0)),
  }
}
const fault = (place: number, kind: string, numbers: object = {}) => ({ endpoint: `rpc-${place}`, kind, ...numbers })
const readable = { reads: [{ reading: { detail: { status: 'OK' } } }] }

test('an endpoint that fails is followed by the next, whose answer is the last resort of two (D24)', async () => {
  const { reading, trace } = await read([feed], status(502), truth)
  expect(reading).toMatchObject(readable)
  expect(trace).toEqual({
    attempts: 2,
    faults: [fault(1, 'http-status', { httpStatus: 502 })],
    endpoint: 'rpc-2',
    round: 1,
    lastResort: true,
  })
})

test('the middle one of three endpoints is no last resort', async () => {
  const { trace } = await read([feed], status(502), truth, truth)
  expect(trace).toMatchObject({ endpoint: 'rpc-2', round: 1, lastResort: false })
})

test('a slow first endpoint is a fault of its own kind, and so the last of two is the last resort (D24)', async () => {
  const { trace, requests } = await read(mainnet, silence, truth)
  expect(trace).toEqual({
    attempts: 2,
    faults: [fault(1, 'slow')],
    endpoint: 'rpc-2',
    round: 1,
    lastResort: true,
  })
  expect(requests).toEqual([1, 1])
})

test('the only endpoint is no last resort', async () => {
  expect((await read([feed], truth)).trace).toMatchObject({ endpoint: 'rpc-1', round: 1, lastResort: false })
})

test('the endpoint that answered is asked first for 30 s, then the configured order counts again (D24)', async () => {
  let slow = true
  await using one = await startFaultyNode((response, body) => void (slow ? silence : truth)(response, body))
  await using two = await startFaultyNode((response, body) => void truth(response, body))
  const nodes = [one, two]
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  expect((await readAt([feed], nodes)).requests).toEqual([1, 1])
  slow = false
  const began = Date.now()
  // However often it answers, its preference is not renewed.
  for (const seconds of [0, 10, 20, 29]) {
    vi.setSystemTime(began + 1_000 * seconds)
    const { trace, requests } = await readAt([feed], nodes)
    expect(requests).toEqual([0, 1])
    expect(trace).toMatchObject({ endpoint: 'rpc-2', round: 1, lastResort: false })
  }
  vi.setSystemTime(began + 30_100)
  const { trace, requests } = await readAt([feed], nodes)
  expect(requests).toEqual([1, 0])
  expect(trace).toMatchObject({ endpoint: 'rpc-1', round: 1, lastResort: false })
})

test('the preferred endpoint that fails gives way to the configured order', async () => {
  let isFirstDown = true
  await using one = await startFaultyNode((response, body) => void (isFirstDown ? status(502) : truth)(response, body))
  await using two = await startFaultyNode((response, body) => void (isFirstDown ? truth : status(502))(response, body))
  await readAt([feed], [one, two])
  isFirstDown = false
  expect((await readAt([feed], [one, two])).trace).toMatchObject({
    faults: [fault(2, 'http-status', { httpStatus: 502 })],
    endpoint: 'rpc-1',
    lastResort: false,
  })
  expect((await readAt([feed], [one, two])).requests).toEqual([1, 0])
})

test('a preference outlives no shorter list of URLs', async () => {
  await using down = await startFaultyNode(response => void response.writeHead(502).end())
  await using healthy = await startFaultyNode((response, body) => void truth(response, body))
  await readAt([feed], [down, healthy])
  expect((await readAt([feed], [healthy])).trace).toMatchObject({ endpoint: 'rpc-1', round: 1, lastResort: false })
})

test.each<[string, Answer, object]>([
  ['429', status(429), { httpStatus: 429 }],
  ['502', status(502), { httpStatus: 502 }],
  ['a reset', response => response.socket?.resetAndDestroy(), {}],
  ['a JSON-RPC error', error(-32_000), { rpcCode: -32_000 }],
  ['a rate limit in a JSON-RPC error', error(-32_005), { rpcCode: -32_005 }],
])('one hiccup of the only endpoint, %s, costs some 150 to 300 ms and no answer (D24)', async (_, hiccup, numbers) => {
  for (const feeds of [[feed], mainnet]) {
    const { reading, trace, tookMs, requests } = await read(feeds, inTurn(hiccup, truth))
    expect(reading?.reads.map(one => one.feed)).toEqual(feeds)
    expect(trace).toMatchObject({ attempts: 2, faults: [numbers], endpoint: 'rpc-1', round: 2 })
    expect(requests).toEqual([2])
    expect(tookMs).toBeGreaterThan(150)
    expect(tookMs).toBeLessThan(1_500)
  }
})

test('a stall of the only endpoint costs its attempt and no answer (D24)', async () => {
  const { trace } = await read([feed], inTurn(silence, truth))
  expect(trace).toMatchObject({ attempts: 2, faults: [fault(1, 'timeout')], round: 2 })
})

test.each<[string, Answer]>([
  ['401', status(401)],
  ['404', status(404)],
  ['302', status(302)],
  ['no JSON', response => response.end('<html>')],
  ['a result of another kind', (response, body) => response.end(toReply(body, '0x12'))],
])('%s is no passing fault, and is not asked again (D24)', async (_, answer) => {
  const { reading, trace, requests } = await read([feed], answer)
  expect(reading).toBeUndefined()
  expect(requests).toEqual([1])
  expect(trace).toMatchObject({ attempts: 1 })
  expect(trace).not.toHaveProperty('endpoint')
})

test('only endpoints with a passing fault are asked again, after all have failed (D24)', async () => {
  const { trace, requests } = await read([feed], status(401), inTurn(status(503), truth))
  expect(requests).toEqual([1, 2])
  expect(trace).toEqual({
    attempts: 3,
    faults: [fault(1, 'unauthorized', { httpStatus: 401 }), fault(2, 'http-status', { httpStatus: 503 })],
    endpoint: 'rpc-2',
    round: 2,
    lastResort: true,
  })
})

test('nothing is asked again when the pause would end after the deadline (D24)', async () => {
  await using node = await startFaultyNode(response => void response.writeHead(502).end())
  const { reading, tookMs, requests } = await readAt([feed], [node], 140)
  expect(reading).toBeUndefined()
  expect(requests).toEqual([1])
  expect(tookMs).toBeLessThan(140)
})

test('the second round ends at the deadline, too (D24)', async () => {
  await using node = await startFaultyNode((response, body) => void inTurns(response, body))
  const inTurns = inTurn(status(502), silence)
  const { reading, trace, tookMs } = await readAt([feed], [node], 700)
  expect(reading).toBeUndefined()
  expect(trace.faults).toEqual([fault(1, 'http-status', { httpStatus: 502 }), fault(1, 'timeout')])
  expect(tookMs).toBeGreaterThanOrEqual(695)
  expect(tookMs).toBeLessThan(1_000)
})

/** Faults that a node has for every request. */
const lasting: readonly (readonly [string, Answer, number])[] = [
  ['HTTP 429', status(429), 2],
  ['-32005 in HTTP 200', error(-32_005), 2],
  ['-32007 in HTTP 200', error(-32_007), 2],
  ['-32016 in HTTP 200', error(-32_016), 2],
  ['-32029 in HTTP 200', error(-32_029), 2],
  ['HTTP 503', status(503), 2],
  ['a reset', response => response.socket?.resetAndDestroy(), 2],
  ['-32000 in HTTP 200', error(-32_000), 12],
  ['too much', response => response.end('x'.repeat(5_000_000)), 12],
]
test.each(lasting)(
  'a node that always answers %s gets %3$i requests at most per read (D17, D24)',
  async (_, answer, most) => {
    const one = await read(mainnet, answer)
    expect(one.reading).toBeUndefined()
    expect(one.requests[0]).toBeLessThanOrEqual(most)
    expect(one.taken).toBe(one.requests[0])
    const three = await read(mainnet, answer, answer, answer)
    for (const requests of three.requests) expect(requests).toBeLessThanOrEqual(most)
    expect(three.requests.reduce((sum, requests) => sum + requests)).toBeLessThanOrEqual(24)
  },
)

test.each([1, 3])('a node that limits to 5 requests a second gets no storm, with %i endpoints (D24)', async count => {
  let tokens = 5
  const limited: Answer = (response, body) => {
    tokens -= 1
    return (tokens >= 0 ? truth : error(-32_016))(response, body)
  }
  for (let reads = 0; reads < 8; reads += 1) {
    const { requests, reading } = await read(mainnet, ...Array.from({ length: count }, () => limited))
    const total = requests.reduce((sum, made) => sum + made)
    expect(total).toBe(reading === undefined ? 2 * count : 1)
  }
})

test('an endpoint without the feeds’ state has a fault of its own, and the next is asked (D17)', async () => {
  const { reading, trace } = await read(mainnet, blind, truth)
  expect(reading?.reads).toHaveLength(mainnet.length)
  expect(reading?.reads[0]).toMatchObject({ reading: { detail: { status: 'OK' } } })
  expect(trace.faults).toEqual([fault(1, 'no-state')])
  expect((await read(mainnet, blind)).reading).toBeUndefined()
})

const noContract = { reads: [{ reading: { unreadable: 'no contract is at its address' } }] }
test('that one feed has no contract needs every endpoint, and none that failed (D24)', async () => {
  expect((await read([feed], blind)).reading).toMatchObject(noContract)
  expect((await read([feed], blind, blind)).reading).toMatchObject(noContract)
  for (const failing of [status(429), status(401), error(-32_000), silence]) {
    expect((await read([feed], blind, failing)).reading).toBeUndefined()
    expect((await read([feed], failing, blind)).reading).toBeUndefined()
  }
  expect((await read([feed], blind, truth)).reading).toMatchObject(readable)
})

test('an endpoint that failed is asked once more before a missing contract stands (D24)', async () => {
  const { reading, trace } = await read([feed], blind, inTurn(status(429), truth))
  expect(reading).toMatchObject(readable)
  expect(trace).toMatchObject({ attempts: 3, endpoint: 'rpc-2', round: 2 })
  expect((await read([feed], blind, inTurn(status(429), blind))).reading).toMatchObject(noContract)
})

const unreadable = { reads: [{ reading: { unreadable: 'latestDetail() reverted with NoHistory' } }] }
test('that one feed is unreadable needs the agreement of every endpoint that answered (D24)', async () => {
  const { reading, trace, requests } = await read([feed], reverting, reverting)
  expect(reading).toMatchObject(unreadable)
  expect(requests).toEqual([1, 1])
  expect(trace).toMatchObject({ endpoint: 'rpc-1', round: 1, lastResort: false })
  expect((await read([feed], reverting, truth)).reading).toMatchObject(readable)
  expect((await read([feed], reverting, status(429))).reading).toMatchObject(unreadable)
})

test('another reason than a missing contract stands before it: there is a contract (D24)', async () => {
  expect((await read([feed], blind, reverting)).reading).toMatchObject(unreadable)
  expect((await read([feed], reverting, blind)).reading).toMatchObject(unreadable)
})

test('a list takes the first valid answer, though a feed in it is unreadable (D24)', async () => {
  const { reading, requests } = await read(mainnet, reverting, truth)
  expect(reading?.reads[0]).toMatchObject({ reading: { unreadable: 'latestDetail() reverted with NoHistory' } })
  expect(requests).toEqual([1, 0])
})

/** Two containers, each with a module registry of its own, read another feed at one proxy at the same time. */
async function readBoth(proxy: FaultyNode) {
  const other = mainnet[7] ?? feed
  vi.resetModules()
  const second: typeof ReadFeeds = await import('../../lambda/chain/read-feeds.ts')
  const readIn = ({ readFeeds, createRequestBudget }: typeof ReadFeeds, one: Feed) => {
    const request = { network: 'mainnet', feeds: [one], maxHeadAgeSeconds: 60 } as const
    return readFeeds(request, [proxy.url], performance.now() + 3_500, createRequestBudget())
  }
  return await Promise.all([readIn(container, feed), readIn(second, other)])
}

test('a proxy that swaps the replies of two containers gets no feed another feed’s record (D23)', async () => {
  const waiting: { readonly response: http.ServerResponse; readonly body: string }[] = []
  await using proxy = await startFaultyNode((response, body) => {
    waiting.push({ response, body })
    if (waiting.length < 2) return
    const [one, two] = waiting.splice(0)
    if (one === undefined || two === undefined) return
    truth(one.response, two.body)
    truth(two.response, one.body)
  })
  for (const { reading, trace } of await readBoth(proxy)) {
    expect(reading).toBeUndefined()
    expect(trace.faults).toEqual([fault(1, 'malformed-envelope')])
  }
})

test('a proxy that caches replies by URL gets no feed another feed’s record (D23)', async () => {
  const cached = Promise.withResolvers<string>()
  let asked = 0
  await using proxy = await startFaultyNode(async (response, body) => {
    asked += 1
    if (asked === 1) cached.resolve(toReply(body, toTrueResult('mainnet', body)))
    response.end(await cached.promise)
  })
  const outcomes = await readBoth(proxy)
  const answered = outcomes.filter(({ reading }) => reading !== undefined)
  expect(answered).toHaveLength(1)
  const [{ reading } = { reading: undefined }] = answered
  const asker = reading?.reads[0]?.feed
  const price = 2n * (5_000_000_001n + BigInt(mainnet.findIndex(({ symbol }) => symbol === asker?.symbol)))
  expect(reading?.reads[0]?.reading).toMatchObject({ detail: { answer: price } })
  expect(outcomes.find(one => one.reading === undefined)?.trace.faults).toEqual([fault(1, 'malformed-envelope')])
})

test('the two rounds are apart by 150 to 300 ms, at random', async () => {
  const pauses: number[] = []
  for (let reads = 0; reads < 8; reads += 1) {
    const times: number[] = []
    const down: Answer = response => {
      times.push(performance.now())
      response.writeHead(502).end()
    }
    await read([feed], down)
    pauses.push((times[1] ?? 0) - (times[0] ?? 0))
    await sleep(1)
  }
  for (const pause of pauses) expect(pause).toBeGreaterThanOrEqual(149)
  expect(Math.max(...pauses) - Math.min(...pauses)).toBeGreaterThan(5)
  expect(Math.min(...pauses)).toBeLessThan(300)
})

test('feeds of a call that no node can serve whole are read in parts, in the second round alone', async () => {
  const isOfOne = (body: string) => body.split('4d8b59fb').length === 2
  const small: Answer = (response, body) => (isOfOne(body) ? truth : error(-32_000))(response, body)
  const few = mainnet.slice(0, 3)
  const { reading, trace, requests } = await read(few, small)
  expect(reading?.reads.map(one => one.feed)).toEqual(few)
  // 3 feeds, and then 3, 2, 1, 1 and 1.
  expect(requests).toEqual([6])
  expect(trace).toMatchObject({ attempts: 2, round: 2 })
  expect(numberToHex(reading?.head.block ?? 0)).toBe('0x1267')
})
