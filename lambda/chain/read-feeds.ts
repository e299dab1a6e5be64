import { setTimeout } from 'node:timers/promises'
import { numberToHex } from 'viem'
import type { Feed } from '../feeds/registry.ts'
import { ChainUnavailable, type EndpointFault, FeedUnreadable } from '../problems.ts'
import { Fault } from './fault.ts'
import { type Course, race } from './race.ts'
import { type Question, type Reading, readChunk } from './read-chunk.ts'

/** How many feeds one `eth_call` reads at the most: far below a node's gas cap, 50 million by default on this chain. */
const maxFeedsPerCall = 100

/**
 * Reads feeds at one block, with one `eth_call`.
 *
 * Calls `latestDetail()` and `latestRoundData()` of each feed through Multicall3, beside the chain id, the block number and the block's
 * time, so that the answer proves where it comes from. More than 100 feeds take further calls, pinned to the first one's block; and so do
 * the feeds from the first on that may have lacked gas.
 *
 * @param deadline on the clock of `performance.now()`
 * @throws {ChainUnavailable} when no endpoint gave a valid answer before the deadline.
 */
export async function readFeeds(
  question: Question,
  rpcUrls: readonly URL[],
  deadline: number,
): Promise<Reading & { readonly course: Course }> {
  // A list takes the first valid answer as it is; the word that one feed is unreadable needs every endpoint's agreement.
  const isSettled = ({ reads }: Reading) =>
    question.feeds.length > 1 || reads.every(({ reading }) => !(reading instanceof FeedUnreadable))
  const read = async (feedsPerCall: number) => {
    const ask = (rpcUrl: URL, signal: AbortSignal) => readFrom(rpcUrl, question, feedsPerCall, signal)
    const { answer, course } = await race(rpcUrls, ask, isSettled, deadline)
    return { ...answer, course }
  }
  try {
    return await read(maxFeedsPerCall)
  } catch (error) {
    // One feed that burns its gas, or says too much, can keep the list from coming home: each by itself cannot.
    if (!(error instanceof ChainUnavailable) || !mayBeOneFeed(error, question)) throw error
    return await again(error.faults, () => read(1))
  }
}

/** Reads once more, and tells of the faults before as well. */
async function again<read extends { readonly course: Course }>(
  before: readonly EndpointFault[],
  readAgain: () => Promise<read>,
): Promise<read> {
  try {
    const reading = await readAgain()
    const { attempts, faults } = reading.course
    const course = { ...reading.course, attempts: before.length + attempts, faults: [...before, ...faults] }
    return { ...reading, course }
  } catch (error) {
    throw error instanceof ChainUnavailable ? new ChainUnavailable([...before, ...error.faults]) : error
  }
}

function mayBeOneFeed({ faults }: ChainUnavailable, { feeds }: Question): boolean {
  return feeds.length > 1 && faults.some(({ kind }) => kind === 'rpc-error' || kind === 'oversized')
}

/**
 * Reads feeds at one endpoint: in one call, and whoever it did not read in calls pinned to its block.
 *
 * Behind a call that was cut short, the first feed is asked by itself, for it may be who cut it, and the others together. Whoever has not
 * been read then is asked by itself. So three requests in a row are enough, whatever the feeds do.
 */
async function readFrom(rpcUrl: URL, question: Question, feedsPerCall: number, signal: AbortSignal): Promise<Reading> {
  const { feeds } = question
  const asked = feeds.slice(0, feedsPerCall)
  const first = await readChunk(rpcUrl, { ...question, feeds: asked }, 'latest', signal)
  const read = new Map(first.reads.map(one => [one.feed, one]))
  const listLeft = () => feeds.filter(feed => !read.has(feed))
  const readOn = async (chunks: readonly (readonly Feed[])[]) => {
    if (chunks.length === 0) return
    const readChunkOn = (chunk: readonly Feed[], both: AbortSignal) =>
      readPinned(rpcUrl, { ...question, feeds: chunk }, first.head.block, both)
    const readings = await allOrNone(chunks, readChunkOn, signal)
    for (const one of readings.flatMap(({ reads }) => reads)) read.set(one.feed, one)
  }

  const left = listLeft()
  const suspects = first.reads.length < asked.length ? 1 : 0
  await readOn([...inChunks(left.slice(0, suspects), 1), ...inChunks(left.slice(suspects), feedsPerCall)])
  await readOn(inChunks(listLeft(), 1))
  return { ...first, reads: feeds.flatMap(feed => read.get(feed) ?? []) }
}

/** Does all at once; when one fails, the others are let go, which nobody needs any more. */
async function allOrNone<item, result>(
  items: readonly item[],
  work: (item: item, signal: AbortSignal) => Promise<result>,
  signal: AbortSignal,
): Promise<result[]> {
  const failed = new AbortController()
  const both = AbortSignal.any([signal, failed.signal])
  try {
    return await Promise.all(items.map(item => work(item, both)))
  } catch (error) {
    failed.abort()
    throw error
  }
}

function inChunks(feeds: readonly Feed[], size: number): (readonly Feed[])[] {
  const count = Math.ceil(feeds.length / size)
  return Array.from({ length: count }, (_, index) => feeds.slice(index * size, (index + 1) * size))
}

/** So often a node is asked again for a block that it does not have, and so long after: one URL may stand for many nodes, some behind. */
const behind = { retries: 4, pauseMs: 100 }

/** Reads feeds at the block that another answer of the same endpoint came from. */
async function readPinned(
  rpcUrl: URL,
  question: Question,
  block: number,
  signal: AbortSignal,
  retries = behind.retries,
): Promise<Reading> {
  try {
    const reading = await readChunk(rpcUrl, question, numberToHex(block), signal)
    if (reading.head.block !== block) throw new Fault('wrong-block')
    return reading
  } catch (error) {
    if (!(error instanceof Fault) || error.kind !== 'rpc-error' || retries === 0) throw error
    await setTimeout(behind.pauseMs)
    return await readPinned(rpcUrl, question, block, signal, retries - 1)
  }
}
