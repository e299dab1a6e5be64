import type { Network } from '../../../api/networks.ts'
import { Authors } from '../authors.tsx'
import { Choice } from '../choice.tsx'
import { secondsSince } from '../data/clock.ts'
import type { Loaded } from '../data/latest.ts'
import { NoMatch } from '../no-match.tsx'
import { filters, type View } from '../view.ts'
import { passes, search, sort } from './search.ts'
import { FeedTable } from './table.tsx'

interface FeedListProps {
  readonly network: Network
  readonly view: View
  readonly loaded: Loaded
  readonly isPast: boolean
  readonly change: (changed: Partial<View>) => void
}

/** The search and the filter, and the feeds that they keep. */
export function FeedList({ network, view, loaded, isPast, change }: FeedListProps) {
  const found = search(loaded.list.feeds, view.search)
  const feeds = sort(
    found.filter(entry => passes(entry, view.filter)),
    view,
  )
  const isUnreadableAmong = loaded.list.feeds.some(({ problem }) => problem !== undefined)
  const labels = {
    all: 'All',
    served: 'Served',
    'not-served': isUnreadableAmong ? 'Not served or unreadable' : 'Not served',
  }
  return (
    <section aria-label="Feeds">
      <div class="tools">
        <input
          type="search"
          aria-label="Search: symbol, name or status"
          placeholder="Search"
          autocomplete="off"
          spellcheck={false}
          // A page that opens with a search has the focus in it, unless an open record has the focus.
          autofocus={view.search !== ''}
          value={view.search}
          onInput={({ currentTarget }) => change({ search: currentTarget.value })}
        />
        <Choice
          name="Filter"
          options={filters.map(filter => [
            filter,
            `${labels[filter]} ${found.filter(entry => passes(entry, filter)).length}`,
          ])}
          chosen={view.filter}
          onChoose={filter => change({ filter })}
        />
      </div>
      <FeedTable {...{ view, feeds, isPast, change }} secondsSinceRead={secondsSince(loaded.readMoment)} />
      <p role="status" class={feeds.length === 0 ? undefined : 'hidden'}>
        {found.length === 0 ? (
          <NoMatch network={network} wanted={{ search: view.search }} />
        ) : (
          <span>{feeds.length === 0 ? 'No feed matches.' : `Results: ${feeds.length}`}</span>
        )}
      </p>
      <p class="soft">
        {`On ${loaded.list.network}, these feeds are those of `}
        <Authors />.
      </p>
    </section>
  )
}
