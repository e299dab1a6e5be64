import fc from 'fast-check'
import type { Hex } from 'viem'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { decodeFeed } from '../../lambda/chain/decode-feed.ts'
import { encodeFeedReader, rowAt, splitOutput } from '../../lambda/chain/feed-reader.ts'
import { Fault } from '../../lambda/faults.ts'
import { toPriceRecord } from '../../lambda/feeds/price-record.ts'
import { type Feed, feedsOf } from '../../lambda/feeds/registry.ts'
import { type Network, networkFacts } from '../../lambda/networks.ts'
import { canary, type FaultyNode, startFaultyNode, toReply } from '../support/chain/faulty-node.ts'
import { toCorrectResult } from '../support/chain/keyed-node.ts'
import {
  baseUrl,
  type Container,
  captureConsole,
  type Outcome,
  startContainer,
  startStubbedStore,
} from '../support/container.ts'
import { type Decoded, type Request, unavailable, unreadable, writeList } from '../support/fuzz/bodies.ts'
import { mutate, mutations } from '../support/fuzz/mutate-output.ts'
import {
  type MutatedReply,
  mutateReply,
  noMutation,
  type ReplyMutation,
  replyMutations,
} from '../support/fuzz/mutate-reply.ts'
import { decodeOutput, decodeReply } from '../support/fuzz/reference.ts'
import { createCounter, toRuns, toTimeoutMs } from '../support/fuzz/runs.ts'

// Thousands of runs pause before the second round.
vi.mock(import('node:timers/promises'), async load =>
  (await import('../support/chain/pauses.ts')).shortenPauses(await load()),
)

const started = new AsyncDisposableStack()
const readAt = new Date(1_790_996_345_678)
let container: Container

/** What the node that is asked first does. */
let mutation = noMutation
let askedFirst: FaultyNode | undefined
/** What it did, last: after some faults it is asked again. */
const replies: { readonly reply: MutatedReply; readonly id: number }[] = []

async function startNode(network: Network): Promise<string> {
  const node: FaultyNode = await startFaultyNode((response, body) => {
    const correct = toCorrectResult(network, body)
    askedFirst ??= node
    if (askedFirst !== node) return response.end(toReply(body, correct))
    const { id }: { id: number } = JSON.parse(body)
    const reply = mutateReply(mutation, id, correct)
    replies.push({ reply, id })
    return (reply.isPlain ? response : response.socket)?.end(reply.sent)
  })
  started.use(node)
  return node.url.href
}

beforeAll(async () => {
  // Every reply ends, so no time limit is needed.
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout', 'performance'], now: readAt })
  const urls = await Promise.all((['mainnet', 'testnet', 'testnet'] as const).map(startNode))
  const parameters = new Map([
    ['mainnet', urls.slice(0, 1).join(' ')],
    ['testnet', urls.slice(1).join(' ')],
  ])
  started.defer((await startStubbedStore(parameters)).stop)
  captureConsole()
  container = await startContainer()
})

afterAll(async () => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
  await started.disposeAsync()
})

const toRequest = (network: Network, feeds: readonly Feed[]): Request => ({ network, feeds, readAt, baseUrl })
const anyFeed = (network: Network) => fc.constantFrom(...feedsOf(network))

/** The correct output for a request. */
function toOutput({ network, feeds }: Request): Hex {
  const data = encodeFeedReader(feeds.map(({ address }) => address))
  return toCorrectResult(network, JSON.stringify({ params: [{ data }] }))
}

/** What the correct output holds. */
function toCorrect(request: Request): Decoded {
  const decoded = decodeOutput(toOutput(request), request)
  if (decoded === undefined) throw new Error('The correct output is not valid')
  return decoded
}

/** Makes a request while the node that is asked first changes its reply. */
async function requestWith(changed: ReplyMutation, request: Request, send: () => Promise<Outcome>) {
  mutation = changed
  askedFirst = undefined
  replies.length = 0
  const { response, logged } = await send()
  expect(JSON.stringify([response, logged])).not.toMatch(new RegExp(`${canary}|KEY|127\\.0\\.0\\.1|internal`))
  const { reply, id } = replies.at(-1) ?? { reply: undefined, id: 0 }
  if (reply === undefined) throw new Error('No node was asked')
  const decoded = reply.status === 200 ? decodeReply(reply.text, id, request) : undefined
  // With unusual HTTP, a valid reply may be refused.
  return {
    isRequired: reply.framing === 'clear',
    decoded,
    status: response.statusCode,
    body: withoutReasons(response.body),
  }
}

/** Removes the reasons from a body that are sentences of our own. */
const withoutReasons = (body: string): string => body.replace(sentences, '"detail":"…"')

