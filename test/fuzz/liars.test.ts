import type { ServerResponse } from 'node:http'
import fc from 'fast-check'
import type { Hex } from 'viem'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { networkFacts, networks } from '../../api/networks.ts'
import type { Reading } from '../../lambda/chain/read-endpoint.ts'
import { attemptMs, readMs } from '../../lambda/timing.ts'
import { concat, encodeOutput, encodeRow, returned, rowWithoutCode, words } from '../support/chain/encoding.ts'
import { blockOf, type FaultyNode, rpcError, startFaultyNode, toReply } from '../support/chain/faulty-node.ts'
import { importReader } from '../support/chain/reader.ts'
import { stopClock } from '../support/clock.ts'
import { feedsOfOneCall } from '../support/feeds.ts'
import { mutate, type ValueOf } from '../support/fuzz/mutate-output.ts'
import { toRuns, toTimeoutMs } from '../support/fuzz/runs.ts'

// Most runs pause before the second round.
vi.mock(import('node:timers/promises'), () => import('../support/chain/pauses.ts'))

/** A block that every honest node has. Their latest blocks are up to ten above it, and move on while they are asked. */
const startBlock = 79_242_031

const digit = fc.record({
  kind: fc.constant('digit' as const),
  feed: fc.nat(20),
  // Any digit of the row, or the last one of the answer.
  at: fc.oneof(fc.nat(13 * 64 - 1), fc.constant(4 * 64 - 1)),
  by: fc.integer({ min: 1, max: 15 }),
})
const lies = fc.oneof(
  { weight: 3, arbitrary: digit },
  fc.record({ kind: fc.constantFrom('fork', 'no contract') }),
  fc.record({
    kind: fc.constantFrom('frozen', 'head that moves above a frozen state'),
    behind: fc.integer({ min: 1, max: 300 }),
  }),
  fc.record({
    kind: fc.constant('block' as const),
    block: fc.oneof(
      fc.constantFrom(0, 1, 2 ** 53 - 1),
      fc.integer({ min: -300, max: 300 }).map(by => startBlock + by),
    ),
  }),
  fc.record({ kind: fc.constant('error' as const) }),
)
const runs = fc
  .record({
    network: fc.constantFrom(...networks),
    isList: fc.boolean(),
    feed: fc.nat(20),
    /** Every feed's answer changes after so many blocks. */
    period: fc.integer({ min: 1, max: 40 }),
    heads: fc.array(fc.nat(10), { minLength: 3, maxLength: 3 }),
    advance: fc.nat(2),
    endpoints: fc.constantFrom(2, 3),
    place: fc.nat(2),
    lie: lies,
    /** Whether the node lies about the latest block, about the one of the second round, or about both. */
    rounds: fc.constantFrom('first', 'second', 'both'),
    /** How an honest node fails once, if it does, and which of them. */
    failure: fc.option(fc.record({ kind: fc.constantFrom('429', '503', 'slow'), after: fc.constantFrom(1, 2) }), {
      freq: 2,
    }),
  })
  .map(run => ({ ...run, place: run.place % run.endpoints }))

type Run = ValueOf<typeof runs>

/** What a node returned. */
interface Output {
  readonly block: number
  readonly time: number
  readonly rows: readonly Hex[]
}

const feedsOfRun = ({ network, isList, feed }: Run) => {
  const feeds = feedsOfOneCall(network)
  return isList ? feeds : feeds.slice(feed % feeds.length).slice(0, 1)
}

/** The answer of a feed at a block. */
const answerAt = (index: number, block: number, { period }: Run): bigint =>
  5_000_000_001n + 1_000n * BigInt(index) + BigInt(Math.floor((block + 3 * index) / period))

/** The state of a block. */
function toTrue(block: number, run: Run): Output {
  const rows = feedsOfRun(run).map((_, index) => {
    const answer = answerAt(index, block, run)
    const detail = words(0, answer, 1_790_984_206, answer / 2n, 2n * 10n ** 18n)
    return encodeRow(returned(detail), returned(words(1, answer, 1_790_984_206, 1_790_984_206, 1)))
  })
  return { block, time: Math.floor(Date.now() / 1_000 - (startBlock + 40 - block) / 10), rows }
}

/** What an honest node returns for this block; undefined for an error. */
const toHonest = (block: number, latest: number, run: Run) => (block > latest ? undefined : toTrue(block, run))

