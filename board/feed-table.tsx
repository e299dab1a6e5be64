import { FeedRow } from './feed-row.tsx'
import type { ShownEntry } from './price-answer.ts'
import { formatView, type SortKey, type View } from './view.ts'

/** The columns, with the sort key and the CSS class of each. */
const columns = [
  ['symbol', 'symbol', 'Symbol'],
  ['status', 'status', 'Status'],
  ['price', 'price number', 'Price, USD'],
  ['sharePrice', 'share number', 'Share price'],
  ['multiplier', 'multiplier number', '× Multiplier'],
  ['age', 'age', 'Age'],
  ['served', 'served', ['latest', <wbr key="1" />, 'Round', <wbr key="2" />, 'Data()']],
] as const

interface FeedTableProps {
  readonly view: View
  readonly shown: readonly ShownEntry[]
  readonly secondsSinceRead: number | undefined
  readonly isLoading: boolean
  /** Whether the last request has failed, so that the rows are earlier values. */
  readonly isLastKnown: boolean
  readonly change: (changed: Partial<View>) => void
}

/**
 * The table of the feeds.
 *
 * The roles are explicit because narrow layouts display a row as a grid, and some browsers then do not expose it as a row.
 */
export function FeedTable({ view, shown, secondsSinceRead = 0, isLoading, isLastKnown, change }: FeedTableProps) {
  const onSort = (sortBy: SortKey) => change({ sortBy, descending: view.sortBy === sortBy && !view.descending })
  const direction = view.descending ? 'descending' : 'ascending'
  return (
    <table id="table" role="table" aria-busy={isLoading}>
      <caption class="hidden">Price feeds. Column headers sort.</caption>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map(([sortBy, className, name]) => (
            <th
              key={sortBy}
              role="columnheader"
              scope="col"
              class={className}
              data-sort={sortBy}
              aria-sort={view.sortBy === sortBy ? direction : undefined}
            >
              <button type="button" onClick={() => onSort(sortBy)}>
                {name}
              </button>
            </th>
          ))}
        </tr>
      </thead>
      <tbody id="rows" role="rowgroup">
        {shown.map(entry => (
          <FeedRow
            key={entry.symbol}
            entry={entry}
            href={formatView({ ...view, feed: entry.symbol })}
            {...{ secondsSinceRead, isLastKnown }}
            onOpen={() => change({ feed: entry.symbol })}
          />
        ))}
      </tbody>
    </table>
  )
}
