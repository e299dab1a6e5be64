import type { Hex } from 'viem'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type * as ReadFeeds from '../../lambda/chain/read-feeds.ts'
import { type Feed, feedsOf } from '../../lambda/feeds/registry.ts'
import { readMs } from '../../lambda/timing.ts'
import { addressesOf, encodeOutput, encodeRow, returned, reverted, rowWithoutCode, words } from './encoding.ts'
import {
  blockOf,
  type FaultyNode,
  type Respond,
  rpcError,
  silence,
  startFaultyNode,
  status,
  toReply,
} from './faulty-node.ts'

vi.mock(import('node:timers/promises'), async load => (await import('./pauses.ts')).shortenPauses(await load()))

const mainnet = feedsOf('mainnet')
const [feed] = mainnet as readonly [Feed, ...Feed[]]

let container: typeof ReadFeeds
beforeEach(async () => {
  vi.resetModules()
  container = await import('../../lambda/chain/read-feeds.ts')
})
afterEach(() => vi.useRealTimers())

/** The chain: every feed has a new answer at block 1,005. */
const changedAt = 1_005
const rowAt = (block: number): Hex => {
  const answer = block < changedAt ? 100n : 101n
  return encodeRow(returned(words(0, answer, 1, answer, 1)), returned(words(1, answer, 1, 1, 1)))
}
const honestRows = (block: number, feeds = 1) => rowAt(block).slice(2).repeat(feeds)

type Rows = (block: number, feeds: number) => readonly Hex[]
const trueRows: Rows = (block, feeds) => Array.from({ length: feeds }, () => rowAt(block))

/** Answers from a chain whose latest block is this. */
const node =
  (latest: number, toRows: Rows = trueRows, toBlock = (asked: number) => asked): Respond =>
  (response, body) => {
    const block = toBlock(blockOf(body) === 'latest' ? latest : Number(blockOf(body)))
    const head = { chainId: 4_663, time: Math.floor(Date.now() / 1_000), block }
    response.end(toReply(body, encodeOutput(head, toRows(block, addressesOf(body).length))))
  }

/** Rows of which the first has another last digit of its answer, in both functions. */
const withWrongDigit: Rows = (block, feeds) => {
  const answer = block < changedAt ? 102n : 103n
  const wrong = encodeRow(returned(words(0, answer, 1, answer, 1)), returned(words(1, answer, 1, 1, 1)))
  return trueRows(block, feeds).with(0, wrong)
}

/** Nodes that return false rows, each in a well-formed output of the right chain and time. */
const liars: Readonly<Record<string, Respond>> = {
  'one wrong digit of one feed': node(1_010, withWrongDigit),
  'the state of a fork': node(1_010, (_, feeds) =>
    Array.from({ length: feeds }, () => encodeRow(returned(words(2, 9, 1, 9, 1)), reverted('0xe3f18fa8'))),
  ),
  'a frozen state': node(
    1_004,
    (_, feeds) => trueRows(1_004, feeds),
    () => 1_004,
  ),
  'a frozen state below a head that moves': node(1_020, (_, feeds) => trueRows(1_004, feeds)),
  'a state at block 0': node(0, withWrongDigit, () => 0),
  'a state at the highest block': node(Number.MAX_SAFE_INTEGER, withWrongDigit),
  'no contract': node(1_010, (_, feeds) => [rowWithoutCode, ...trueRows(1_010, feeds - 1)]),
}

/** Reads at nodes of which two must agree. */
async function read(feeds: readonly Feed[], ...answers: readonly Respond[]) {
  await using stack = new AsyncDisposableStack()
  const nodes = await Promise.all(answers.map(async answer => stack.use(await startFaultyNode(answer))))
  return await readAt(feeds, nodes)
}

async function readAt(feeds: readonly Feed[], nodes: readonly FaultyNode[], rpcUrls = nodes.map(({ url }) => url)) {
  const before = nodes.map(({ requests }) => requests.length)
  const options = { rpcUrls, agreement: 2, deadline: performance.now() + readMs }
  const { reading, trace } = await container.readFeeds({ network: 'mainnet', feeds }, options)
  const requests = nodes.map((one, index) => one.requests.slice(before[index]))
  return { reading, faults: trace.faults, trace, blocks: requests.map(bodies => bodies.map(blockOf)) }
}

