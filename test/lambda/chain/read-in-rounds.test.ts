import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { feedsOf } from '../../../lambda/feeds/registry.ts'
import { attemptMs, failingMs, hedgeDelayMs, preferenceMs, readMs, secondRoundPauseMs } from '../../../lambda/timing.ts'
import { correct, everyFeed, firstReverting, toCorrectResult } from '../../support/chain/correct-node.ts'
import { encodeOutput, revertingRow, rowWithoutCode } from '../../support/chain/encoding.ts'
import {
  type FaultyNode,
  type Respond,
  rpcError,
  silence,
  startFaultyNode,
  status,
  toReply,
} from '../../support/chain/faulty-node.ts'
import {
  createReader,
  fault,
  feed,
  inOrder,
  mainnet,
  silentFor,
  unavailable,
} from '../../support/chain/read-in-rounds.ts'
import { until } from '../../support/clock.ts'

/** The pauses that reads made. */
const pausesMs: number[] = []
vi.mock(import('node:timers/promises'), async () => {
  const pauses = await import('../../support/chain/pauses.ts')
  const setTimeout: typeof pauses.setTimeout = (ms = 0, ...rest) => {
    pausesMs.push(ms)
    return pauses.setTimeout(ms, ...rest)
  }
  return { ...pauses, setTimeout }
})

let reader: Awaited<ReturnType<typeof createReader>>
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout', 'performance'] })
  // The clock starts at another moment than 0, so that a time differs from a duration.
  vi.advanceTimersByTime(1_000)
  reader = await createReader()
  pausesMs.length = 0
})
afterEach(() => vi.useRealTimers())

const withoutCode = everyFeed(rowWithoutCode)
const reverting = everyFeed(revertingRow)

const readable = { feeds: expect.arrayContaining([expect.objectContaining({ detail: expect.anything() })]) }
const noContract = { feeds: [{ unreadable: 'no contract is at its address' }] }
const unreadable = { feeds: [{ unreadable: 'latestDetail() reverted with NoHistory' }] }

test('the endpoint of a reading is asked first for a time, then the configured order counts again (D24)', async () => {
  let isSlow = true
  await using first = await startFaultyNode((response, body) =>
    (isSlow ? silentFor(hedgeDelayMs) : correct)(response, body),
  )
  await using second = await startFaultyNode(correct)
  expect((await reader.readAt([feed], [first, second])).counts).toEqual([1, 1])
  isSlow = false
  const began = Date.now()
  // Its later readings do not renew its preference.
  for (const ageMs of [0, preferenceMs / 3, preferenceMs / 2, preferenceMs - 1]) {
    vi.setSystemTime(began + ageMs)
    const read = await reader.readAt([feed], [first, second])
    expect(read.counts).toEqual([0, 1])
    expect(read.trace).toMatchObject({ endpoint: 'rpc-2', round: 1 })
  }
  vi.setSystemTime(began + preferenceMs)
  const read = await reader.readAt([feed], [first, second])
  expect(read.counts).toEqual([1, 0])
  expect(read.trace).toMatchObject({ endpoint: 'rpc-1', round: 1 })
})

test('when the preferred endpoint fails, the configured order counts again', async () => {
  let isFirstDown = true
  await using first = await startFaultyNode((...request) => (isFirstDown ? status(502) : correct)(...request))
  await using second = await startFaultyNode((...request) => (isFirstDown ? correct : status(502))(...request))
  await reader.readAt([feed], [first, second])
  isFirstDown = false
  expect((await reader.readAt([feed], [first, second])).trace).toMatchObject({
    upstreamFaults: [fault(2, 'http-status', { httpStatus: 502 })],
    endpoint: 'rpc-1',
  })
  expect((await reader.readAt([feed], [first, second])).counts).toEqual([1, 0])
})

test('the preferred endpoint is asked once in a round, as the others are', async () => {
  let isUp = true
  await using first = await startFaultyNode(status(401))
  await using second = await startFaultyNode((...request) => (isUp ? correct : status(401))(...request))
  await reader.readAt([feed], [first, second])
  isUp = false
  expect((await reader.readAt([feed], [first, second])).counts).toEqual([2, 2])
})