const reasons = [
  'latestDetail\\(\\) reverted with (FeedUnavailable|NoHistory|Error|Panic|an unnamed error|0x[0-9a-f]{8})',
  'latestDetail\\(\\) reverted or ran out of gas',
  'latestDetail\\(\\) returned (malformed|no) data',
  'no contract is at its address',
  'its status is none of the seven',
  'it observed its price after the year 9999',
]
const sentences = new RegExp(
  `"detail":"(The chain answered, but this feed cannot be read: (${reasons.join('|')})\\.|` +
    'No valid answer came from the chain in time. This says nothing about any feed.)"',
  'g',
)

const statusOf = (body: string) => (body === unavailable ? 503 : body === unreadable ? 502 : 200)
const outcomes = { 200: 'record', 502: 'feed-unreadable', 503: 'chain-unavailable' } as const
const toBody = ({ entries: [entry] }: Decoded) => (entry === 'feed-unreadable' ? unreadable : (entry ?? ''))

test(
  'with one node, a price is what its reply holds, or a problem (D10 to D14, D19, D23, D25)',
  async () => {
    const { count, print } = createCounter()
    const property = fc.asyncProperty(anyFeed('mainnet'), replyMutations, async (feed, changed) => {
      const request = toRequest('mainnet', [feed])
      const send = () => container.getPrice('mainnet', feed.symbol)
      const { isRequired, decoded, status, body } = await requestWith(changed, request, send)
      const expected = decoded === undefined ? unavailable : toBody(decoded)
      if (isRequired) expect(body).toBe(expected)
      else expect([unavailable, expected]).toContain(body)
      expect(status).toBe(statusOf(body))
      count(`${outcomes[statusOf(body)]}${body === toBody(toCorrect(request)) ? ', correct' : ''}`)
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
    const correct = writeList(toCorrect(request), request)
    const property = fc.asyncProperty(replyMutations, async changed => {
      const send = () => container.listPrices('mainnet')
      const { isRequired, decoded, status, body } = await requestWith(changed, request, send)
      const expected = decoded === undefined ? unavailable : writeList(decoded, request)
      if (isRequired) expect(body).toBe(expected)
      else expect([unavailable, expected]).toContain(body)
      expect(status).toBe(statusOf(body))
      const isPartial = body !== unavailable && decoded?.entries.includes('feed-unreadable')
      count(`${outcomes[statusOf(body)]}${body === correct ? ', correct' : ''}${isPartial ? ', in part' : ''}`)
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
      async (feed, isList, changed) => {
        const request = toRequest('testnet', isList ? feedsOf('testnet') : [feed])
        const send = () => (isList ? container.listPrices('testnet') : container.getPrice('testnet', feed.symbol))
        const { decoded, status, body } = await requestWith(changed, request, send)
        const write = isList ? (one: Decoded) => writeList(one, request) : toBody
        const correct = write(toCorrect(request))
        const isServed = decoded !== undefined && (isList || toBody(decoded) !== unreadable)
        expect(isServed ? [correct, write(decoded)] : [correct]).toContain(body)
        expect(status).toBe(200)
        count(body === correct ? 'correct' : 'changed')
      },
    )
    await fc.assert(property, toRuns(1_000))
    print('two nodes')
  },
  toTimeoutMs(1_000),
)

test(
  'an output is decoded as the reference decodes it (D10 to D14, D23)',
  () => {
    const { count, print } = createCounter()
    const property = fc.property(anyFeed('mainnet'), mutations, (feed, changes) => {
      const request = toRequest('mainnet', [feed])
      const output = mutate(toOutput(request), changes)
      const decoded = decodeOutput(output, request)
      const entry = decodeHere(feed, output)
      expect(entry).toBe(decoded?.entries[0])
      count(entry === undefined ? 'not valid' : entry === 'feed-unreadable' ? entry : 'record')
    })
    fc.assert(property, toRuns(14_000))
    print('decoding alone')
  },
  toTimeoutMs(14_000),
)

/** Decodes an output of one feed by the modules of the service. */
function decodeHere(feed: Feed, output: Hex): string | undefined {
  try {
    const { chainId, blockTime, block, rows } = splitOutput(output, 1)
    const { chain } = networkFacts.mainnet
    const reading = decodeFeed(feed, rowAt(rows, 0))
    const ageSeconds = readAt.getTime() / 1_000 - blockTime
    if (chainId !== chain.id || ageSeconds > 60 || ageSeconds < -15) return undefined
    return 'unreadable' in reading
      ? 'feed-unreadable'
      : JSON.stringify(toPriceRecord(reading, { chain, block, readAt }))
  } catch (error) {
    if (error instanceof Fault) return undefined
    throw error
  }
}
