import { type Address, encodeFunctionData, type Hex, numberToHex } from 'viem'
import type { FeedReading, Head } from '../feeds/price-record.ts'
import type { Feed, Network } from '../feeds/registry.ts'
import { FeedUnreadable } from '../problems.ts'
import { arbSysAbi, feedAbi, multicallAbi } from './abis.ts'
import { decodeFeed } from './decode-feed.ts'
import { ethCall } from './eth-call.ts'
import { Fault } from './fault.ts'
import { type Call, decodeRows, encodeCalls, type Row } from './multicall.ts'
import { chains } from './networks.ts'
import { type Course, race } from './race.ts'

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

/** How many feeds one `eth_call` reads: far below a node's gas cap, 50 million by default on this chain. */
const maxFeedsPerCall = 100

/** How far a head may be ahead of our clock. */
const maxHeadLeadSeconds = 15

/** An answer's size in bytes, as JSON: some 600 a row in truth, and room for a feed that reverts with a long text. */
const maxBytes = (rows: number) => 65_536 + 4_096 * rows

/** What is asked of the endpoints. */
export interface Question {
  readonly network: Network
  readonly feeds: readonly Feed[]
  /** How old the chain's head may be. */
  readonly maxHeadAgeSeconds: number
}

/**
 * Reads feeds at one block, with one `eth_call`.
 *
 * Calls `latestDetail()` and `latestRoundData()` of each feed through Multicall3, beside the chain id, the block number and the block's
 * time, so that the answer proves where it comes from. More than 100 feeds take further calls, pinned to the first one's block.
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
  const ask = (rpcUrl: URL, signal: AbortSignal) => readFrom(rpcUrl, question, signal)
  const { answer, course } = await race(rpcUrls, ask, isSettled, deadline)
  return { ...answer, course }
}

async function readFrom(rpcUrl: URL, question: Question, signal: AbortSignal): Promise<Reading> {
  const { feeds } = question
  const chunkFrom = (start: number) => ({ ...question, feeds: feeds.slice(start, start + maxFeedsPerCall) })
  const first = await readChunk(rpcUrl, chunkFrom(0), 'latest', signal)
  const reads = [...first.reads]
  while (reads.length < feeds.length) {
    const next = await readChunk(rpcUrl, chunkFrom(reads.length), numberToHex(first.head.block), signal)
    if (next.head.block !== first.head.block) throw new Fault('wrong-block')
    reads.push(...next.reads)
  }
  return { ...first, reads }
}

async function readChunk(
  rpcUrl: URL,
  question: Question,
  block: Hex | 'latest',
  signal: AbortSignal,
): Promise<Reading> {
  const multicall = chains[question.network].contracts.multicall3.address
  const calls = [...headCalls(multicall), ...question.feeds.flatMap(feedCalls)]
  const call = { to: multicall, data: encodeCalls(calls), block }
  const result = await ethCall(rpcUrl, call, { signal, maxBytes: maxBytes(calls.length) })
  const readAt = new Date()
  const [chainId, time, number, ...rows] = decodeRows(result, calls.length)
  return {
    ...verifyHead(question, { chainId, time, number }, readAt),
    reads: question.feeds.map((feed, index) => {
      const reading = decodeFeed(rowAt(rows, 2 * index), rowAt(rows, 2 * index + 1))
      return { feed, reading }
    }),
  }
}

const arbSys = '0x0000000000000000000000000000000000000064'
const getChainId = encodeFunctionData({ abi: multicallAbi, functionName: 'getChainId' })
const getTime = encodeFunctionData({ abi: multicallAbi, functionName: 'getCurrentBlockTimestamp' })
const getNumber = encodeFunctionData({ abi: arbSysAbi, functionName: 'arbBlockNumber' })
const getDetail = encodeFunctionData({ abi: feedAbi, functionName: 'latestDetail' })
const getRound = encodeFunctionData({ abi: feedAbi, functionName: 'latestRoundData' })

function headCalls(multicall: Address): Call[] {
  return [
    { target: multicall, callData: getChainId },
    { target: multicall, callData: getTime },
    { target: arbSys, callData: getNumber },
  ]
}

function feedCalls({ address }: Feed): Call[] {
  return [
    { target: address, callData: getDetail },
    { target: address, callData: getRound },
  ]
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

function rowAt(rows: readonly Row[], index: number): Row {
  const row = rows[index]
  if (row === undefined) throw new Fault('malformed-result')
  return row
}
