import dns from 'node:dns'
import type { Hex } from 'viem'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { attemptMs, hedgeDelayMs, preferenceMs } from '../../../lambda/timing.ts'
import { addressesOf, encodeOutput, revertingRow, rowOf, rowWithoutCode } from '../../support/chain/encoding.ts'
import { blockOf, type Respond, rpcError, startFaultyNode, status, toReply } from '../../support/chain/faulty-node.ts'
import { createReader, fault, feed, inOrder, mainnet, silentFor, unavailable } from '../../support/chain/reader.ts'
import { until } from '../../support/clock.ts'

vi.mock(import('node:timers/promises'), () => import('../../support/chain/pauses.ts'))

/** A reader for which two endpoints must agree. */
let reader: Awaited<ReturnType<typeof createReader>>
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout', 'performance'] })
  reader = await createReader(2)
})
afterEach(() => vi.useRealTimers())

/** The chain: every feed has a new answer at block 1,005. */
const changedAt = 1_005
const rowAt = (block: number) => rowOf(block < changedAt ? 100n : 101n)
const honestRows = (block: number, feeds = 1) => rowAt(block).slice(2).repeat(feeds)

type Rows = (block: number, feeds: number) => readonly Hex[]
const trueRows: Rows = (block, feeds) => Array.from({ length: feeds }, () => rowAt(block))

/** Responds from a chain whose latest block is this. */
const node =
  (latest: number, toRows: Rows = trueRows, toBlock = (asked: number) => asked): Respond =>
  (response, body) => {
    const block = toBlock(blockOf(body) === 'latest' ? latest : Number(blockOf(body)))
    const output = { chainId: 4_663, time: Math.floor(Date.now() / 1_000), block }
    response.end(toReply(body, encodeOutput(output, toRows(block, addressesOf(body).length))))
  }

/** Rows of which the first has another last digit of its answer, in both functions. */
const withWrongDigit: Rows = (block, feeds) => trueRows(block, feeds).with(0, rowOf(block < changedAt ? 102n : 103n))

const disagreement = { kind: 'disagreement' }
const at = (block: number, rows = honestRows(block)) => ({ block, rows })

test('equal rows of two that are asked at once are the reading of the lower block (D29)', async () => {
  const { reading, trace, blocks } = await reader.read([feed], node(1_004), node(1_000), node(1_001))
  expect(reading).toMatchObject(at(1_000))
  expect(trace).toEqual({
    attempts: 2,
    faults: [],
    firstEndpointFaults: 0,
    endpoint: 'rpc-2',
    round: 1,
    rpcMs: expect.any(Number),
  })
  expect(blocks).toEqual([['latest'], ['latest'], []])
})

test('no second round begins when fewer endpoints are left than must agree, because one limits the rate (D24)', async () => {
  await using limiting = await startFaultyNode(status(429))
  await using honest = await startFaultyNode(node(1_000))
  const read = async () => (await reader.readAt([feed], [limiting, honest])).counts
  expect([await read(), await read()]).toEqual([
    [2, 2],
    [1, 1],
  ])
})

test('honest nodes ten blocks apart agree at the lower block, on every feed of a list (D29)', async () => {
  const { reading, trace, blocks } = await reader.read(mainnet, node(1_010), node(1_000))
  expect(reading).toMatchObject(at(1_000, honestRows(1_000, mainnet.length)))
  expect(trace).toMatchObject({ attempts: 4, faults: [], round: 2 })
  expect(blocks).toEqual(Array(2).fill(['latest', '0x3e8']))
})

test('one node does not choose the block, whatever it names (D29)', async () => {
  // Every honest node has the old state too, and would confirm it.
  for (const block of [0, 500, 955, 2_000]) {
    const liar = node(block)
    const [alone, withThird] = [
      await reader.read([feed], liar, node(1_006), status(503)),
      await reader.read([feed], liar, node(1_006), inOrder(status(503), node(1_007))),
    ]
    expect(alone).toMatchObject({ reading: unavailable, trace: { faults: expect.arrayContaining([disagreement]) } })
    expect(alone.blocks[1]).toEqual(['latest', 'latest'])
    expect(withThird.reading).toMatchObject(at(1_006))
  }
})

test('where one endpoint is enough, the second round reads the latest block again (D24)', async () => {
  const withoutCode = node(1_000, () => [rowWithoutCode])
  const { blocks } = await (await createReader(1)).read([feed], withoutCode, status(503))
  expect(blocks).toEqual(Array(2).fill(['latest', 'latest']))
})

