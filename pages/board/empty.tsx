import { type FeedNames, findElsewhere } from './feed-names.ts'
import { openHere } from './feed-row.tsx'
import { formatView, matches, type View } from './view.ts'

interface EmptyProps {
  readonly view: View
  readonly feedNames: FeedNames
  readonly isLoading: boolean
  /** Whether the list is loaded, and the view shows none of its feeds. */
  readonly isEmpty: boolean
  readonly change: (changed: Partial<View>) => void
}

/** Shown in place of the rows if there are none, with ways to find some. */
export function Empty({ view, feedNames, isLoading, isEmpty, change }: EmptyProps) {
  return (
    <div class="empty">
      <p id="empty" role="status">
        {isEmpty ? 'No feed matches.' : isLoading && <span class="hidden">Reading the chain…</span>}
      </p>
      {isEmpty && (
        <button type="button" class="copy" onClick={() => change({ search: '', show: '' })}>
          Clear filter
        </button>
      )}
      {isEmpty &&
        findOthers(feedNames, view).map(([network, symbol]) => {
          const other = { network, show: '', search: symbol }
          return (
            <a
              key={network}
              href={formatView({ ...view, ...other })}
              onClick={event => openHere(event, () => change(other))}
            >
              {`${symbol} is on the ${network}`}
            </a>
          )
        })}
    </div>
  )
}

/** Finds a feed on each other network: the one whose symbol is the search, or else the first that the search finds. */
function findOthers(feedNames: FeedNames, { network, search }: View) {
  const text = search.trim().toLowerCase()
  if (text === '') return []
  const same = findElsewhere(feedNames, network, symbol => symbol.toLowerCase() === text)
  return same.length > 0 ? same : findElsewhere(feedNames, network, (symbol, name) => matches(text, symbol, name))
}
