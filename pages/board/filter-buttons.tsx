import { useMemo } from 'preact/hooks'
import type { ShownEntry } from './price-response.ts'
import { toSlug } from './statuses.ts'
import { filters, passes } from './view.ts'

interface FilterButtonsProps {
  /** The whole list, or undefined until it is loaded. */
  readonly feeds: readonly ShownEntry[] | undefined
  readonly show: string
  readonly onSelect: (show: string) => void
}

/** How many feeds of the whole list pass each filter. A click selects the filter, a second one removes it. */
export function FilterButtons({ feeds, show, onSelect }: FilterButtonsProps) {
  const counts = useMemo(
    () => filters.map(filter => [filter, feeds?.filter(entry => passes(entry, filter)).length] as const),
    [feeds],
  )
  return (
    <fieldset class="filter-buttons">
      <legend class="hidden">Show the feeds with one verdict or status</legend>
      {counts.map(([filter, count]) => (
        <button
          key={filter}
          type="button"
          data-status={toSlug(filter)}
          aria-pressed={show === filter}
          disabled={count === 0 && show !== filter}
          onClick={() => onSelect(show === filter ? '' : filter)}
        >
          <span key={count} class="count">
            {count ?? '–'}
          </span>{' '}
          {filter.replace('-', ' ')}
        </button>
      ))}
    </fieldset>
  )
}
