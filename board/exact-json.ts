import type { PriceList } from '../lambda/feeds/price-list.ts'
import type { PriceRecord } from '../lambda/feeds/price-record.ts'

/** The fields whose numbers a browser would round. */
type ExactField = 'price' | 'sharePrice' | 'multiplier'

/** A record whose exact numbers are texts, digit by digit as they came. */
export type ShownRecord = Omit<PriceRecord, ExactField> & { readonly [field in ExactField]: string | null }

/** An entry of the list: a record, or a feed that could not be read. */
export type ShownEntry = (ShownRecord & { readonly url: string }) | UnreadableEntry

/** A feed that could not be read, and why. */
export type UnreadableEntry = Exclude<PriceList['feeds'][number], PriceRecord>

/** The list with such entries. */
export type ShownList = Omit<PriceList, 'feeds'> & { readonly feeds: readonly ShownEntry[] }

const exactNumber = /"(price|sharePrice|multiplier)":(-?\d+(?:\.\d+)?)/g
const quotedNumber = /"(price|sharePrice|multiplier)": "(-?\d+(?:\.\d+)?)"/g

/**
 * Parses an answer of the API without rounding its numbers to doubles.
 *
 * No text of an answer can look like one of these fields: within JSON a quote in a text is escaped.
 *
 * @throws {SyntaxError} when it is no JSON.
 */
export function parseExactly(text: string): unknown {
  return JSON.parse(text.replace(exactNumber, '"$1":"$2"'))
}

/** Writes a record as the API wrote it, over several lines. */
export function formatExactly(record: ShownRecord): string {
  return JSON.stringify(record, undefined, 2).replace(quotedNumber, '"$1": $2')
}

/** Tells a feed that could not be read from one that could. */
export function isUnreadable(entry: ShownEntry): entry is UnreadableEntry {
  return 'problem' in entry
}