test('each network has a preference of its own (D24)', async () => {
  await using failing = await startFaultyNode(status(502))
  await using ofMainnet = await startFaultyNode(correct)
  await using ofTestnet = await startFaultyNode((response, body) =>
    response.end(toReply(body, toCorrectResult('testnet', body))),
  )
  const readBoth = async () => [
    (await reader.readAt(mainnet, [failing, ofMainnet])).counts,
    (await reader.readAt(feedsOf('testnet'), [failing, ofTestnet], { network: 'testnet' })).counts,
  ]
  expect(await readBoth()).toEqual([
    [1, 1],
    [1, 1],
  ])
  expect(await readBoth()).toEqual([
    [0, 1],
    [0, 1],
  ])
})

test('no endpoint of other URLs is asked first after a rotation (D24)', async () => {
  await using down = await startFaultyNode(status(401))
  await using up = await startFaultyNode(correct)
  await reader.readAt([feed], [down, up])
  await using rotated = await startFaultyNode(correct)
  await using replacement = await startFaultyNode(correct)
  expect((await reader.readAt([feed], [rotated, replacement])).counts).toEqual([1, 0])
})

test.each([
  ['in which the feed reverts', revertingRow, unreadable],
  ['in which the feed has no contract', rowWithoutCode, noContract],
])('of two readings %s, the first is served, and its endpoint stays the first (D24)', async (_, row, expected) => {
  await using first = await startFaultyNode(everyFeed(row, 1_010))
  await using second = await startFaultyNode(everyFeed(row, 1_000))
  const { reading, trace, counts } = await reader.readAt([feed], [first, second])
  expect({ reading, trace, counts }).toMatchObject({
    reading: { ...expected, block: 1_010 },
    trace: { endpoint: 'rpc-1', round: 1, upstreamFaults: [] },
    counts: [1, 1],
  })
  expect((await reader.readAt([feed], [first, second])).trace).toMatchObject({ endpoint: 'rpc-1' })
})

test('the pause between the rounds is random, within its limits (D24)', async () => {
  for (let reads = 0; reads < 8; reads += 1) await reader.read([feed], status(502))
  expect(pausesMs).toHaveLength(8)
  expect(new Set(pausesMs).size).toBeGreaterThan(1)
  for (const pauseMs of pausesMs) {
    expect(pauseMs).toBeGreaterThanOrEqual(secondRoundPauseMs.min)
    expect(pauseMs).toBeLessThanOrEqual(secondRoundPauseMs.max)
  }
})

test('every endpoint is asked again, after one pause (D24)', async () => {
  const read = await reader.read([feed], status(401), inOrder(status(503), correct))
  expect(read.counts).toEqual([2, 2])
  const refused = fault(1, 'unauthorized', { httpStatus: 401 })
  expect(read.trace).toEqual({
    attempts: 4,
    upstreamFaults: [refused, fault(2, 'http-status', { httpStatus: 503 }), refused],
    endpoint: 'rpc-2',
    round: 2,
    rpcMs: 0,
  })
  expect(pausesMs).toHaveLength(1)
})

test('the only endpoint has a whole attempt in each round (D24)', async () => {
  const answering: Respond = (...request) => {
    vi.advanceTimersByTime(attemptMs - 1)
    correct(...request)
  }
  await using node = await startFaultyNode(inOrder(silentFor(attemptMs), answering))
  // The pause takes no time of the stopped clock.
  const timeoutMs = readMs - secondRoundPauseMs.max
  const { reading, trace } = await reader.readAt([feed], [node], { timeoutMs })
  expect(reading).toMatchObject(readable)
  expect(trace).toMatchObject({ upstreamFaults: [fault(1, 'timeout')], round: 2, rpcMs: 2 * attemptMs - 1 })
})

