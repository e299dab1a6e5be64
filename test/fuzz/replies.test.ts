import fc from 'fast-check'
import type { Hex } from 'viem'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { decodeFeed } from '../../lambda/chain/decode-feed.ts'
import { decodeRows, type Row } from '../../lambda/chain/multicall.ts'
import { Fault } from '../../lambda/faults.ts'
import { toPriceRecord } from '../../lambda/feeds/price-record.ts'
import { type Feed, feedsOf } from '../../lambda/feeds/registry.ts'
import { type Network, networkFacts, ofEachNetwork } from '../../lambda/networks.ts'
import { startChain, toChainKind } from '../../local/chains/chains.ts'
import { toStandInFeeds } from '../../local/chains/stand-in-feeds.ts'
import {
  baseUrl,
  type Container,
  captureConsole,
  type Outcome,
  startContainer,
  startStubbedStore,
} from '../container.ts'
import { type Decoded, type Request, unavailable, unreadable, writeList } from './bodies.ts'
import { expectationOf, withoutReasons } from './expectation.ts'
import {
  canary,
  type MutatedReply,
  mutateReply,
  noMutation,
  type ReplyMutation,
  replyMutations,
} from './mutate-reply.ts'
import { mutate, mutations } from './mutate-result.ts'
import { type PinnedNode, startPinnedNode } from './pinned-node.ts'
import { decodeFeedReference, decodeReference, decodeRowsReference } from './reference.ts'
import { createCounter, toRuns, toTimeoutMs } from './runs.ts'

// Thousands of runs pause before the second round.
vi.mock(import('node:timers/promises'), async load => (await import('../chain/pauses.ts')).shortenPauses(await load()))

const started = new AsyncDisposableStack()
const nodes: Record<Network, PinnedNode[]> = ofEachNetwork(() => [])
let container: Container
let readAt: Date

beforeAll(async () => {
  const startedAt = Math.floor(Date.now() / 1_000)
  const parameters = new Map<string, string>()
  const start = async (network: Network, count: number): Promise<void> => {
    const feeds = toStandInFeeds(network, feedsOf(network).slice(), startedAt)
    const chain = await startChain({ ...toChainKind(network), feeds })
    started.defer(chain.stop)
    for (let each = 0; each < count; each += 1) nodes[network].push(started.use(await startPinnedNode(chain.rpcUrl)))
    parameters.set(network, nodes[network].map(({ url }) => url).join(' '))
  }
  await Promise.all([start('mainnet', 1), start('testnet', 2)])
  started.defer((await startStubbedStore(parameters)).stop)
  captureConsole()
  container = await startContainer()
  readAt = new Date(startedAt * 1_000 + 12_345)
  vi.useFakeTimers({ toFake: ['Date'], now: readAt })
}, 60_000)

afterAll(async () => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
  await started.disposeAsync()
})

/** Makes a request while the node that is asked first changes its reply. Returns the response, and the correct result. */
async function requestWith(mutation: ReplyMutation, request: Request, send: () => Promise<Outcome>) {
  let first:
    | { reply: MutatedReply; id: number; correct: Decoded | 'out of gas' | undefined; node: PinnedNode }
    | undefined
  for (const node of nodes[request.network]) {
    node.changeNext((call, result) => {
      if (first !== undefined && first.node !== node) return mutateReply(noMutation, call, result).sent
      const reply = mutateReply(mutation, call, result)
      const correct = decodeReference(result as Hex, request)
      first = { reply, id: call.id, correct, node }
      return reply.sent
    })
  }
  const { response, logged } = await send()
  expect(JSON.stringify([response, logged])).not.toMatch(new RegExp(`${canary}|KEY|127\\.0\\.0\\.1|internal`))
  if (first?.correct === undefined || first.correct === 'out of gas') throw new Error('The node has no valid result')
  const expectation = expectationOf(first.reply, first.id, request)
  return { ...expectation, correct: first.correct, status: response.statusCode, body: withoutReasons(response.body) }
}

const toRequest = (network: Network, feeds: readonly Feed[]): Request => ({
  network,
  feeds,
  readAt,
  baseUrl,
})
const anyFeed = (network: Network) => fc.constantFrom(...feedsOf(network))

const statusOf = (body: string) => (body === unavailable ? 503 : body === unreadable ? 502 : 200)
const outcomes = { 200: 'record', 502: 'feed-unreadable', 503: 'chain-unavailable' } as const
const toBody = ({ entries: [entry] }: Decoded) => (entry === 'feed-unreadable' ? unreadable : (entry ?? ''))

