import fc from 'fast-check'
import { afterAll, expect, test, vi } from 'vitest'
import { type Network, toQuery } from '../../api/networks.ts'
import { Problem } from '../../api/problems.ts'
import { encodeFeedReader } from '../../lambda/chain/feed-reader.ts'
import { toPriceList } from '../../lambda/feeds/price-list.ts'
import { toPriceRecord } from '../../lambda/feeds/price-record.ts'
import { type Feed, feedsOf } from '../../lambda/feeds/registry.ts'
import { toCorrectResult } from '../support/chain/correct-node.ts'
import { type FaultyNode, startFaultyNode, toReply } from '../support/chain/faulty-node.ts'
import { baseUrl, captureConsole, startContainer, startStubbedStore } from '../support/container.ts'
import { expectNoLeak } from '../support/faults/expectations.ts'
import type { Mutation } from '../support/fuzz/mutate-output.ts'
import {
  mutateBody,
  noMutation,
  type ReplyMutation,
  replyMutations,
  writeResponse,
} from '../support/fuzz/mutate-reply.ts'
import { type Decoded, decodeOutput, decodeReply, type Request } from '../support/fuzz/reference.ts'
import { toRuns, toTimeoutMs } from '../support/fuzz/runs.ts'

// Thousands of runs pause before the second round.
vi.mock(import('node:timers/promises'), () => import('../support/chain/pauses.ts'))

const started = new AsyncDisposableStack()
const readAt = new Date(1_790_996_345_678)

/** What the node that is asked first does. */
let mutation = noMutation
let askedFirst: FaultyNode | undefined
/** What it replied last: after some faults it is asked again. */
let lastReply = { id: 0, text: '' }

async function startNode(network: Network): Promise<string> {
  const node: FaultyNode = await startFaultyNode((response, body) => {
    const correct = toCorrectResult(network, body)
    askedFirst ??= node
    if (askedFirst !== node) return response.end(toReply(body, correct))
    const { id }: { id: number } = JSON.parse(body)
    const changed = mutateBody(mutation, id, correct)
    lastReply = { id, text: changed.toString() }
    if (mutation.http === undefined) return response.end(changed)
    return response.socket?.end(writeResponse(mutation.http, changed))
  })
  started.use(node)
  return node.url.href
}

// Every reply ends, so no time limit is needed.
vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout', 'performance'], now: readAt })
const urls = await Promise.all((['mainnet', 'testnet', 'testnet'] as const).map(startNode))
const parameters = new Map([
  ['mainnet', urls.slice(0, 1).join(' ')],
  ['testnet', urls.slice(1).join(' ')],
])
started.defer((await startStubbedStore(parameters)).stop)
captureConsole()
const container = await startContainer()

afterAll(async () => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
  await started.disposeAsync()
})

/** What the correct output for a request holds. */
function toCorrect(request: Request): Decoded {
  const data = encodeFeedReader(request.feeds.map(({ address }) => address))
  const output = toCorrectResult(request.network, JSON.stringify({ params: [{ data }] }))
  const decoded = decodeOutput(output, request)
  if (decoded === undefined) throw new Error('The correct output is not valid')
  return decoded
}

const requests = fc
  .record({
    /** The mainnet has one node, the testnet has two. */
    network: fc.constantFrom('mainnet', 'mainnet', 'mainnet', 'testnet'),
    isList: fc.constantFrom(false, false, false, true),
    feed: fc.nat(100),
  })
  // A mutation is of one call.
  .map(({ isList, ...request }) => ({
    ...request,
    isList,
  }))

/** Splits a body into texts that each begin with the name of a field. */
const toFields = (body?: string) => body?.split(/,(?=")/)

/** Removes the reasons of problems from a body. */
const withoutReasons = (body: object | string): string =>
  (typeof body === 'string' ? body : JSON.stringify(body)).replace(/"detail":"[\w(), :.]+"/g, '"detail":"…"')

const unavailable = withoutReasons(new Problem('chain-unavailable').document)
const unreadable = withoutReasons(new Problem('feed-unreadable', { reason: 'a reason' }).document)
const statusOf = (body: string) => (body === unavailable ? 503 : body === unreadable ? 502 : 200)

/** The body of the list, or of the price of its only feed. */
function toBody(network: Network, isList: boolean, read: Decoded): string {
  const toUrl = ({ symbol }: Feed) => `${baseUrl}/price/${symbol}${toQuery(network)}`
  if (isList) return withoutReasons(toPriceList(read, read.feeds, toUrl))
  const [feed] = read.feeds
  return feed === undefined || 'unreadable' in feed ? unreadable : withoutReasons(toPriceRecord(feed, read))
}

test(
  'served is what the first reply holds, or else what a second node returns, or else a problem',
  async () => {
    const property = fc.asyncProperty(requests, replyMutations, async ({ network, isList, feed }, changed) => {
      const feeds = feedsOf(network)
      const single = feeds[feed % feeds.length] as Feed
      const request = { network, feeds: isList ? feeds : [single], readAt }
      mutation = changed
      askedFirst = undefined
      const outcome = await (isList ? container.listPrices(network) : container.getPrice(network, single.symbol))
      expectNoLeak(outcome, [])

      const { status, headers } = changed.http ?? { status: 200, headers: [] }
      // A response of status 204 has no body.
      const hasBody = status >= 200 && status < 300 && status !== 204
      const decoded = hasBody ? decodeReply(lastReply.text, lastReply.id, request) : undefined
      const correct = toBody(network, isList, toCorrect(request))
      const otherwise = network === 'mainnet' ? unavailable : correct
      const held = decoded === undefined ? otherwise : toBody(network, isList, decoded)
      // Every node is asked before a price is unreadable.
      const expected = held === unreadable && network === 'testnet' ? correct : held
      const body = withoutReasons(outcome.response.body)
      // With unusual HTTP, a valid reply may be refused.
      const isRefused = headers.length > 0 && body === otherwise
      expect(toFields(body)).toEqual(toFields(isRefused ? otherwise : expected))
      expect(outcome.response.statusCode).toBe(statusOf(body))
    })
    // A buffer would omit the last digit.
    const oddDigits: Mutation[] = [
      { kind: 'truncate', at: 1_021 },
      { kind: 'append', at: 0, bytes: '0000' },
    ]
    const examples: [{ network: Network; isList: boolean; feed: number }, ReplyMutation][] = [
      [
        { network: 'mainnet', isList: false, feed: 0 },
        { ...noMutation, output: oddDigits },
      ],
    ]
    await fc.assert(property, { ...toRuns(6_000), examples })
  },
  toTimeoutMs(6_000),
)