test('no endpoint is asked again when the pause would end after the deadline (D24)', async () => {
  await using node = await startFaultyNode(status(502))
  const read = await reader.readAt([feed], [node], { timeoutMs: secondRoundPauseMs.min - 10 })
  expect(read.reading).toEqual(unavailable)
  expect(read.counts).toEqual([1])
  expect(pausesMs).toEqual([])
})

/** How nodes refuse a request above their limit. */
const refusals: readonly (readonly [string, Respond])[] = [
  ['429', status(429)],
  ['403', status(403)],
  ['503', status(503)],
  ['a closed connection', response => response.destroy()],
  ['-32000 in a 200', rpcError(-32_000)],
]

test.each(refusals)(
  'an endpoint that fails in both rounds with %s is asked once in a read, and twice again after a minute (D24)',
  async (_, respond) => {
    await using node = await startFaultyNode(respond)
    const count = async () => (await reader.readAt([feed], [node])).counts
    for (const first of [Date.now(), Date.now() + failingMs]) {
      vi.setSystemTime(first)
      expect(await count()).toEqual([2])
      // A failure within the minute does not extend it.
      for (const afterMs of [0, failingMs / 2, failingMs - 1]) {
        vi.setSystemTime(first + afterMs)
        expect(await count()).toEqual([1])
      }
    }
    // The clock was set back.
    vi.setSystemTime(Date.now() - 2 * failingMs)
    expect(await count()).toEqual([2])
  },
)

test.each([
  ['a reading', correct],
  ['a reading without a readable feed', reverting],
])('after %s, an endpoint that fails again is asked twice (D24)', async (_, respond) => {
  await using node = await startFaultyNode(inOrder(status(503), status(429), respond, status(403)))
  const count = async () => (await reader.readAt([feed], [node])).counts
  expect([await count(), await count(), await count(), await count()]).toEqual([[2], [1], [2], [1]])
})

test('after a reading that is not served, an endpoint is asked again in the same read (D24)', async () => {
  await using node = await startFaultyNode(inOrder(status(503), status(503), withoutCode, withoutCode, status(503)))
  await using other = await startFaultyNode(status(401))
  const count = async () => (await reader.readAt([feed], [node, other])).counts
  expect(await count()).toEqual([2, 2])
  // Its reading of the first round ends its minute.
  expect(await count()).toEqual([2, 1])
  expect(await count()).toEqual([2, 1])
})

test('an endpoint whose attempts of both rounds time out is failing (D24)', async () => {
  await using node = await startFaultyNode(silentFor(attemptMs))
  const count = async () => (await reader.readAt([feed], [node])).counts
  expect([await count(), await count()]).toEqual([[2], [1]])
})

test('a list without any code is a failure, not a reading (D17, D24)', async () => {
  await using node = await startFaultyNode(withoutCode)
  const count = async () => (await reader.readAt(mainnet, [node])).counts
  expect([await count(), await count()]).toEqual([[2], [1]])
})

test('an endpoint that lost against a hedge in the second round is failing (D24)', async () => {
  await using slow = await startFaultyNode(inOrder(status(503), silentFor(hedgeDelayMs), status(503)))
  await using other = await startFaultyNode(inOrder(status(503), correct, status(503)))
  const read = async () => await reader.readAt([feed], [slow, other])
  const { trace } = await read()
  expect(trace).toMatchObject({ endpoint: 'rpc-2', round: 2 })
  expect(trace.upstreamFaults.map(({ kind }) => kind)).toEqual(['http-status', 'http-status', 'slow'])
  expect((await read()).counts).toEqual([1, 2])
})

test('an endpoint that was aborted in the second round without a fault is not failing (D24)', async () => {
  // It responds when the next endpoint has been asked in parallel.
  const afterHedge: Respond = async (response, body) => {
    vi.advanceTimersByTime(hedgeDelayMs)
    await until(() => aborted.requests.length === 2)
    correct(response, body)
  }
  await using served = await startFaultyNode(inOrder(status(503), afterHedge, status(503)))
  await using aborted = await startFaultyNode(inOrder(status(503), silence, status(503)))
  const read = async () => await reader.readAt([feed], [served, aborted])
  expect((await read()).trace).toMatchObject({ attempts: 4, endpoint: 'rpc-1', round: 2 })
  expect((await read()).counts).toEqual([2, 2])
})

