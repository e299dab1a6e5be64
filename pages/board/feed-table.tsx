import { FeedRow } from './feed-row.tsx'
import type { ShownEntry } from './price-response.ts'
import { columns, formatView, type SortKey, type View } from './view.ts'

interface FeedTableProps {
  readonly view: View
  readonly shown: readonly ShownEntry[]
  /** The names of the registered feeds by symbol. */
  readonly names: Readonly<Record<string, string>>
  /** The prices when the page was opened, by symbol. */
  readonly firstPrices: ReadonlyMap<string, string>
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
export function FeedTable(props: FeedTableProps) {
  const { view, shown, names, firstPrices, secondsSinceRead = 0, isLoading, isLastKnown, change } = props
  const onSort = (sortBy: SortKey) => change({ sortBy, descending: view.sortBy === sortBy && !view.descending })
  const direction = view.descending ? 'descending' : 'ascending'
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
            </th>
          ))}
        </tr>
      </thead>
      <tbody id="rows" role="rowgroup">
        {shown.map(entry => (
          <FeedRow
            key={entry.symbol}
            entry={entry}
            name={names[entry.symbol]}
            firstPrice={firstPrices.get(entry.symbol)}
            href={formatView({ ...view, feed: entry.symbol })}
            {...{ secondsSinceRead, isLastKnown }}
            onOpen={() => change({ feed: entry.symbol })}
          />
        ))}
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
