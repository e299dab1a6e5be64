import { numberToHex } from 'viem'
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
 * the feeds behind one that may have burnt the gas.
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
    // One feed that burns its gas can leave too little for the list to come home: each by itself cannot.
    if (!(error instanceof ChainUnavailable) || !mayBeOutOfGas(error, question)) throw error
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

function mayBeOutOfGas({ faults }: ChainUnavailable, { feeds }: Question): boolean {
  return feeds.length > 1 && faults.some(({ kind }) => kind === 'rpc-error')
}

async function readFrom(rpcUrl: URL, question: Question, feedsPerCall: number, signal: AbortSignal): Promise<Reading> {
  const { feeds } = question
  const chunkFrom = (start: number) => ({ ...question, feeds: feeds.slice(start, start + feedsPerCall) })
  const first = await readChunk(rpcUrl, chunkFrom(0), 'latest', signal)
  const reads = [...first.reads]
  while (reads.length < feeds.length) {
    const next = await readChunk(rpcUrl, chunkFrom(reads.length), numberToHex(first.head.block), signal)
    if (next.head.block !== first.head.block) throw new Fault('wrong-block')
    reads.push(...next.reads)
  }
  return { ...first, reads }
}