test('a failure, and a preference, belong to a URL, not to its host (D24)', async () => {
  let isDown = true
  await using node = await startFaultyNode((response, body) => {
    const fails = isDown || response.req.url === '/a'
    return (fails ? status(503) : correct)(response, body)
  })
  const [a, b] = ['/a', '/b'].map(path => ({ ...node, url: new URL(path, node.url) })) as [FaultyNode, FaultyNode]
  const read = async (...nodes: readonly FaultyNode[]) => (await reader.readAt([feed], nodes)).trace
  expect([(await read(a)).attempts, (await read(a)).attempts, (await read(b)).attempts]).toEqual([2, 1, 2])
  isDown = false
  expect(await read(a, b)).toMatchObject({ attempts: 2, endpoint: 'rpc-2' })
  expect(await read(a, b)).toMatchObject({ attempts: 1, endpoint: 'rpc-2' })
})

test('a failure of a URL belongs to the network that was read (D24)', async () => {
  let isDown = false
  await using node = await startFaultyNode((...request) =>
    (isDown ? inOrder(status(503), correct) : correct)(...request),
  )
  const readTestnet = async () => await reader.readAt(feedsOf('testnet'), [node], { network: 'testnet' })
  const wrongChain = fault(1, 'wrong-chain')
  expect((await readTestnet()).trace.upstreamFaults).toEqual([wrongChain, wrongChain])
  expect((await readTestnet()).trace.upstreamFaults).toEqual([wrongChain])
  isDown = true
  expect((await reader.readAt([feed], [node])).counts).toEqual([2])
})

test('a read ends without a second round when its only endpoint goes on failing (D24)', async () => {
  await using node = await startFaultyNode(status(429))
  await reader.readAt([feed], [node])
  pausesMs.length = 0
  const ended = vi.fn()
  const read = reader.readAt([feed], [node]).finally(ended)
  await until(() => ended.mock.calls.length + pausesMs.length > 0)
  expect(pausesMs).toEqual([])
  expect(await read).toMatchObject({ reading: unavailable, counts: [1] })
})

test('a node that refuses every other request serves every read (D24)', async () => {
  await using node = await startFaultyNode((...request) =>
    (node.requests.length % 2 === 1 ? status(429) : correct)(...request),
  )
  for (let reads = 0; reads < 4; reads += 1) {
    expect((await reader.readAt([feed], [node])).trace).toMatchObject({ attempts: 2, endpoint: 'rpc-1', round: 2 })
  }
})

test('of two containers at a node that refuses every other request, each is served again after a minute (D24)', async () => {
  // The first container is refused twice. From then on it would get every refusal, and the other one every reading.
  await using node = await startFaultyNode((...request) =>
    (node.requests.length === 1 || node.requests.length % 2 === 0 ? status(429) : correct)(...request),
  )
  const containers = [reader, await createReader()]
  const countServed = async () => {
    const served = [0, 0]
    for (let reads = 0; reads < 10; reads += 1) {
      for (const [index, container] of containers.entries()) {
        const { trace } = await container.readAt([feed], [node])
        if (trace.endpoint !== undefined) served[index] = Number(served[index]) + 1
      }
      vi.setSystemTime(Date.now() + 6_000)
    }
    return served
  }
  expect(await countServed()).toEqual([0, 10])
  expect(await countServed()).toEqual([10, 10])
  expect(await countServed()).toEqual([10, 10])
})

