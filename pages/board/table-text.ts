import { isUnreadable, type ShownEntry, type ShownList } from './price-response.ts'
import { statusOf } from './statuses.ts'

/** The fields of a record that a row has. They and the other columns have the API's names. */
const fields = [
  'servesLatestRoundData',
  'latestRoundDataReverts',
  'price',
  'sharePrice',
  'multiplier',
  'observedAtIso',
  'ageSeconds',
] as const

/** The cells of a table, row by row. */
type Rows = readonly (readonly string[])[]

/** Returns the two rows above those of the feeds: where and when they were read, and the name of each column. */
export function toHeaderRows({ network, block, readAt }: ShownList): Rows {
  return [
    ['network', network, 'block', String(block), 'readAt', readAt],
    ['symbol', 'name', 'status', ...fields, 'feed', 'token'],
  ]
}

/**
 * Returns the row of each feed, with every digit that the API wrote.
 *
 * @param names the names of the registered feeds by symbol
 */
export function toRows(entries: readonly ShownEntry[], names: Readonly<Record<string, string>>): Rows {
  return entries.map(entry => {
    const values = fields.map(field => (isUnreadable(entry) ? '' : String(entry[field] ?? '')))
    return [entry.symbol, names[entry.symbol] ?? '', statusOf(entry), ...values, entry.feed, entry.token]
  })
}

/** Formats rows as tab-separated text, which a spreadsheet pastes into its cells. */
export function formatTsv(rows: Rows): string {
  return rows.map(cells => cells.join('\t')).join('\n')
}

/**
 * Formats rows as CSV.
 *
 * @see https://www.rfc-editor.org/rfc/rfc4180
 */
export function formatCsv(rows: Rows): string {
  return rows.map(cells => `${cells.map(quote).join(',')}\r\n`).join('')
}

function quote(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}
