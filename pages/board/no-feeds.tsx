import { type FeedNames, findElsewhere } from './feed-names.ts'
import { openHere } from './feed-row.tsx'
import { formatView, matches, type View } from './view.ts'

interface NoFeedsProps {
  readonly view: View
  readonly feedNames: FeedNames
  readonly isLoading: boolean
  /** Whether the view shows no feed, although the list is loaded or has failed. */
  readonly isEmpty: boolean
  readonly change: (changed: Partial<View>) => void
}

/** Shown in place of the rows if there are none, with ways to find some. */
export function NoFeeds({ view, feedNames, isLoading, isEmpty, change }: NoFeedsProps) {
  return (
    <div class="no-feeds">
      <p id="empty" role="status">
        {isEmpty ? 'No feed matches.' : isLoading && <span class="hidden">Reading the chain…</span>}
      </p>
      {isEmpty && (
        <button type="button" class="copy" onClick={() => change({ search: '', show: '' })}>
          Clear filter
        </button>
      )}
      {isEmpty &&
        findOnOtherNetworks(feedNames, view).map(([network, symbol]) => {
          const changed = { network, show: '', search: symbol }
          return (
            <a
              key={`${network} ${symbol}`}
              href={formatView({ ...view, ...changed })}
              onClick={event => openHere(event, () => change(changed))}
            >
              {`${symbol} is on the ${network}`}
            </a>
          )
        })}
    </div>
  )
}

/** Finds the feeds of other networks that the search finds. The nearest is first: the shortest symbol. */
function findOnOtherNetworks(feedNames: FeedNames, { network, search }: View) {
  if (search.trim() === '') return []
  const found = findElsewhere(feedNames, network, (symbol, name) => matches(search, symbol, name))
  return found.toSorted(([, a], [, b]) => a.length - b.length)
}
