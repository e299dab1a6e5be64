import fc from 'fast-check'
import type { Hex } from 'viem'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { decodeFeed } from '../../lambda/chain/decode-feed.ts'
import { decodeRows } from '../../lambda/chain/multicall.ts'
import { chains } from '../../lambda/chain/read-call.ts'
import { Fault } from '../../lambda/faults.ts'
import { toPriceRecord } from '../../lambda/feeds/price-record.ts'
import { type Feed, feedsOf, type Network } from '../../lambda/feeds/registry.ts'
import { type Chain, chainKinds, startChain } from '../../local/chains.ts'
import { toStandInFeeds } from '../../local/stand-in-feeds.ts'
import { type Asked, hold, leaveOpen, unavailable, unreadable, writeList } from './expectation.ts'
import { type MemoryNode, startMemoryNode } from './memory-node.ts'
import { canary, honesty, type Lie, lies, type Told, tell } from './mutate-reply.ts'
import { mutate, mutations } from './mutate-result.ts'
import { type Holding, type Row, refer, referFeed, referRows } from './reference.ts'
import { createCounter, report, toRuns, toTimeoutMs } from './runs.ts'
import { type Answered, baseUrl, type Service, startServices } from './service.ts'

/** A service in a container of its own, with nodes of its own, so that lanes run side by side. */
interface Lane {
  readonly nodes: Readonly<Record<Network, readonly MemoryNode[]>>
  readonly service: Service
}

/** The second round of a read waits up to 300 ms. Side by side, the waits cost little. */
const laneCount = 16

const started: AsyncDisposable[] = []
const lanes: Lane[] = []
let readAt: Date

beforeAll(async () => {
  const startedAt = Math.floor(Date.now() / 1_000)
  const start = async (network: Network): Promise<Chain> => {
    const chain = await startChain({
      ...chainKinds[network],
      feeds: toStandInFeeds(network, feedsOf(network).slice(), startedAt),
    })
    started.push({ [Symbol.asyncDispose]: chain.stop })
    return chain
  }
  const [mainnet, testnet] = await Promise.all([start('mainnet'), start('testnet')])
  readAt = new Date(startedAt * 1_000 + 12_345)
  const lanesOfNodes = await Promise.all(
    Array.from({ length: laneCount }, async () => ({
      mainnet: [await startMemoryNode(mainnet.rpcUrl)],
      testnet: [await startMemoryNode(testnet.rpcUrl), await startMemoryNode(testnet.rpcUrl)],
    })),
  )
  started.push(...lanesOfNodes.flatMap(nodes => Object.values(nodes).flat()))
  vi.useFakeTimers({ toFake: ['Date'], now: readAt })
  const services = await startServices(
    lanesOfNodes.map(nodes => ({
      mainnet: nodes.mainnet.map(({ url }) => url).join(' '),
      testnet: nodes.testnet.map(({ url }) => url).join(' '),
    })),
  )
  started.push(services)
  for (const [index, nodes] of lanesOfNodes.entries()) {
    const service = services.services[index]
    if (service !== undefined) lanes.push({ nodes, service })
  }
}, 120_000)

afterAll(async () => {
  vi.useRealTimers()
  for (const one of started.toReversed()) await one[Symbol.asyncDispose]()
})

/** Checks a property in all lanes at once, so many runs in all. */
async function assertInLanes<values extends [unknown, ...unknown[]]>(
  numRuns: number,
  toProperty: (lane: Lane) => fc.IAsyncPropertyWithHooks<values>,
): Promise<void> {
  const { seed, numRuns: runs } = toRuns(numRuns)
  const perLane = { numRuns: Math.ceil(runs / lanes.length) }
  await Promise.all(lanes.map((lane, index) => fc.assert(toProperty(lane), { ...perLane, seed: seed + index })))
}

/** Asks the service while the node that is asked first lies; returns what it replied, and what its true answer would have held. */
async function askWhile(lane: Lane, lie: Lie, asked: Asked, ask: () => Promise<Answered>) {
  let course: { told: Told; id: number; truth: Holding | 'out of gas' | undefined; liar: MemoryNode } | undefined
  for (const node of lane.nodes[asked.network]) {
    node.lie((call, result) => {
      if (course !== undefined && course.liar !== node) return tell(honesty, call, result).sent
      const told = tell(lie, call, result)
      const truth = refer(result as Hex, asked.feeds, asked, asked.maxHeadAgeSeconds)
      course = { told, id: call.id, truth, liar: node }
      return told.sent
    })
  }
  const { status, body, said } = await ask()
  expect(`${body}${said}`).not.toMatch(new RegExp(`${canary}|KEY|127\\.0\\.0\\.1|internal`))
  if (course?.truth === undefined || course.truth === 'out of gas') throw new Error('The node has no valid answer')
  return { ...course, truth: course.truth, status, body: leaveOpen(body) }
}

const askedOf = (network: Network, feeds: readonly Feed[]): Asked => ({
  network,
  feeds,
  readAt,
  baseUrl,
  maxHeadAgeSeconds: network === 'mainnet' ? 60 : Number.POSITIVE_INFINITY,
})
const anyFeed = (network: Network) => fc.constantFrom(...feedsOf(network))

const statusOf = (body: string) => (body === unavailable ? 503 : body === unreadable ? 502 : 200)
const outcomes = { 200: 'record', 502: 'feed-unreadable', 503: 'chain-unavailable' } as const
const toBody = ({ entries: [entry] }: Holding) => (entry === 'feed-unreadable' ? unreadable : (entry ?? ''))