test.each([
  ['10 requests a second', '429', 10, 1_000, 8, status(429)] as const,
  ...refusals.map(([refusal, respond]) => ['15 requests a minute', refusal, 15, 60_000, 10, respond] as const),
])(
  'a node whose limit of %s counts refused requests, which get %s, serves all reads below it again after a burst (D24)',
  async (_, __, limit, windowMs, readsPerWindow, refuse) => {
    const arrivals: number[] = []
    const isExceeded = () => arrivals.filter(at => at > Date.now() - windowMs).length > limit
    await using node = await startFaultyNode((...request) => {
      arrivals.push(Date.now())
      return (isExceeded() ? refuse : correct)(...request)
    })
    const isServed = async () => !('slug' in (await reader.readAt([feed], [node])).reading)
    // The burst of another user.
    arrivals.push(...Array(20).fill(Date.now()))
    const served: number[] = []
    for (let window = 0; window < 10; window += 1) {
      let readings = 0
      for (let reads = 0; reads < readsPerWindow; reads += 1) {
        vi.setSystemTime(Date.now() + windowMs / readsPerWindow)
        if (await isServed()) readings += 1
      }
      served.push(readings)
    }
    expect(served[0]).toBeLessThan(readsPerWindow)
    expect(served.slice(-3)).toEqual(Array(3).fill(readsPerWindow))
  },
)

/** Fails once, and then responds in this way. */
const once = (then: Respond) => inOrder(status(429), then)

const noState = 'rpc-1 no-state'
const limited = 'rpc-2 rate-limited'
const refusedFirst = 'rpc-1 unauthorized'
const refusedSecond = 'rpc-2 unauthorized'
const unreadFirst = 'rpc-1 fewer-feeds'

test.each<[string, readonly Respond[], unknown, faults: readonly string[]]>([
  ['both find none', [withoutCode, withoutCode], noContract, []],
  ['both find none, one of them in the second round', [withoutCode, once(withoutCode)], noContract, [limited]],
  ['the second finds one in the second round', [withoutCode, once(correct)], readable, [noState, limited, noState]],
  ['the second fails', [withoutCode, status(401)], unavailable, [noState, refusedSecond, noState, refusedSecond]],
  [
    'the first fails',
    [status(401), withoutCode],
    unavailable,
    [refusedFirst, 'rpc-2 no-state', refusedFirst, 'rpc-2 no-state'],
  ],
  [
    'the first fails, and the second finds none in the second round',
    [status(401), once(withoutCode)],
    unavailable,
    [refusedFirst, limited, refusedFirst, 'rpc-2 no-state'],
  ],
  [
    'the second is silent',
    [withoutCode, silentFor(attemptMs)],
    unavailable,
    [noState, 'rpc-2 timeout', noState, 'rpc-2 timeout'],
  ],
  ['both cannot read the feed', [reverting, reverting], unreadable, []],
  [
    'the first cannot read the feed, and the second is silent',
    [reverting, silentFor(attemptMs)],
    unreadable,
    ['rpc-2 timeout'],
  ],
  ['the second cannot read the feed, and the first finds no contract', [withoutCode, reverting], unreadable, [noState]],
  [
    'the first cannot read the feed, and the second finds no contract',
    [reverting, withoutCode],
    unreadable,
    ['rpc-2 no-state'],
  ],
  ['the first cannot read the feed, and the second can', [reverting, correct], readable, [unreadFirst]],
  ['the only endpoint finds one in the second round', [inOrder(withoutCode, correct)], noContract, []],
])('what is served of a single feed when %s, and what is a fault (D24)', async (_, behaviours, expected, faults) => {
  const { reading, trace } = await reader.read([feed], ...behaviours)
  expect(reading).toMatchObject(Object(expected))
  expect(trace.upstreamFaults.map(({ endpoint, kind }) => `${endpoint} ${kind}`)).toEqual(faults)
})

test('a reading of the first round that is served after the second is of round 1 (D24)', async () => {
  const { trace } = await reader.read([feed], withoutCode, once(withoutCode))
  expect(trace).toMatchObject({ attempts: 4, endpoint: 'rpc-1', round: 1 })
})

