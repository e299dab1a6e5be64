import { type AbiParameter, decodeAbiParameters, encodeAbiParameters, type Hex } from 'viem'
import { networkFacts } from '../../../api/networks.ts'
import type { Detail, FailedReading, FeedReading, ReadBlock, RoundData } from '../../../lambda/feeds/price-record.ts'
import type { Feed } from '../../../lambda/feeds/registry.ts'
import { feedAbi } from '../chain/feed-abi.ts'

/** What the service must accept of the networks whose requests are fuzzed. */
const references = {
  mainnet: { chainId: 4663, maxHeadAgeMs: 60_000 },
  testnet: { chainId: 46630, maxHeadAgeMs: Number.POSITIVE_INFINITY },
}

/** A request to the service, and when it is read. */
export interface Request {
  readonly network: keyof typeof references
  readonly feeds: readonly Feed[]
  readonly readAt: Date
}

/** The feeds in a result, at one block. */
export interface Decoded extends ReadBlock {
  readonly feeds: readonly (FeedReading | FailedReading)[]
}

const statuses = ['OK', 'Market closed', 'Stale', 'Oracle paused', 'Straddle', 'Corporate action', 'No data'] as const

/**
 * Decodes the text of a JSON-RPC reply with this id by the decisions alone (D10 to D14, D19, D23), independently of the
 * service.
 *
 * @returns undefined for a reply that is not valid
 */
export function decodeReply(text: string, id: number, request: Request): Decoded | undefined {
  if (Buffer.byteLength(text) > 65_536) return undefined
  const { id: repliedId, error = null, result } = parseFields(text.replace(/^\u{feff}/u, ''))
  if (repliedId !== id || error !== null) return undefined
  const isHex = typeof result === 'string' && /^0x([\da-fA-F]{2})*$/.test(result)
  return isHex ? decodeOutput(`0x${result.slice(2)}`, request) : undefined
}

/** Parses the fields of a JSON-RPC reply, of which any other text has none. */
function parseFields(text: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}

const [latestDetail, latestRoundData] = feedAbi
const [wordBytes, blockBytes, rowBytes, callBytes, outputBytes] = [32, 96, 416, 192, 160]

/**
 * Decodes an output of the program.
 *
 * @returns undefined for an output that the program cannot have returned for these feeds
 */
export function decodeOutput(output: Hex, request: Request): Decoded | undefined {
  const { network, feeds, readAt } = request
  const bytes = Buffer.from(output.slice(2), 'hex')
  // A buffer omits half a byte at the end, so digits are counted.
  if (output.length !== 2 + 2 * (blockBytes + feeds.length * rowBytes)) return undefined
  const [chainId, time, block] = [0, 1, 2].map(index => toSafeNumber(take(bytes, index * wordBytes, wordBytes)))
  if (chainId === undefined || time === undefined || block === undefined) return undefined
  const ageMs = readAt.getTime() - time * 1_000
  const { chainId: expected, maxHeadAgeMs } = references[network]
  if (chainId !== expected || ageMs > maxHeadAgeMs || ageMs < -15_000) return undefined
  const read: (FeedReading | FailedReading)[] = []
  for (const [index, feed] of feeds.entries()) {
    const row = decodeRow(take(bytes, blockBytes + index * rowBytes, rowBytes))
    if (row === undefined) return undefined
    read.push({ feed, ...row })
  }
  const isWithoutState = read.length > 1 && read.every((_, index) => isWithoutCode(bytes, index))
  return isWithoutState ? undefined : { chain: networkFacts[network].chain, block, readAt, feeds: read }
}

function isWithoutCode(bytes: Buffer, index: number): boolean {
  return take(bytes, blockBytes + index * rowBytes, wordBytes).every(byte => byte === 0)
}

type Row = Omit<FeedReading, 'feed'> | Omit<FailedReading, 'feed'> | undefined

/** The reason is not compared. */
const failed = { unreadable: 'a reason' }

function decodeRow(row: Buffer): Row {
  const codeSize = toSafeNumber(take(row, 0, wordBytes))
  const [detailCall, roundCall] = [0, 1].map(index => decodeCall(take(row, wordBytes + index * callBytes, callBytes)))
  if (codeSize === undefined || detailCall === undefined || roundCall === undefined) return undefined
  // A precompile has no code, and may return data.
  if (codeSize === 0) return failed
  const detail = decodeDetail(detailCall)
  return detail === undefined ? failed : { detail, roundData: decodeRoundData(roundCall) }
}

interface Call {
  readonly success: boolean
  readonly size: number
  /** The first 160 bytes. */
  readonly output: Hex
}

function decodeCall(bytes: Buffer): Call | undefined {
  const [success, size] = [toSafeNumber(take(bytes, 0, 16)), toSafeNumber(take(bytes, 16, 16))]
  if (success === undefined || success > 1 || size === undefined) return undefined
  const length = Math.min(size, outputBytes)
  if (bytes.subarray(wordBytes + length).some(byte => byte !== 0)) return undefined
  return { success: success === 1, size, output: `0x${take(bytes, wordBytes, length).toString('hex')}` }
}

function decodeDetail(call: Call): Detail | undefined {
  const [quote, sharePrice, multiplier] = decodeCanonical(latestDetail.outputs, call) ?? []
  if (quote === undefined || sharePrice === undefined || multiplier === undefined) return undefined
  const observedAt = Number(quote.observedAt)
  const status = statuses[quote.status]
  if (status === undefined || observedAt * 1_000 > Date.UTC(9999, 11, 31, 23, 59, 59)) return undefined
  return { status, answer: quote.answer, observedAt, sharePrice, multiplier }
}

function decodeRoundData(call: Call): RoundData {
  if (!call.success) return { reverts: nameRevert(call.output) }
  const [, answer] = decodeCanonical(latestRoundData.outputs, call) ?? []
  return answer === undefined ? 'malformed' : { answer }
}

/** Decodes what a function returned with viem; undefined unless it is the encoding of five words. */
function decodeCanonical<const outputs extends readonly AbiParameter[]>(
  outputs: outputs,
  { success, size, output }: Call,
) {
  if (!success || size !== outputBytes) return undefined
  try {
    const values = decodeAbiParameters(outputs, output)
    return encodeAbiParameters<readonly AbiParameter[]>(outputs, values) === output ? values : undefined
  } catch {
    return undefined
  }
}

function nameRevert(output: Hex): string {
  const selector = output.slice(0, 10)
  const names = {
    '0xe3f18fa8': 'FeedUnavailable',
    '0xc4e5ad09': 'NoHistory',
    '0x08c379a0': 'Error',
    '0x4e487b71': 'Panic',
  }
  return new Map(Object.entries(names)).get(selector) ?? (selector.length < 10 ? 'unnamed' : selector)
}

function take(bytes: Buffer, at: number, length: number): Buffer {
  return bytes.subarray(at, at + length)
}

/** Decodes a number below 2^53. */
function toSafeNumber(bytes: Buffer): number | undefined {
  const value = BigInt(`0x${bytes.toString('hex')}`)
  return value < 2n ** 53n ? Number(value) : undefined
}
