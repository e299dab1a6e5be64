import type { Entry } from '../data/responses.ts'
import { columns, formatView, type SortKey, type View } from '../view.ts'
import { FeedRow } from './row.tsx'

interface FeedTableProps {
  readonly view: View
  readonly feeds: readonly Entry[]
  readonly secondsSinceRead: number
  readonly isPast: boolean
  readonly change: (changed: Partial<View>) => void
}

/**
 * The table of the feeds.
 *
 * The roles are explicit because a phone displays a row as a grid, and some browsers then do not expose it as a row.
 */
export function FeedTable({ view, feeds, secondsSinceRead, isPast, change }: FeedTableProps) {
  const onSort = (sortBy: SortKey) => change({ sortBy, descending: view.sortBy === sortBy && !view.descending })
  const direction = view.descending ? 'descending' : 'ascending'
  return (
    <table role="table" class={isPast ? 'past' : undefined} aria-label="Price feeds">
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
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {feeds.map(entry => (
          <FeedRow
            key={entry.symbol}
            href={formatView({ ...view, feed: entry.symbol })}
            {...{ entry, secondsSinceRead, isPast }}
            onOpen={() => change({ feed: entry.symbol })}
          />
        ))}
      </tbody>
    </table>
  )
}