test('equal rows agree at blocks that are at most 50 apart (D29)', async () => {
  const naming = (block: number): Respond =>
    node(
      1_010,
      () => trueRows(1_010, 1),
      () => block,
    )
  expect((await reader.read([feed], naming(960), node(1_010))).reading).toMatchObject(at(960, honestRows(1_010)))
  for (const block of [0, 959, 1_061]) {
    const { reading, trace } = await reader.read([feed], naming(block), node(1_010))
    expect({ reading, faults: trace.faults }).toEqual({ reading: unavailable, faults: [disagreement] })
    const outvoted = await reader.read([feed], naming(block), node(1_010), node(1_012))
    expect(outvoted.reading).toMatchObject(at(1_010))
  }
})

test.each<[string, Respond, object]>([
  ['fails', status(401), fault(1, 'unauthorized', { httpStatus: 401 })],
  ['is slow', silentFor(hedgeDelayMs), fault(1, 'slow')],
])('two agree without an endpoint that %s (D24, D29)', async (_, respond, expected) => {
  const { reading, trace } = await reader.read([feed], respond, node(1_010), node(1_008))
  expect(reading).toMatchObject(at(1_008))
  expect(trace).toMatchObject({ attempts: 3, faults: [expected], endpoint: 'rpc-3', round: 1, firstEndpointFaults: 1 })
})

test('an endpoint that two outvote at its block has the fault, wherever it is asked (D29)', async () => {
  const outvoted = { endpoint: 'rpc-2', kind: 'disagreement' }
  const first = await reader.read([feed], node(1_010), node(1_010, withWrongDigit), node(1_010))
  expect(first).toMatchObject({ reading: at(1_010), trace: { faults: [outvoted], firstEndpointFaults: 1, round: 1 } })
  // In the second round, all are asked for one block.
  const second = await reader.read([feed], node(1_000), node(1_008, withWrongDigit), node(1_010))
  expect(second).toMatchObject({ reading: at(1_000), trace: { faults: [outvoted], firstEndpointFaults: 1, round: 2 } })
})

test('a wrong reading at another block than those that agree is no fault (D29)', async () => {
  const { trace } = await reader.read([feed], node(1_010), node(1_012, withWrongDigit), node(1_010))
  expect(trace).toMatchObject({ faults: [], endpoint: 'rpc-1' })
})

test('the faults of the first two endpoints are counted in reads that asked both', async () => {
  await using second = await startFaultyNode(status(401))
  await using honest = await startFaultyNode(node(1_010))
  await using another = await startFaultyNode(node(1_010))
  const counted = async () => (await reader.readAt([feed], [honest, second, another])).trace.firstEndpointFaults
  // Then the pair that agreed is asked first.
  expect([await counted(), await counted()]).toEqual([1, undefined])
})

test('the endpoints that agreed are asked first for a time (D24, D29)', async () => {
  let isUp = false
  await using first = await startFaultyNode((...request) => (isUp ? node(1_010) : status(502))(...request))
  await using second = await startFaultyNode(node(1_010))
  await using third = await startFaultyNode(node(1_010))
  const nodes = [first, second, third]
  expect((await reader.readAt([feed], nodes)).counts).toEqual([1, 1, 1])
  isUp = true
  expect((await reader.readAt([feed], nodes)).counts).toEqual([0, 1, 1])
  vi.setSystemTime(Date.now() + preferenceMs)
  expect((await reader.readAt([feed], nodes)).counts).toEqual([1, 1, 0])
})

test('endpoints that agreed in the second round alone are asked first too (D24, D29)', async () => {
  await using first = await startFaultyNode(status(401))
  await using second = await startFaultyNode(node(1_010))
  let latest = 1_000
  await using third = await startFaultyNode((...request) => node(latest)(...request))
  const nodes = [first, second, third]
  expect((await reader.readAt([feed], nodes)).counts).toEqual([2, 2, 2])
  latest = 1_010
  expect((await reader.readAt([feed], nodes)).counts).toEqual([0, 1, 1])
})

test('no endpoint of other URLs is asked first after a rotation (D24)', async () => {
  await using down = await startFaultyNode(status(401))
  await using up = await startFaultyNode(node(1_010))
  await using replacement = await startFaultyNode(node(1_010))
  await reader.readAt([feed], [down, up, replacement])
  await using rotated = await startFaultyNode(node(1_010))
  await using lastResort = await startFaultyNode(node(1_010))
  expect((await reader.readAt([feed], [rotated, replacement, lastResort])).counts).toEqual([1, 1, 0])
})

test('two URLs of one host do not agree with each other, also at two ports (D29)', async () => {
  using _lookup = vi.spyOn(dns.promises, 'lookup').mockResolvedValue([{ address: '127.0.0.1', family: 4 }] as never)
  await using liar = await startFaultyNode(node(1_010, withWrongDigit))
  await using atOtherPort = await startFaultyNode(node(1_010, withWrongDigit))
  await using honest = await startFaultyNode(node(1_010))
  const twoPorts = [liar, atOtherPort].map(({ url }) => new URL(`http://rpc.example:${url.port}`))
  for (const ofLiar of [[liar.url, new URL('/other-key', liar.url)], twoPorts]) {
    const { reading, trace } = await reader.readAt([feed], [], { rpcUrls: [...ofLiar, honest.url] })
    expect({ reading, faults: trace.faults }).toEqual({ reading: unavailable, faults: [disagreement] })
  }
})

