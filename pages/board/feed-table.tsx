import type { FirstPrices } from './digits.tsx'
import { FeedRow } from './feed-row.tsx'
import type { ShownEntry } from './price-response.ts'
import { columns, formatView, type SortKey, type View } from './view.ts'

interface FeedTableProps {
  readonly view: View
  readonly shown: readonly ShownEntry[]
  /** The symbols of the rows if the first request has failed, so that nothing was read yet. */
  readonly unread: readonly string[]
  /** The names of the registered feeds by symbol. */
  readonly names: Readonly<Record<string, string>>
  readonly first: FirstPrices | undefined
  readonly secondsSinceRead: number
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
export function FeedTable(props: FeedTableProps) {
  const { view, shown, unread, names, first, secondsSinceRead, isLoading, isLastKnown, change } = props
  const onSort = (sortBy: SortKey) => change({ sortBy, descending: view.sortBy === sortBy && !view.descending })
  const direction = view.descending ? 'descending' : 'ascending'
  const toRow = (symbol: string, entry?: ShownEntry) => (
    <FeedRow
      key={symbol}
      name={names[symbol]}
      href={formatView({ ...view, feed: symbol })}
      {...{ symbol, entry, first, secondsSinceRead, isLastKnown }}
      onOpen={() => change({ feed: symbol })}
    />
  )
  return (
    <table id="table" role="table" aria-busy={isLoading}>
      <caption class="hidden">Price feeds. Column headers sort.</caption>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map(([sortBy, header]) => (
            <th
              key={sortBy}
              role="columnheader"
              scope="col"
              class={sortBy}
              aria-sort={view.sortBy === sortBy ? direction : undefined}
            >
              <button type="button" onClick={() => onSort(sortBy)}>
                {header}
              </button>
              <span class="on-cards">{header}</span>
              {sortBy === 'price' && first !== undefined && <span class="since">% {first.since}</span>}
            </th>
          ))}
        </tr>
      </thead>
      <tbody id="rows" role="rowgroup">
        {shown.map(entry => toRow(entry.symbol, entry))}
        {unread.map(symbol => toRow(symbol))}
      </tbody>
      {isLoading && <Skeleton rowCount={Object.keys(names).length} />}
    </table>
  )
}

/** Placeholders of the rows until they are loaded. */
function Skeleton({ rowCount }: { rowCount: number }) {
  return (
    <tbody class="skeleton" aria-hidden="true">
      {Array.from({ length: rowCount }, (_, index) => (
        <tr key={index}>
          <td colSpan={columns.length} />
        </tr>
      ))}
    </tbody>
  )
}
