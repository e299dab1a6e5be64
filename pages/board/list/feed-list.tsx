import { Choice } from '../choice.tsx'
import { secondsSince } from '../data/clock.ts'
import type { Loaded } from '../data/latest.ts'
import type { ShownList } from '../data/responses.ts'
import { filters, type View } from '../view.ts'
import { passes, search, sort } from './search.ts'
import { FeedTable } from './table.tsx'

interface FeedListProps {
  readonly view: View
  readonly loaded: Loaded<ShownList>
  readonly isPast: boolean
  readonly change: (changed: Partial<View>) => void
}

/** The search and the filter, and the feeds that they keep. */
export function FeedList({ view, loaded, isPast, change }: FeedListProps) {
  const found = search(loaded.value.feeds, view.search)
  const feeds = sort(
    found.filter(entry => passes(entry, view.filter)),
    view,
  )
  const isUnreadableAmong = loaded.value.feeds.some(({ problem }) => problem !== undefined)
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
          aria-label="Search"
          placeholder="Symbol, name or status"
          autocomplete="off"
          spellcheck={false}
          value={view.search}
          onInput={({ currentTarget }) => change({ search: currentTarget.value })}
        />
        <Choice
          name="filter"
          options={filters.map(filter => [
            filter,
            `${labels[filter]} ${found.filter(entry => passes(entry, filter)).length}`,
          ])}
          chosen={view.filter}
          onChoose={filter => change({ filter })}
        />
      </div>
      <FeedTable {...{ view, feeds, isPast, change }} secondsSinceRead={secondsSince(loaded.readMoment)} />
      <p role="status">{feeds.length === 0 && <span>No feed matches.</span>}</p>
    </section>
  )
}