test('a reading that is passed over is a fault of the endpoint whose other reading is served too (D24)', async () => {
  await using node = await startFaultyNode(inOrder(withoutCode, correct))
  await using other = await startFaultyNode(inOrder(status(401), status(401)))
  expect((await reader.readAt([feed], [node, other])).trace).toMatchObject({
    upstreamFaults: [fault(1, 'no-state'), fault(2, 'unauthorized', { httpStatus: 401 })],
    endpoint: 'rpc-1',
    round: 2,
  })
})

/** At each node: how many feeds of the list revert, or how else it responds. */
type Nodes = readonly (number | Respond)[]

test.each<[what: string, feeds: number, Nodes, served: string, requests: readonly number[], faults: readonly string[]]>(
  [
    ['10 of 21 dead at one', 21, [10, 0], 'rpc-1 reads 11', [1, 0], []],
    ['11 of 21 dead at one', 21, [11, 0], 'rpc-2 reads 21', [1, 1], [unreadFirst]],
    ['20 of 21 dead at one', 21, [20, 0], 'rpc-2 reads 21', [1, 1], [unreadFirst]],
    ['all dead at one', 21, [21, 0], 'rpc-2 reads 21', [1, 1], [unreadFirst]],
    ['10 of 21 dead at both', 21, [10, 10], 'rpc-1 reads 11', [1, 0], []],
    ['11 of 21 dead at both', 21, [11, 11], 'rpc-1 reads 10', [1, 1], []],
    ['20 of 21 dead at both', 21, [20, 20], 'rpc-1 reads 1', [1, 1], []],
    ['3 of 6 dead at both', 6, [3, 3], 'rpc-1 reads 3', [1, 0], []],
    ['5 of 6 dead at one, and 4 at the other', 6, [5, 4], 'rpc-2 reads 2', [1, 1], [unreadFirst]],
    ['20 of 21 dead, beside one without code', 21, [withoutCode, 20], 'rpc-2 reads 1', [1, 1], [noState]],
    ['20 of 21 dead, beside a limit', 21, [20, status(429)], 'rpc-1 reads 1', [1, 1], [limited]],
    ['20 of 21 dead, beside silence', 21, [20, silentFor(attemptMs)], 'rpc-1 reads 1', [1, 1], ['rpc-2 timeout']],
    ['all dead, beside a failing one', 21, [21, status(401)], 'rpc-1 reads 0', [1, 1], [refusedSecond]],
  ],
)('which list is served with %s, in one round, and what is a fault (D24)', async (_, feeds, nodes, ...expected) => {
  const behaviours = nodes.map(node => (typeof node === 'number' ? firstReverting(node) : node))
  const { reading, trace, counts } = await reader.read(mainnet.slice(0, feeds), ...behaviours)
  const read = 'feeds' in reading ? reading.feeds.filter(row => 'detail' in row).length : reading.slug
  const faults = trace.upstreamFaults.map(({ endpoint, kind }) => `${endpoint} ${kind}`)
  expect([`${trace.endpoint} reads ${read}`, counts, faults, trace.round]).toEqual([...expected, 1])
})

test.each([
  [10, 1],
  [11, 2],
])('after a list with %i of 21 feeds dead, the next read opens connection %i (D24)', async (dead, opened) => {
  await using node = await startFaultyNode(firstReverting(dead))
  await reader.readAt(mainnet, [node])
  await reader.readAt(mainnet, [node])
  expect(node.countOpened()).toBe(opened)
})

test('a list with one contract, although it reverts, is of a node with the chain’s state (D24)', async () => {
  const block = { chainId: 4_663, time: Math.floor(Date.now() / 1_000), block: 1 }
  const rows = mainnet.map((_, index) => (index === 0 ? revertingRow : rowWithoutCode))
  const mixed: Respond = (response, body) => response.end(toReply(body, encodeOutput(block, rows)))
  const read = await reader.read(mainnet, mixed, status(502))
  expect(read.reading).toMatchObject({
    block: 1,
    feeds: [unreadable.feeds[0], ...mainnet.slice(1).map(() => noContract.feeds[0])],
  })
  expect(read.counts).toEqual([1, 1])
})
