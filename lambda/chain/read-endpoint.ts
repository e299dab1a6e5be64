import { type Network, networkFacts } from '../../api/networks.ts'
import { Fault } from '../faults.ts'
import type { FailedReading, FeedReading, ReadBlock } from '../feeds/price-record.ts'
import type { Feed } from '../feeds/registry.ts'
import { decodeFeed, noContract } from './decode-feed.ts'
import { ethCall } from './eth-call.ts'
import { encodeFeedReader, maxFeedsPerCall, rowAt, splitOutput } from './feed-reader.ts'

export interface ReadRequest {
  readonly network: Network
  readonly feeds: readonly Feed[]
}

/** Every feed of a request, in its order, at one block. */
export interface Reading extends ReadBlock {
  /** The block's timestamp in Unix seconds. */
  readonly blockTime: number
  readonly feeds: readonly (FeedReading | FailedReading)[]
  /** What the feeds returned, as the endpoint returned it: equal for two endpoints that agree. */
  readonly rows: string
}

/** A block's timestamp may be this far ahead of our clock. */
const maxHeadLeadSeconds = 15

/**
 * Reads feeds at one endpoint, as a rule with one `eth_call`.
 *
 * More feeds than one call can return are read in further calls, at the block of the first, several at once.
 *
 * @param block the number of the block to read; without it, the latest block
 * @throws {Fault} when the endpoint fails or what it returned is not valid
 */
export async function readEndpoint(
  rpcUrl: URL,
  { network, feeds }: ReadRequest,
  block: number | undefined,
  signal: AbortSignal,
): Promise<Reading> {
  const first = await readCall(rpcUrl, { network, feeds: feeds.slice(0, maxFeedsPerCall) }, block, signal)
  const further = await readFurther(rpcUrl, { network, feeds: feeds.slice(maxFeedsPerCall) }, first, signal)
  const readings = [first, ...further]
  const read = readings.flatMap(reading => reading.feeds)
  if (read.length > 1 && read.every(isWithoutCode)) throw new Fault('no-state')
  return { ...first, feeds: read, rows: readings.map(({ rows }) => rows).join('') }
}

const maxParallelCalls = 4

/** Reads the feeds that the first call had no room for, at its block. The first fault ends all of the calls. */
async function readFurther(
  rpcUrl: URL,
  { network, feeds }: ReadRequest,
  { block, blockTime }: Reading,
  signal: AbortSignal,
): Promise<readonly Reading[]> {
  if (feeds.length === 0) return []
  const calls = Array.from({ length: Math.ceil(feeds.length / maxFeedsPerCall) }, (_, index) => index)
  const readings: Reading[] = []
  const left = calls.values()
  const failed = new AbortController()
  const either = AbortSignal.any([signal, failed.signal])

  // Runs several times in parallel. Each run takes the next call when its last call has returned.
  const readNext = async (): Promise<void> => {
    for (const call of left) {
      const ofCall = feeds.slice(call * maxFeedsPerCall, (call + 1) * maxFeedsPerCall)
      const reading = await readCall(rpcUrl, { network, feeds: ofCall }, block, either)
      if (reading.blockTime !== blockTime) throw new Fault('wrong-block')
      readings[call] = reading
    }
  }
  try {
    await Promise.all(calls.slice(0, maxParallelCalls).map(readNext))
  } finally {
    failed.abort()
  }
  return readings
}

export function isWithoutCode(feed: FeedReading | FailedReading): boolean {
  return 'unreadable' in feed && feed.unreadable === noContract
}

/** Reads the feeds of one call, and verifies that the output is of the network's chain and of a recent block (D23). */
async function readCall(
  rpcUrl: URL,
  { network, feeds }: ReadRequest,
  pinned: number | undefined,
  signal: AbortSignal,
): Promise<Reading> {
  const { chain, maxHeadAgeSeconds = Number.POSITIVE_INFINITY } = networkFacts[network]
  const initCode = encodeFeedReader(feeds.map(({ address }) => address))
  const output = await ethCall(rpcUrl, initCode, pinned === undefined ? 'latest' : `0x${pinned.toString(16)}`, signal)
  const readAt = new Date()
  const { chainId, blockTime, block, rows } = splitOutput(output, feeds.length)
  if (chainId !== chain.id) throw new Fault('wrong-chain')
  const ageSeconds = readAt.getTime() / 1_000 - blockTime
  if (ageSeconds > maxHeadAgeSeconds) throw new Fault('old-head')
  if (ageSeconds < -maxHeadLeadSeconds) throw new Fault('future-head')
  if (pinned !== undefined && block !== pinned) throw new Fault('wrong-block')
  return {
    chain,
    block,
    readAt,
    blockTime,
    feeds: feeds.map((feed, index) => decodeFeed(feed, rowAt(rows, index))),
    rows,
  }
}
