import { type Entry, type ExactList, isUnreadable } from '../data/responses.ts'
import { toStatus } from '../data/verdict.ts'

const readColumns = ['network', 'block', 'readAt'] as const

/**
 * Formats feeds as tab-separated text, which a spreadsheet pastes into its cells: the names of the columns, then each
 * feed with every digit that the API wrote.
 *
 * @param isInvented whether the list is of a local chain, which a last column states
 */
export function formatTable(list: ExactList, feeds: readonly Entry[], isInvented: boolean): string {
  const header = ['symbol', 'name', 'status', 'served', ...valueColumns, ...readColumns]
  const rows = feeds.map(entry => [
    entry.symbol,
    entry.name ?? '',
    toStatus(entry),
    isUnreadable(entry) ? '' : String(entry.servesLatestRoundData),
    ...valueColumns.map(name => (isUnreadable(entry) ? '' : String(entry[name] ?? ''))),
    ...readColumns.map(name => String(list[name])),
  ])
  const invented = (cell: string) => (isInvented ? [cell] : [])
  return [[...header, ...invented('values')], ...rows.map(row => [...row, ...invented('invented')])]
    .map(cells => cells.map(cell => cell.replaceAll(/\s+/g, ' ')).join('\t'))
    .join('\n')
}

const valueColumns = ['price', 'sharePrice', 'multiplier', 'observedAt'] as const