test(
  'with one node, a price is what its reply holds, or a problem (D10 to D14, D19, D23, D25)',
  async () => {
    const { count, print } = createCounter()
    const property = fc.asyncProperty(anyFeed('mainnet'), replyMutations, async (feed, mutation) => {
      const send = () => container.getPrice('mainnet', feed.symbol)
      const result = await requestWith(mutation, toRequest('mainnet', [feed]), send)
      const { isRequired, decoded, correct, status, body } = result
      const expected = decoded === undefined ? unavailable : toBody(decoded)
      if (isRequired) expect(body).toBe(expected)
      else expect([unavailable, expected]).toContain(body)
      expect(status).toBe(statusOf(body))
      count(`${outcomes[statusOf(body)]}${body === toBody(correct) ? ', correct' : ''}`)
    })
    await fc.assert(property, toRuns(5_000))
    print('one price, one node')
  },
  toTimeoutMs(5_000),
)

test(
  'with one node, a list is what its reply holds, or a problem (D17, D18, D23)',
  async () => {
    const { count, print } = createCounter()
    const request = toRequest('mainnet', feedsOf('mainnet'))
    const property = fc.asyncProperty(replyMutations, async mutation => {
      const result = await requestWith(mutation, request, () => container.listPrices('mainnet'))
      const { isRequired, isDivided, decoded, correct, status, body } = result
      const whole = isDivided ? correct : decoded
      const expected = whole === undefined ? unavailable : writeList(whole, request)
      const isCorrect = body === writeList(correct, request)
      if (isRequired) expect(body).toBe(expected)
      else if (!isCorrect) expect([unavailable, expected]).toContain(body)
      expect(status).toBe(statusOf(body))
      const isPartial = body !== unavailable && whole?.entries.includes('feed-unreadable')
      count(`${outcomes[statusOf(body)]}${isCorrect ? ', correct' : ''}${isPartial ? ', in part' : ''}`)
    })
    await fc.assert(property, toRuns(1_000))
    print('a list, one node')
  },
  toTimeoutMs(1_000),
)

test(
  'with a healthy node beside a faulty one, there is always a record (D2, D24)',
  async () => {
    const { count, print } = createCounter()
    const property = fc.asyncProperty(
      anyFeed('testnet'),
      fc.boolean(),
      replyMutations,
      async (feed, isList, mutation) => {
        const request = toRequest('testnet', isList ? feedsOf('testnet') : [feed])
        const send = () => (isList ? container.listPrices('testnet') : container.getPrice('testnet', feed.symbol))
        const { decoded, correct, status, body } = await requestWith(mutation, request, send)
        const write = isList ? (one: Decoded) => writeList(one, request) : toBody
        const allowed = [correct, ...(decoded && (isList || toBody(decoded) !== unreadable) ? [decoded] : [])]
        expect(allowed.map(write)).toContain(body)
        expect(status).toBe(200)
        count(body === write(correct) ? 'correct' : 'changed')
      },
    )
    await fc.assert(property, toRuns(1_000))
    print('two nodes')
  },
  toTimeoutMs(1_000),
)

test(
  'rows and records are decoded as the reference decodes them (D10 to D14, D23)',
  async () => {
    const { count, print } = createCounter()
    const results = new Map<Feed, Hex>()
    for (const feed of feedsOf('mainnet')) {
      nodes.mainnet[0]?.changeNext((call, result) => {
        results.set(feed, result as Hex)
        return mutateReply(noMutation, call, result).sent
      })
      await container.getPrice('mainnet', feed.symbol)
    }
    const property = fc.property(anyFeed('mainnet'), mutations, (feed, changes) => {
      const result = mutate(results.get(feed) ?? '0x', changes)
      const rows = decodeOrFault(result, 4)
      expect(rows).toEqual(decodeRowsReference(result, 4))
      const row = rows?.[3]
      const pair = row?.success === true ? decodeOrFault(row.returnData, 2) : undefined
      if (row?.success === true) expect(pair).toEqual(decodeRowsReference(row.returnData, 2))
      const [detail, round] = pair ?? []
      if (detail === undefined || round === undefined) return count('no rows')
      const entry = toEntry(feed, detail, round)
      expect(entry).toBe(decodeFeedReference(feed, [detail, round], { network: 'mainnet', block: 7, readAt }))
      count(entry === 'feed-unreadable' ? entry : 'record')
    })
    fc.assert(property, toRuns(14_000))
    print('decoding alone')
  },
  toTimeoutMs(14_000),
)

function toEntry(feed: Feed, detail: Row, round: Row): string {
  const reading = decodeFeed(detail, round)
  if ('unreadable' in reading) return 'feed-unreadable'
  return JSON.stringify(toPriceRecord(feed, reading, { chain: networkFacts.mainnet.chain, block: 7, readAt }))
}

function decodeOrFault(result: Hex, count: number): readonly Row[] | undefined {
  try {
    return decodeRows(result, count)
  } catch (error) {
    if (error instanceof Fault) return undefined
    throw error
  }
}
