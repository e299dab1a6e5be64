import { errorSelectors } from '../../api/error-selectors.ts'
import { feedStatuses } from '../../api/statuses.ts'
import { Fault } from '../faults.ts'
import type { Detail, FailedReading, FeedReading, RoundData } from '../feeds/reading.ts'
import type { Feed } from '../feeds/registry.ts'
import { toSafeNumber, wordAt, wordLength } from './program.ts'

/** The last second of the year 9999. In ISO 8601, the year of a later time has more than four digits. */
const lastSecond = 253_402_300_799n

/** Each of the two functions returns five words of 32 bytes. */
const outputBytes = 160

/** Words of a row for one function: the first has how its call ended, the other five have the output. */
const callWords = 6

/**
 * Decodes a feed's row: the size of its code, and what `latestDetail()` and `latestRoundData()` returned.
 *
 * @returns the reading, or why the feed cannot be read
 * @throws {Fault} `malformed-result` for a row that the program cannot have returned
 */
export function decodeFeed(feed: Feed, row: string): FeedReading | FailedReading {
  const codeSize = toSafeNumber(wordAt(row, 0))
  const detailCall = parseCall(row.slice(wordLength, (1 + callWords) * wordLength))
  const roundCall = parseCall(row.slice((1 + callWords) * wordLength))
  // What the calls returned does not count: a precompile has no code, and may return data.
  if (codeSize === 0) return { feed, hasCode: false, unreadable: 'no contract is at its address' }
  const detail = decodeDetail(detailCall)
  return typeof detail === 'string'
    ? { feed, hasCode: true, unreadable: detail }
    : { feed, detail, roundData: decodeRoundData(roundCall) }
}

interface CallResult {
  readonly success: boolean
  /** How many bytes it returned or reverted with. */
  readonly size: number
  /** The first 160 of these bytes in hexadecimal digits. Zeros follow a shorter output. */
  readonly words: string
}

function parseCall(text: string): CallResult {
  const success = toSafeNumber(text.slice(0, wordLength / 2))
  const size = toSafeNumber(text.slice(wordLength / 2, wordLength))
  const words = text.slice(wordLength)
  if (success > 1 || /[^0]/.test(words.slice(2 * size))) throw new Fault('malformed-result')
  return { success: success === 1, size, words }
}

function decodeDetail({ success, size, words }: CallResult): Detail | string {
  if (!success && size === 0) return 'latestDetail() reverted or ran out of gas'
  if (!success) {
    const name = toRevertName(words, size)
    return `latestDetail() reverted with ${name === 'unnamed' ? 'an unnamed error' : name}`
  }
  if (size === 0) return 'latestDetail() returned no data'
  const status = toUint(words, 0)
  const observedAt = toUint(words, 2)
  const isWellFormed = size === outputBytes && status < 2n ** 8n && observedAt < 2n ** 64n
  if (!isWellFormed) return 'latestDetail() returned malformed data'
  const label = feedStatuses[Number(status)]
  if (label === undefined) return 'its status is none of the seven'
  if (observedAt > lastSecond) return 'it observed its price after the year 9999'
  return {
    status: label,
    answer: toInt(words, 1),
    observedAt: Number(observedAt),
    sharePrice: toInt(words, 3),
    multiplier: toUint(words, 4),
  }
}

function decodeRoundData({ success, size, words }: CallResult): RoundData {
  if (!success) return { reverts: toRevertName(words, size) }
  const roundId = toUint(words, 0)
  const answeredInRound = toUint(words, 4)
  const isWellFormed = size === outputBytes && roundId < 2n ** 80n && answeredInRound < 2n ** 80n
  return isWellFormed ? { answer: toInt(words, 1) } : { malformed: true }
}

/** The names of errors by their selectors. */
const errorNames: ReadonlyMap<string, string> = new Map(
  Object.entries(errorSelectors).map(([name, selector]) => [selector, name]),
)

/** Returns the name of the error in revert data, or its selector if it has no known name, or `unnamed` without one. */
function toRevertName(words: string, size: number): string {
  if (size < 4) return 'unnamed'
  const selector = `0x${words.slice(0, 8)}`
  return errorNames.get(selector) ?? selector
}

function toUint(words: string, index: number): bigint {
  return BigInt(`0x${wordAt(words, index)}`)
}

function toInt(words: string, index: number): bigint {
  return BigInt.asIntN(256, toUint(words, index))
}
