import { Fault } from '../faults.ts'
import type { FeedReading, Head, UnreadableFeed } from '../feeds/price-record.ts'
import type { Feed } from '../feeds/registry.ts'
import { type Network, networkFacts } from '../networks.ts'
import { decodeFeed, noContract } from './decode-feed.ts'
import { ethCall } from './eth-call.ts'
import { encodeFeedReader, maxFeedsPerCall, rowAt, splitOutput } from './feed-reader.ts'

/** Which feeds are read. */
export interface ReadRequest {
  readonly network: Network
  readonly feeds: readonly Feed[]
}

/** Every feed of a request, in its order, at one block. */
export interface Reading {
  readonly head: Head
  /** The block's timestamp in Unix seconds. About ten blocks share one. */
  readonly blockTime: number
  readonly feeds: readonly (FeedReading | UnreadableFeed)[]
  /** What the feeds returned, as the endpoint returned it: equal for two endpoints that agree (D29). */
  readonly rows: string
}

/** A block's timestamp may be this far ahead of our clock. */
const maxHeadLeadSeconds = 15

/**
 * Reads feeds at one endpoint, as a rule with one `eth_call`.
 *
 * More feeds than one call can return are read in further calls, at the block of the first.
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
  const readings = [first]
  for (let next = maxFeedsPerCall; next < feeds.length; next += maxFeedsPerCall) {
    const request = { network, feeds: feeds.slice(next, next + maxFeedsPerCall) }
    const reading = await readCall(rpcUrl, request, first.head.block, signal)
    if (reading.blockTime !== first.blockTime) throw new Fault('wrong-block')
    readings.push(reading)
  }
  const read = readings.flatMap(reading => reading.feeds)
  if (read.length > 1 && read.every(isWithoutCode)) throw new Fault('no-state')
  return { ...first, feeds: read, rows: readings.map(({ rows }) => rows).join('') }
}

/** Whether the endpoint found no contract at the feed's address. */
export function isWithoutCode(feed: FeedReading | UnreadableFeed): boolean {
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
    head: { chain, block, readAt },
    blockTime,
    feeds: feeds.map((feed, index) => decodeFeed(feed, rowAt(rows, index))),
    rows,
  }
}