const unavailable = expect.objectContaining({ slug: 'chain-unavailable' })
const fault = (place: number, kind: string, numbers: object = {}) => ({ endpoint: `rpc-${place}`, kind, ...numbers })
const disagreement = { kind: 'disagreement' }
const at = (block: number, rows = honestRows(block)) => ({ head: { block }, rows })

test('two endpoints are asked at once, and equal rows are the reading of the lower block (D29)', async () => {
  const { reading, trace, blocks } = await read([feed], node(1_004), node(1_000), node(1_001))
  expect(reading).toMatchObject(at(1_000))
  expect(trace).toMatchObject({ attempts: 2, faults: [], endpoint: 'rpc-2', round: 1, lastResort: false })
  expect(blocks).toEqual([['latest'], ['latest'], []])
})

test.each([1, mainnet.length])(
  'honest nodes ten blocks apart agree at the lower block, on %i feeds (D29)',
  async count => {
    const feeds = mainnet.slice(0, count)
    const { reading, trace, blocks } = await read(feeds, node(1_010), node(1_000))
    expect(reading).toMatchObject(at(1_000, honestRows(1_000, count)))
    expect(trace).toMatchObject({ attempts: 4, faults: [], round: 2 })
    expect(blocks).toEqual([
      ['latest', '0x3e8'],
      ['latest', '0x3e8'],
    ])
  },
)

const places = [0, 1, 2]
const cases = Object.entries(liars).flatMap(([name, liar]) => places.map(place => [name, place, liar] as const))

test.each(cases)('a node with %s in place %i of three is outvoted (D29)', async (_, place, liar) => {
  for (const feeds of [[feed], mainnet]) {
    const honest = [node(1_010), node(1_008)]
    const { reading } = await read(feeds, ...honest.toSpliced(place, 0, liar))
    const { head, rows } = 'rows' in reading ? reading : { head: { block: 0 }, rows: '' }
    expect(rows).toBe(honestRows(head.block, feeds.length))
    expect(head.block).toBeGreaterThanOrEqual(900)
  }
})

test.each(Object.entries(liars))(
  'a node with %s and one that is honest are 503, and never the answer of one (D29)',
  async (_, liar) => {
    for (const pair of [
      [node(1_010), liar],
      [liar, node(1_010)],
    ]) {
      const { reading, faults } = await read(mainnet, ...pair)
      if ('rows' in reading)
        expect(reading).toMatchObject(at(reading.head.block, honestRows(reading.head.block, mainnet.length)))
      else expect(faults).toContainEqual(disagreement)
    }
  },
)

test('a node that names a low block moves the block that two others are asked at by 100 at most (D29)', async () => {
  // Without the limit, no honest node would agree with another: neither has the state of block 0.
  const archive =
    (latest: number): Respond =>
    (response, body) =>
      Number(blockOf(body)) < 900 ? rpcError(-32_000)(response, body) : node(latest)(response, body)
  const { reading, blocks } = await read(
    [feed],
    node(0, withWrongDigit, () => 0),
    archive(1_010),
    archive(1_000),
  )
  expect(reading).toMatchObject(at(900))
  expect(blocks[1]).toEqual(['latest', '0x384'])
})

test.each<[string, Respond, object]>([
  ['fails', status(401), fault(1, 'unauthorized', { httpStatus: 401 })],
  ['is slow', silence, fault(1, 'slow')],
])('after an endpoint that %s the third is asked, and two agree without it (D24, D29)', async (_, answer, expected) => {
  const { reading, trace } = await read([feed], answer, node(1_010), node(1_008))
  expect(reading).toMatchObject(at(1_008))
  expect(trace).toMatchObject({ attempts: 3, faults: [expected], endpoint: 'rpc-3', round: 1, lastResort: false })
})

