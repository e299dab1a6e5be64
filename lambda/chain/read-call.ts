import { type Address, numberToHex } from 'viem'
import { Fault } from '../faults.ts'
import type { FeedReading, Head, UnreadableFeed } from '../feeds/price-record.ts'
import type { Feed } from '../feeds/registry.ts'
import { type Network, networkFacts } from '../networks.ts'
import { selectors } from './abis.ts'
import { decodeFeed } from './decode-feed.ts'
import { ethCall, type RequestLimits } from './eth-call.ts'
import { type Call, decodeRows, encodeCalls, type Row } from './multicall.ts'

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
  readonly reads: readonly FeedRead[]
}

/** One feed and what it returned. */
export interface FeedRead {
  readonly feed: Feed
  readonly reading: FeedReading | UnreadableFeed
}

/** A block's timestamp may be this far ahead of our clock. */
const maxHeadLeadSeconds = 15

const arbSys = '0x0000000000000000000000000000000000000064'

/**
 * The last row of a call with several feeds: if it succeeds, no feed before it lacked gas.
 *
 * A call forwards 63/64 of its gas, so a feed that exhausts it starves the calls after it, and a starved feed may revert or return something
 * false. This row is the modular exponentiation precompile with a modulus of 1,024 zero bytes and an exponent of 32 bytes: 1.4 million gas
 * (EIP-2565), 8.4 million since Osaka (EIP-7883), and next to no work. A feed uses about 0.1 million.
 *
 * @see https://eips.ethereum.org/EIPS/eip-150
 * @see https://eips.ethereum.org/EIPS/eip-2565
 * @see https://eips.ethereum.org/EIPS/eip-7883
 */
const gasProbe: Call = {
  target: '0x0000000000000000000000000000000000000005',
  callData: `0x${['0', '20', '400', 'f'.repeat(64)].map(word => word.padStart(64, '0')).join('')}`,
}

/**
 * Reads feeds at one endpoint with one self-describing `eth_call`, and verifies it (D23).
 *
 * @param after a reading whose block is read again; without it, the latest block is read
 * @throws {Fault} when the endpoint fails or its answer is not valid
 */
export async function readCall(
  rpcUrl: URL,
  request: ReadRequest,
  after: Reading | undefined,
  limits: RequestLimits,
): Promise<Reading> {
  const multicall = networkFacts[request.network].chain.contracts.multicall3.address
  const calls = [
    ...headCalls(multicall),
    ...request.feeds.map(({ address }) => feedCall(multicall, address)),
    ...(request.feeds.length > 1 ? [gasProbe] : []),
  ]
  const block = after === undefined ? 'latest' : numberToHex(after.head.block)
  const result = await ethCall(rpcUrl, { to: multicall, data: encodeCalls(calls), block }, limits)
  const readAt = new Date()
  const [chainId, time, number, ...rows] = decodeRows(result, calls.length)
  const head = verifyHead(request.network, { chainId, time, number }, readAt)
  if (rows[request.feeds.length]?.success === false) throw new Fault('out-of-gas')
  const reading = {
    ...head,
    reads: request.feeds.map((feed, index) => ({ feed, reading: toFeedReading(rows[index]) })),
  }
  const isSameBlock = after?.head.block === reading.head.block && after.blockTime === reading.blockTime
  if (after !== undefined && !isSameBlock) throw new Fault('wrong-block')
  return reading
}

/** A feed's row holds the rows of its two calls, unless the gas ran out: Multicall3 itself never reverts with data. */
function toFeedReading(row: Row | undefined): FeedReading | UnreadableFeed {
  if (row === undefined || (!row.success && row.returnData !== '0x')) throw new Fault('malformed-result')
  const [detail = row, round = row] = row.success ? decodeRows(row.returnData, 2) : []
  return decodeFeed(detail, round)
}

function headCalls(multicall: Address): Call[] {
  return [
    { target: multicall, callData: selectors.getChainId },
    { target: multicall, callData: selectors.getCurrentBlockTimestamp },
    { target: arbSys, callData: selectors.arbBlockNumber },
  ]
}

/** Both calls of a feed as one: a feed that exhausts its gas leaves enough to return the other rows. */
function feedCall(multicall: Address, feed: Address): Call {
  const calls = [
    { target: feed, callData: selectors.latestDetail },
    { target: feed, callData: selectors.latestRoundData },
  ]
  return { target: multicall, callData: encodeCalls(calls) }
}

/** Checks that the answer comes from the network's chain and from a recent block (D23). */
function verifyHead(
  network: Network,
  { chainId, time, number }: Record<'chainId' | 'time' | 'number', Row | undefined>,
  readAt: Date,
): Pick<Reading, 'head' | 'blockTime'> {
  const { chain, maxHeadAgeSeconds = Number.POSITIVE_INFINITY } = networkFacts[network]
  if (toSafeNumber(chainId) !== chain.id) throw new Fault('wrong-chain')
  const blockTime = toSafeNumber(time)
  const ageSeconds = readAt.getTime() / 1_000 - blockTime
  if (ageSeconds > maxHeadAgeSeconds) throw new Fault('old-head')
  if (ageSeconds < -maxHeadLeadSeconds) throw new Fault('future-head')
  return { head: { chain, block: toSafeNumber(number), readAt }, blockTime }
}

function toSafeNumber(row: Row | undefined): number {
  if (row?.success !== true || row.returnData.length !== 66) throw new Fault('malformed-result')
  const value = Number(row.returnData)
  if (!Number.isSafeInteger(value)) throw new Fault('malformed-result')
  return value
}
