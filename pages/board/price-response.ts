import type { PriceList, PriceRecord, UnreadableEntry } from '../../api/record.ts'

/** A record whose exact numbers are strings, digit by digit as the API wrote them. */
export type ShownRecord = PriceRecord<string>

/** An entry of the list. */
export type ShownEntry = ShownRecord | UnreadableEntry

/** The list with such entries. */
export type ShownList = PriceList<string>

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
