import type { Hex } from 'viem'
import type { Row } from '../../lambda/chain/multicall.ts'
import type { Feed } from '../../lambda/feeds/registry.ts'
import { decodeResult, encodeRows } from '../chain/encoding.ts'
import {
  type Decoded,
  type Detail,
  type Entry,
  type Head,
  type Request,
  type Round,
  referenceOf,
  writeRecord,
} from './bodies.ts'

/**
 * Decodes a result of `aggregate3` by the decisions alone (D10 to D14, D19, D23), independently of the service.
 *
 * @returns undefined for an invalid result, `out of gas` when a feed may have lacked gas (D17)
 */
export function decodeReference(result: Hex, request: Request): Decoded | 'out of gas' | undefined {
  const { network, feeds, readAt } = request
  const rows = decodeRowsReference(result, 3 + feeds.length + (feeds.length > 1 ? 1 : 0))
  const [chainId, time, block] = (rows ?? []).slice(0, 3).map(toSafeNumber)
  if (rows === undefined || chainId === undefined || time === undefined || block === undefined) return undefined
  const ageMs = readAt.getTime() - time * 1_000
  const { chainId: expected, maxHeadAgeMs } = referenceOf(network)
  if (chainId !== expected || ageMs > maxHeadAgeMs || ageMs < -15_000) return undefined
  if (rows[3 + feeds.length]?.success === false) return 'out of gas'
  const entries: Entry[] = []
  for (const [index, feed] of feeds.entries()) {
    const pair = toPair(rows[3 + index])
    if (pair === undefined) return undefined
    entries.push(decodeFeedReference(feed, pair, { ...request, block }))
  }
  return { block, entries }
}

/** Decodes the two rows of a feed. */
export function decodeFeedReference(feed: Feed, [detail, round]: readonly [Row, Row], head: Head): Entry {
  const decoded = detail.success ? decodeDetail(detail.returnData) : undefined
  return decoded === undefined ? 'feed-unreadable' : writeRecord(feed, decoded, decodeRound(round), head)
}

/** Decodes rows with viem; undefined unless their number is this and encoding them gives the same bytes. */
export function decodeRowsReference(result: Hex, count: number): readonly Row[] | undefined {
  const rows = decoded.has(result) ? decoded.get(result) : decodeCanonical(result)
  if (decoded.size >= 1_000) decoded.clear()
  decoded.set(result, rows)
  return rows?.length === count ? rows : undefined
}

/** Cached, because most rows of most replies are unchanged. */
const decoded = new Map<Hex, readonly Row[] | undefined>()

function decodeCanonical(result: Hex): readonly Row[] | undefined {
  try {
    const rows = decodeResult(result)
    return encodeRows(rows) === result ? rows : undefined
  } catch {
    return undefined
  }
}

/** A feed's row has two rows. If it failed, both did. */
function toPair(row: Row | undefined): readonly [Row, Row] | undefined {
  if (row === undefined) return undefined
  // Multicall3 never reverts with data. It can only run out of gas.
  if (!row.success) return row.returnData === '0x' ? [row, row] : undefined
  const [detail, round] = decodeRowsReference(row.returnData, 2) ?? []
  return detail && round && [detail, round]
}

/** Decodes one word as a number below 2^53. */
function toSafeNumber({ success, returnData }: Row): number | undefined {
  const value = returnData.length === 66 ? BigInt(returnData) : undefined
  return success && value !== undefined && value < 2n ** 53n ? Number(value) : undefined
}

function decodeDetail(returnData: Hex): Detail | undefined {
  const [status = 0n, answer = 0n, observedAt = 0n, sharePrice = 0n, multiplier = 0n] = toWords(returnData) ?? [7n]
  const isLate = observedAt * 1_000n > BigInt(Date.UTC(9999, 11, 31, 23, 59, 59))
  if (status > 6n || isLate) return undefined
  const signed = { answer: BigInt.asIntN(256, answer), sharePrice: BigInt.asIntN(256, sharePrice) }
  return { status: Number(status), observedAt, multiplier, ...signed }
}

function decodeRound({ success, returnData }: Row): Round {
  if (!success) return { reverts: nameRevert(returnData) }
  const [roundId = 0n, answer = 0n, , , answeredInRound = 0n] = toWords(returnData) ?? [2n ** 80n]
  return roundId < 2n ** 80n && answeredInRound < 2n ** 80n ? { answer: BigInt.asIntN(256, answer) } : 'malformed'
}

/** Both functions return five words. */
function toWords(returnData: Hex): bigint[] | undefined {
  if (returnData.length !== 2 + 5 * 64) return undefined
  return [0, 1, 2, 3, 4].map(index => BigInt(`0x${returnData.slice(2 + 64 * index, 66 + 64 * index)}`))
}

function nameRevert(revertData: Hex): string {
  const selector = revertData.slice(0, 10)
  const names = {
    '0xe3f18fa8': 'FeedUnavailable',
    '0xc4e5ad09': 'NoHistory',
    '0x08c379a0': 'Error',
    '0x4e487b71': 'Panic',
  }
  return new Map(Object.entries(names)).get(selector) ?? (selector.length < 10 ? 'unnamed' : selector)
}
