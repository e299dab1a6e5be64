import type { PriceList } from '../lambda/feeds/price-list.ts'
import type { PriceRecord } from '../lambda/feeds/price-record.ts'

/** The fields whose digits a double would round. */
type ExactField = 'price' | 'sharePrice' | 'multiplier'

/** A record whose exact numbers are strings, digit by digit as the API wrote them. */
export type ShownRecord = Omit<PriceRecord, ExactField> & { readonly [field in ExactField]: string | null }

/** A list entry for a feed that cannot be read. */
export type UnreadableEntry = Exclude<PriceList['feeds'][number], PriceRecord>

/** An entry of the list. */
export type ShownEntry = ShownRecord | UnreadableEntry

/** The list with such entries. */
export type ShownList = Omit<PriceList, 'feeds'> & { readonly feeds: readonly ShownEntry[] }

const exactNumber = /"(price|sharePrice|multiplier)":(-?\d+(?:\.\d+)?)/g
const quotedNumber = /"(price|sharePrice|multiplier)": "(-?\d+(?:\.\d+)?)"/g

/**
 * Parses a response of the API and keeps every digit of its exact numbers.
 *
 * The pattern cannot match inside a JSON string, because a quote in a string is escaped.
 *
 * @throws {SyntaxError} if the text is not JSON.
 * @example parseExactly('{"price":1.50}') // { price: '1.50' }
 */
export function parseExactly(text: string): unknown {
  return JSON.parse(text.replace(exactNumber, '"$1":"$2"'))
}

/** Formats a record as indented JSON, with the digits that the API wrote. */
export function formatExactly(record: ShownRecord): string {
  return JSON.stringify(record, undefined, 2).replace(quotedNumber, '"$1": $2')
}

/** Returns whether an entry is a feed that cannot be read. */
export function isUnreadable(entry: ShownEntry): entry is UnreadableEntry {
  return 'problem' in entry
}

type Check = (field: unknown) => boolean

/** One check for each field that the board uses. */
type Shape<fields> = { readonly [name in keyof fields]?: Check }

/** Checks the type of a field, where null is a type of its own. */
const isA =
  (...types: readonly string[]): Check =>
  field =>
    types.includes(field === null ? 'null' : typeof field)

const addressShape = {
  symbol: isA('string'),
  feed: isA('string'),
  token: isA('string'),
  explorer: (field: unknown) => hasShape(field, { feed: isA('string'), token: isA('string') }),
}

const unreadableShape: Shape<UnreadableEntry> = {
  ...addressShape,
  problem: field => hasShape(field, {}),
}

const recordShape: Shape<ShownRecord> = {
  ...addressShape,
  status: isA('string'),
  servesLatestRoundData: isA('boolean'),
  latestRoundDataReverts: isA('string', 'undefined'),
  price: isA('string', 'null'),
  sharePrice: isA('string', 'null'),
  multiplier: isA('string', 'null'),
  observedAt: isA('number', 'null'),
  observedAtIso: isA('string', 'null'),
  ageSeconds: isA('number', 'null'),
  answerRaw: isA('string'),
  decimals: isA('number'),
  block: isA('number'),
  readAt: isA('string'),
}

const listShape: Shape<ShownList> = {
  network: isA('string'),
  block: isA('number'),
  readAt: isA('string'),
  feeds: field => Array.isArray(field) && field.every(entry => hasShape(entry, unreadableShape) || isRecord(entry)),
}

/** Returns whether a parsed response is a list that the board can show. */
export function isList(parsed: unknown): parsed is ShownList {
  return hasShape(parsed, listShape)
}

/** Returns whether a parsed response is a record that the board can show. */
export function isRecord(parsed: unknown): parsed is ShownRecord {
  return hasShape(parsed, recordShape)
}

function hasShape(parsed: unknown, shape: Readonly<Record<string, Check | undefined>>): boolean {
  if (typeof parsed !== 'object' || parsed === null) return false
  const fields = new Map<string, unknown>(Object.entries(parsed))
  return Object.entries(shape).every(([name, check]) => check?.(fields.get(name)) ?? true)
}