/** What the lying node returns in its place. */
function toLie(block: number, latest: number, run: Run): Output | undefined {
  const { lie } = run
  const truth = toTrue(block, run)
  const changed = lie.kind === 'digit' ? lie.feed % truth.rows.length : 0
  switch (lie.kind) {
    case 'digit':
      return { ...truth, rows: truth.rows.with(changed, mutate(truth.rows[changed] ?? '0x', [lie])) }
    case 'fork':
      return { ...truth, rows: toTrue(block + 1_000_000, run).rows }
    case 'no contract':
      return { ...truth, rows: truth.rows.with(0, rowWithoutCode) }
    case 'frozen':
      return toTrue(startBlock - lie.behind, run)
    case 'head that moves above a frozen state':
      return { ...truth, rows: toTrue(startBlock - lie.behind, run).rows }
    case 'block':
      return { ...toTrue(Math.min(block, latest), run), block: lie.block }
    case 'error':
      return undefined
  }
}

let run: Run
/** The outputs of each node in the current run. */
const sent: readonly Output[][] = [[], [], []]
/** Whether the failure of the current run is still to come. */
let isFailing = false
/** The time that passes while the slow node of the current run is asked. */
let passing: Promise<unknown> | undefined

/** Fails like the current run's honest node. */
function failOnce(response: ServerResponse): void {
  isFailing = false
  if (run.failure?.kind === 'slow') passing = vi.advanceTimersByTimeAsync(attemptMs)
  else response.writeHead(Number(run.failure?.kind)).end()
}

function startNode(index: number): Promise<FaultyNode> {
  return startFaultyNode((response, body) => {
    if (isFailing && index === (run.place + (run.failure?.after ?? 0)) % run.endpoints) return failOnce(response)
    const outputs = sent[index] ?? []
    const latest = startBlock + (run.heads[index] ?? 0) + run.advance * outputs.length
    const tag = blockOf(body)
    const block = tag === 'latest' ? latest : Number(tag)
    const isLie =
      index === run.place && (run.rounds === 'both' || run.rounds === (tag === 'latest' ? 'first' : 'second'))
    const output = isLie ? toLie(block, latest, run) : toHonest(block, latest, run)
    if (output === undefined) return rpcError(-32_000, 'header not found')(response, body)
    outputs.push(output)
    return response.end(
      toReply(body, encodeOutput({ chainId: networkFacts[run.network].chain.id, ...output }, output.rows)),
    )
  })
}

// Anew, because another file may have loaded it in this process with pauses of full length.
const reader = await importReader()
const nodes = await Promise.all([0, 1, 2].map(startNode))
// Every node replies, so no time limit is needed.
beforeAll(stopClock)
afterAll(async () => {
  vi.useRealTimers()
  for (const node of nodes) await node.stop()
})

/** Expects what two nodes returned, one of them honest: the state of a block at or after the one that is named. */
function expectAgreed(reading: Reading): void {
  const agreed = sent.map(outputs => outputs.filter(({ rows }) => concat(...rows).slice(2) === reading.rows))
  expect(agreed.filter(outputs => outputs.length > 0).length, 'nodes that returned these rows').toBeGreaterThan(1)
  const blocks = agreed.filter((_, index) => index !== run.place).flatMap(outputs => outputs.map(({ block }) => block))
  const block = Math.max(...blocks)
  expect(reading.block).toBeLessThanOrEqual(block)
  const answers = reading.feeds.map(feed => ('detail' in feed ? feed.detail.answer : undefined))
  expect(answers).toEqual(feedsOfRun(run).map((_, index) => answerAt(index, block, run)))
  // A single endpoint cannot have an old state read, nor name a block that is far below the state that was read.
  expect(reading.block).toBeGreaterThanOrEqual(startBlock - 100)
}

test(
  'where two endpoints must agree, a liar changes nothing that two honest ones return (D29)',
  async () => {
    const property = fc.asyncProperty(runs, async next => {
      run = next
      for (const outputs of sent) outputs.length = 0
      isFailing = run.failure !== null && run.failure.after < run.endpoints
      const rpcUrls = nodes.slice(0, run.endpoints).map(({ url }) => url)
      const request = { network: run.network, feeds: feedsOfRun(run) }
      const { reading } = await reader.readFeeds(request, {
        rpcUrls,
        agreement: 2,
        deadline: performance.now() + readMs,
      })
      await passing
      const areEnough = run.endpoints === 3 && run.failure === null
      if ('feeds' in reading) expectAgreed(reading)
      else expect(areEnough, 'two honest endpoints are enough').toBe(false)
    })
    await fc.assert(property, toRuns(1_000))
  },
  toTimeoutMs(1_000),
)