test(
  'a price is what the bytes hold, or a problem, whatever its only node says (D10 to D14, D19, D23, D25)',
  async () => {
    const { seen, count } = createCounter()
    const toProperty = (lane: Lane) =>
      fc.asyncProperty(anyFeed('mainnet'), lies, async (feed, lie) => {
        const asked = askedOf('mainnet', [feed])
        const ask = () => lane.service.getPrice('mainnet', feed)
        const { told, id, truth, status, body } = await askWhile(lane, lie, asked, ask)
        const { isSure, holding } = hold(told, id, asked)
        const expected = holding === undefined ? unavailable : toBody(holding)
        if (isSure) expect(body).toBe(expected)
        else expect([unavailable, expected]).toContain(body)
        expect(status).toBe(statusOf(body))
        count(`${outcomes[statusOf(body)]}${body === toBody(truth) ? ', the truth' : ''}`)
      })
    await assertInLanes(5_000, toProperty)
    report('one price, one node', seen)
  },
  toTimeoutMs(5_000),
)

test(
  'a list is what the bytes hold, or a problem, whatever its only node says (D17, D18, D23)',
  async () => {
    const { seen, count } = createCounter()
    const asked = askedOf('mainnet', feedsOf('mainnet'))
    const toProperty = (lane: Lane) =>
      fc.asyncProperty(lies, async lie => {
        const ask = () => lane.service.listPrices('mainnet')
        const { told, id, truth, status, body } = await askWhile(lane, lie, asked, ask)
        const { isSure, isDivided, holding } = hold(told, id, asked)
        const whole = isDivided ? truth : holding
        const expected = whole === undefined ? unavailable : writeList(whole, asked)
        if (isSure) expect(body).toBe(expected)
        else expect([unavailable, expected, writeList(truth, asked)]).toContain(body)
        expect(status).toBe(statusOf(body))
        const unread = whole?.entries.includes('feed-unreadable') && body !== unavailable
        count(
          `${outcomes[statusOf(body)]}${body === writeList(truth, asked) ? ', the truth' : ''}${unread ? ', in part' : ''}`,
        )
      })
    await assertInLanes(1_000, toProperty)
    report('a list, one node', seen)
  },
  toTimeoutMs(1_000),
)

test(
  'with a healthy node beside it there is always a record, whatever a node says (D2, D24)',
  async () => {
    const { seen, count } = createCounter()
    const toProperty = (lane: Lane) =>
      fc.asyncProperty(anyFeed('testnet'), fc.boolean(), lies, async (feed, isList, lie) => {
        const asked = askedOf('testnet', isList ? feedsOf('testnet') : [feed])
        const ask = () => (isList ? lane.service.listPrices('testnet') : lane.service.getPrice('testnet', feed))
        const { told, id, truth, status, body } = await askWhile(lane, lie, asked, ask)
        const { holding: whole } = hold(told, id, asked)
        const write = isList ? (one: Holding) => writeList(one, asked) : toBody
        const allowed = [truth, ...(whole && (isList || toBody(whole) !== unreadable) ? [whole] : [])]
        expect(allowed.map(write)).toContain(body)
        expect(status).toBe(200)
        count(body === write(truth) ? 'the truth' : 'what the bytes hold')
      })
    await assertInLanes(1_000, toProperty)
    report('two nodes', seen)
  },
  toTimeoutMs(1_000),
)

test(
  'rows and records are read as the reference reads them, digit by digit (D10 to D14, D23)',
  async () => {
    const { seen, count } = createCounter()
    const truths = new Map<Feed, Hex>()
    for (const feed of feedsOf('mainnet')) {
      lanes[0]?.nodes.mainnet[0]?.lie((call, result) => {
        truths.set(feed, result as Hex)
        return tell(honesty, call, result).sent
      })
      await lanes[0]?.service.getPrice('mainnet', feed)
    }
    const property = fc.property(anyFeed('mainnet'), mutations, (feed, changes) => {
      const result = mutate(truths.get(feed) ?? '0x', changes)
      const rows = orFault(() => decodeRows(result, 4))
      expect(rows).toEqual(referRows(result, 4))
      const row = rows?.[3]
      const pair = row?.success === true ? orFault(() => decodeRows(row.returnData, 2)) : undefined
      if (row?.success === true) expect(pair).toEqual(referRows(row.returnData, 2))
      const [detail, round] = pair ?? []
      if (detail === undefined || round === undefined) return count('no rows')
      const entry = toEntry(feed, detail, round)
      expect(entry).toBe(referFeed(feed, [detail, round], { network: 'mainnet', block: 7, readAt }))
      count(entry === 'feed-unreadable' ? entry : 'record')
    })
    fc.assert(property, toRuns(14_000))
    report('decoding alone', seen)
  },
  toTimeoutMs(14_000),
)

function toEntry(feed: Feed, detail: Row, round: Row): string {
  const reading = decodeFeed(detail, round)
  if ('unreadable' in reading) return 'feed-unreadable'
  return JSON.stringify(toPriceRecord(feed, reading, { chain: chains.mainnet, block: 7, readAt }))
}

function orFault(read: () => readonly Row[]): readonly Row[] | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof Fault) return undefined
    throw error
  }
}
