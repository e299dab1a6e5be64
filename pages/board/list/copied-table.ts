import type { Entry, ExactList } from '../data/responses.ts'
import { toStatus } from '../data/verdict.ts'

const valueColumns = ['price', 'sharePrice', 'multiplier', 'observedAt'] as const
const readColumns = ['network', 'block', 'readAt'] as const

/**
 * Formats feeds of a list as tab-separated text, which a spreadsheet pastes into its cells: the names of the columns, then
 * each feed with every digit that the API wrote.
 *
 * @param isInvented whether the list is of a local chain, which a last column states
 */
export function formatTable(list: ExactList, feeds: readonly Entry[], isInvented: boolean): string {
  const header = ['symbol', 'name', 'status', 'served', ...valueColumns, ...readColumns]
  const rows = feeds.map(entry => [
    entry.symbol,
    entry.name,
    toStatus(entry),
    ...(['servesLatestRoundData', ...valueColumns] as const).map(name =>
      entry.problem === undefined ? entry[name] : null,
    ),
    ...readColumns.map(name => list[name]),
  ])
  const toLine = (cells: readonly unknown[], last: string) =>
    [...cells, ...(isInvented ? [last] : [])].map(cell => String(cell ?? '').replaceAll(/\s+/g, ' ')).join('\t')
  return [toLine(header, 'values'), ...rows.map(row => toLine(row, 'invented'))].join('\n')
}