test('that one host returns different rows is no disagreement (D29)', async () => {
  let latest = 995
  await using pool = await startFaultyNode((...request) => {
    latest += 5
    node(latest, trueRows, () => latest)(...request)
  })
  const rpcUrls = [pool.url, new URL('/other-key', pool.url)]
  const { reading, trace } = await reader.readAt([feed], [pool], { rpcUrls })
  expect(reading).toEqual(unavailable)
  expect(trace.faults).not.toContainEqual(disagreement)
})

test('of two readings of one host, that near the reading of another host decides the block (D29)', async () => {
  const latest = [960, 1_000]
  await using pool = await startFaultyNode((...request) => node(latest.shift() ?? 1_000)(...request))
  await using other = await startFaultyNode(node(1_050))
  const rpcUrls = [pool.url, new URL('/other-key', pool.url), other.url]
  const { blocks } = await reader.readAt([feed], [pool, other], { rpcUrls })
  expect(blocks[1]).toEqual(['latest', '0x3e8'])
})

const reverting: Rows = () => [revertingRow]
const missing: Rows = () => [rowWithoutCode]

test('two must agree that a feed cannot be read (D29)', async () => {
  const { reading, blocks } = await reader.read([feed], node(1_010, reverting), node(1_010, reverting), node(1_010))
  expect(reading).toMatchObject({ feeds: [{ unreadable: 'latestDetail() reverted with NoHistory' }] })
  expect(blocks[2]).toEqual([])
})

test('every endpoint must agree that a feed has no contract (D24, D29)', async () => {
  const gone = node(1_010, missing)
  const noContract = { feeds: [{ unreadable: 'no contract is at its address' }] }
  expect((await reader.read([feed], gone, gone, gone)).reading).toMatchObject(noContract)
  expect((await reader.read([feed], gone, gone)).reading).toMatchObject(noContract)
  const unconfirmed = await reader.read([feed], gone, gone, node(1_010))
  expect(unconfirmed).toMatchObject({ reading: unavailable, trace: { faults: [disagreement] } })
  const faults = Array(2).fill(fault(3, 'unauthorized', { httpStatus: 401 }))
  const refused = await reader.read([feed], gone, gone, status(401))
  expect(refused).toMatchObject({ reading: unavailable, trace: { faults } })
})

test('rows that differ at different blocks are no disagreement: a feed changed between (D29)', async () => {
  const { reading, trace, blocks } = await reader.read([feed], node(1_004), inOrder(status(503), node(1_008)))
  expect(blocks).toEqual(Array(2).fill(['latest', 'latest']))
  expect({ reading, faults: trace.faults }).toEqual({
    reading: unavailable,
    faults: [fault(2, 'http-status', { httpStatus: 503 })],
  })
})

test('in the second round, two slow nodes have time to agree beside a liar (D29)', async () => {
  const slowMs = attemptMs - 300
  /** Responds this time of the stopped clock after each request. */
  const slow =
    (latest: number, ms = slowMs): Respond =>
    (...request) =>
      void setTimeout(() => node(latest)(...request), ms)
  await using liar = await startFaultyNode(node(0, withWrongDigit))
  // In the first round, the last that is asked.
  await using behind = await startFaultyNode(inOrder(slow(1_000, slowMs - hedgeDelayMs), slow(1_000)))
  await using ahead = await startFaultyNode(slow(1_010))
  const read = reader.readAt([feed], [liar, ahead, behind])
  const requests = (count: number) => until(() => [ahead, behind].every(({ requests }) => requests.length === count))
  await until(() => ahead.requests.length === 1)
  await vi.advanceTimersByTimeAsync(hedgeDelayMs)
  await requests(1)
  await vi.advanceTimersByTimeAsync(slowMs - hedgeDelayMs)
  await requests(2)
  await vi.advanceTimersByTimeAsync(slowMs)
  expect(await read).toMatchObject({ reading: at(1_000), trace: { endpoint: 'rpc-3', round: 2 } })
})

test('a pool whose nodes lack the block of its own reading agrees by that reading (D29)', async () => {
  let latest = 1_010
  const pool: Respond = (response, body) => {
    latest -= 20
    return (blockOf(body) === 'latest' ? node(latest) : rpcError(-32_000))(response, body)
  }
  const { reading, trace } = await reader.read([feed], pool, node(1_010))
  expect(reading).toMatchObject(at(990))
  // Either reply of the second round may come first.
  expect(trace).toMatchObject({ attempts: 4, round: 2 })
})
