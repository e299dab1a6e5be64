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
import { type Answered, baseUrl, type Service, startService } from './service.ts'

// The pause before the second round of a read is shortened: thousands of runs have one.
vi.mock(import('node:timers/promises'), async importOriginal => {
  const timers = await importOriginal()
  return { ...timers, setTimeout: (ms, ...rest) => timers.setTimeout((ms ?? 0) / 100, ...rest) }
})

const started: AsyncDisposable[] = []
const nodes: Record<Network, MemoryNode[]> = { mainnet: [], testnet: [] }
let service: Service
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
  nodes.mainnet.push(await startMemoryNode(mainnet.rpcUrl))
  nodes.testnet.push(await startMemoryNode(testnet.rpcUrl), await startMemoryNode(testnet.rpcUrl))
  const urlsOf = (network: Network) => nodes[network].map(({ url }) => url).join(' ')
  service = await startService({ mainnet: urlsOf('mainnet'), testnet: urlsOf('testnet') })
  started.push(...Object.values(nodes).flat(), service)
  readAt = new Date(startedAt * 1_000 + 12_345)
  vi.useFakeTimers({ toFake: ['Date'], now: readAt })
}, 60_000)

afterAll(async () => {
  vi.useRealTimers()
  for (const one of started.toReversed()) await one[Symbol.asyncDispose]()
})

/** Asks the service while the node that is asked first lies; returns its reply, and what its true answer would have held. */
async function askWhile(lie: Lie, asked: Asked, ask: () => Promise<Answered>) {
  let course: { told: Told; id: number; truth: Holding | 'out of gas' | undefined; liar: MemoryNode } | undefined
  for (const node of nodes[asked.network]) {
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
    const property = fc.asyncProperty(anyFeed('mainnet'), lies, async (feed, lie) => {
      const asked = askedOf('mainnet', [feed])
      const { told, id, truth, status, body } = await askWhile(lie, asked, () => service.getPrice('mainnet', feed))
      const { isSure, holding } = hold(told, id, asked)
      const expected = holding === undefined ? unavailable : toBody(holding)
      if (isSure) expect(body).toBe(expected)
      else expect([unavailable, expected]).toContain(body)
      expect(status).toBe(statusOf(body))
      count(`${outcomes[statusOf(body)]}${body === toBody(truth) ? ', the truth' : ''}`)
    })
    await fc.assert(property, toRuns(5_000))
    report('one price, one node', seen)
  },
  toTimeoutMs(5_000),
)

test(
  'a list is what the bytes hold, or a problem, whatever its only node says (D17, D18, D23)',
  async () => {
    const { seen, count } = createCounter()
    const asked = askedOf('mainnet', feedsOf('mainnet'))
    const property = fc.asyncProperty(lies, async lie => {
      const { told, id, truth, status, body } = await askWhile(lie, asked, () => service.listPrices('mainnet'))
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
    await fc.assert(property, toRuns(1_000))
    report('a list, one node', seen)
  },
  toTimeoutMs(1_000),
)

test(
  'with a healthy node beside it there is always a record, whatever a node says (D2, D24)',
  async () => {
    const { seen, count } = createCounter()
    const property = fc.asyncProperty(anyFeed('testnet'), fc.boolean(), lies, async (feed, isList, lie) => {
      const asked = askedOf('testnet', isList ? feedsOf('testnet') : [feed])
      const ask = () => (isList ? service.listPrices('testnet') : service.getPrice('testnet', feed))
      const { told, id, truth, status, body } = await askWhile(lie, asked, ask)
      const { holding: whole } = hold(told, id, asked)
      const write = isList ? (one: Holding) => writeList(one, asked) : toBody
      const allowed = [truth, ...(whole && (isList || toBody(whole) !== unreadable) ? [whole] : [])]
      expect(allowed.map(write)).toContain(body)
      expect(status).toBe(200)
      count(body === write(truth) ? 'the truth' : 'what the bytes hold')
    })
    await fc.assert(property, toRuns(1_000))
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
      nodes.mainnet[0]?.lie((call, result) => {
        truths.set(feed, result as Hex)
        return tell(honesty, call, result).sent
      })
      await service.getPrice('mainnet', feed)
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
