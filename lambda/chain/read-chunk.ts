import type { Address, Hex } from 'viem'
import type { FeedReading, Head } from '../feeds/price-record.ts'
import type { Feed, Network } from '../feeds/registry.ts'
import type { FeedUnreadable } from '../problems.ts'
import { selectors } from './abis.ts'
import { decodeFeed } from './decode-feed.ts'
import { ethCall } from './eth-call.ts'
import { Fault } from './fault.ts'
import { type Call, decodeRows, encodeCalls, type Row } from './multicall.ts'
import { chains } from './networks.ts'

/** What is asked of the endpoints. */
export interface Question {
  readonly network: Network
  readonly feeds: readonly Feed[]
  /** How old the chain's head may be. */
  readonly maxHeadAgeSeconds: number
}

/** Every feed that was asked for, in that order, at one block. */
export interface Reading {
  readonly head: Head
  readonly reads: readonly FeedRead[]
  /** Our clock when the answer arrived, less the block's time; whole blocks share a second. */
  readonly headAgeSeconds: number
}

/** One feed, and what it said. */
interface FeedRead {
  readonly feed: Feed
  readonly reading: FeedReading | FeedUnreadable
}

/** How far a head may be ahead of our clock. */
const maxHeadLeadSeconds = 15

/**
 * An answer's size in bytes, as JSON: some 1,500 a feed in truth, and room for one that reverts with a long text. Asked by itself, a feed
 * may say whatever 50 million gas buy: some 3.5 MB.
 */
const maxBytes = (feeds: number) => (feeds === 1 ? 4_194_304 : 65_536 + 8_192 * feeds)

/**
 * Reads feeds at one endpoint with one `eth_call` that describes itself, and verifies it (D23).
 *
 * @returns the feeds up to the first that may have lacked gas: at least one
 * @throws {Fault} when the endpoint fails, or its answer is not one to be believed.
 */
export async function readChunk(
  rpcUrl: URL,
  question: Question,
  block: Hex | 'latest',
  signal: AbortSignal,
): Promise<Reading> {
  const multicall = chains[question.network].contracts.multicall3.address
  const calls = [...headCalls(multicall), ...question.feeds.map(({ address }) => feedCall(multicall, address))]
  const call = { to: multicall, data: encodeCalls(calls), block }
  const result = await ethCall(rpcUrl, call, { signal, maxBytes: maxBytes(question.feeds.length) })
  const readAt = new Date()
  const [chainId, time, number, ...rows] = decodeRows(result, calls.length)
  return {
    ...verifyHead(question, { chainId, time, number }, readAt),
    reads: toReads(question.feeds, rows),
  }
}

/**
 * Pairs the feeds with what they said, up to the first one behind which there may have been too little gas.
 *
 * A feed that burns its gas leaves a 64th to whoever comes after it, and need not show it. Whoever then has too little fails without a word,
 * which only the first feed of a call says for itself: any other must be asked again, and so must those behind.
 */
function toReads(feeds: readonly Feed[], rows: readonly Row[]): FeedRead[] {
  const reads: FeedRead[] = []
  for (const [index, feed] of feeds.entries()) {
    const row = rows[index]
    if (row === undefined) throw new Fault('malformed-result')
    const [detail, round] = decodeFeedRow(row)
    const isMute = isWordless(detail) || isWordless(round)
    if (isMute && index > 0) break
    reads.push({ feed, reading: decodeFeed(detail, round) })
    if (isMute) break
  }
  return reads
}

/** A feed's row holds the rows of its two calls, unless the feed left nothing to answer with: of itself, a multicall never reverts. */
function decodeFeedRow(row: Row): readonly [Row, Row] {
  if (!row.success && !isWordless(row)) throw new Fault('malformed-result')
  const [detail = row, round = row] = row.success ? decodeRows(row.returnData, 2) : []
  return [detail, round]
}

function isWordless({ success, returnData }: Row): boolean {
  return !success && returnData === '0x'
}

const arbSys = '0x0000000000000000000000000000000000000064'

function headCalls(multicall: Address): Call[] {
  return [
    { target: multicall, callData: selectors.getChainId },
    { target: multicall, callData: selectors.getCurrentBlockTimestamp },
    { target: arbSys, callData: selectors.arbBlockNumber },
  ]
}

/** Both calls of a feed as one: if it burns its gas, it burns its own share alone, and the answer still comes home. */
function feedCall(multicall: Address, feed: Address): Call {
  const calls = [
    { target: feed, callData: selectors.latestDetail },
    { target: feed, callData: selectors.latestRoundData },
  ]
  return { target: multicall, callData: encodeCalls(calls) }
}

/** Checks that the answer comes from the network's chain and from a head of now (D23); tells what it says of both. */
function verifyHead(
  { network, maxHeadAgeSeconds }: Question,
  { chainId, time, number }: Record<'chainId' | 'time' | 'number', Row | undefined>,
  readAt: Date,
): Pick<Reading, 'head' | 'headAgeSeconds'> {
  const chain = chains[network]
  if (toSafeNumber(chainId) !== chain.id) throw new Fault('wrong-chain')
  const headAgeSeconds = readAt.getTime() / 1_000 - toSafeNumber(time)
  if (headAgeSeconds > maxHeadAgeSeconds) throw new Fault('old-head')
  if (headAgeSeconds < -maxHeadLeadSeconds) throw new Fault('future-head')
  return { head: { chain, block: toSafeNumber(number), readAt }, headAgeSeconds }
}

function toSafeNumber(row: Row | undefined): number {
  if (row?.success !== true || row.returnData.length !== 66) throw new Fault('malformed-result')
  const value = Number(row.returnData)
  if (!Number.isSafeInteger(value)) throw new Fault('malformed-result')
  return value
}