test('the endpoints that agreed are asked first for 30 s (D24, D29)', async () => {
  let isUp = false
  await using one = await startFaultyNode((...request) => (isUp ? node(1_010) : status(502))(...request))
  await using two = await startFaultyNode(node(1_010))
  await using three = await startFaultyNode(node(1_010))
  const nodes = [one, two, three]
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  expect((await readAt([feed], nodes)).blocks.map(blocks => blocks.length)).toEqual([1, 1, 1])
  isUp = true
  expect((await readAt([feed], nodes)).blocks.map(blocks => blocks.length)).toEqual([0, 1, 1])
  vi.setSystemTime(Date.now() + 30_000)
  expect((await readAt([feed], nodes)).blocks.map(blocks => blocks.length)).toEqual([1, 1, 0])
})

test('endpoints that agreed in the second round alone are asked first too (D24, D29)', async () => {
  await using one = await startFaultyNode(status(401))
  await using two = await startFaultyNode(node(1_010))
  let latest = 1_000
  await using three = await startFaultyNode((...request) => node(latest)(...request))
  const nodes = [one, two, three]
  const first = await readAt([feed], nodes)
  latest = 1_010
  const reads = [first, await readAt([feed], nodes)]
  expect(reads.map(({ blocks }) => blocks.map(({ length }) => length))).toEqual([
    [1, 2, 2],
    [0, 1, 1],
  ])
})

test('one endpoint that answers is not enough, and two whose faults may pass are asked again (D29)', async () => {
  const { reading, faults, blocks } = await read([feed], node(1_010), status(401), status(503))
  expect(reading).toEqual(unavailable)
  expect(faults).toEqual([
    fault(2, 'unauthorized', { httpStatus: 401 }),
    fault(3, 'http-status', { httpStatus: 503 }),
    fault(3, 'http-status', { httpStatus: 503 }),
  ])
  expect(blocks).toEqual([['latest', 'latest'], ['latest'], ['latest', 'latest']])
})

test('two URLs of one host do not agree with each other (D29)', async () => {
  await using liar = await startFaultyNode(node(1_010, withWrongDigit))
  await using honest = await startFaultyNode(node(1_010))
  const rpcUrls = [liar.url, new URL('/other-key', liar.url), honest.url]
  const { reading, faults } = await readAt([feed], [liar, honest], rpcUrls)
  expect(reading).toEqual(unavailable)
  expect(faults).toEqual([disagreement])
})

const reverting: Rows = () => [encodeRow(reverted('0xc4e5ad09'), reverted('0xc4e5ad09'))]
const missing: Rows = () => [rowWithoutCode]

test('that a feed cannot be read needs two that agree, and that it has no contract every endpoint (D24, D29)', async () => {
  const { reading, blocks } = await read([feed], node(1_010, reverting), node(1_010, reverting), node(1_010))
  expect(reading).toMatchObject({ feeds: [{ unreadable: 'latestDetail() reverted with NoHistory' }] })
  expect(blocks[2]).toEqual([])
  const gone = node(1_010, missing)
  const noContract = { feeds: [{ unreadable: 'no contract is at its address' }] }
  expect((await read([feed], gone, gone, gone)).reading).toMatchObject(noContract)
  expect((await read([feed], gone, gone)).reading).toMatchObject(noContract)
  const unconfirmed = await read([feed], gone, gone, node(1_010))
  expect(unconfirmed).toMatchObject({ reading: unavailable, faults: [disagreement] })
  const refused = fault(3, 'unauthorized', { httpStatus: 401 })
  expect(await read([feed], gone, gone, status(401))).toMatchObject({ reading: unavailable, faults: [refused] })
})

test('a pool whose nodes lack the block of its own reading agrees by that reading (D29)', async () => {
  let latest = 1_010
  const pool: Respond = (response, body) => {
    latest -= 20
    return (blockOf(body) === 'latest' ? node(latest) : rpcError(-32_000))(response, body)
  }
  const { reading, trace } = await read([feed], pool, node(1_010))
  expect(reading).toMatchObject(at(990))
  expect(trace).toMatchObject({ attempts: 4, faults: [fault(1, 'rpc-error', { rpcCode: -32_000 })], round: 2 })
})
