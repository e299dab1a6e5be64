import type { ShownEntry } from './price-response.ts'
import { columns, formatSort, maxLength, parseSort, type View } from './view.ts'

interface SearchBarProps {
  readonly view: View
  /** The feeds that the view shows. */
  readonly shown: readonly ShownEntry[]
  readonly change: (changed: Partial<View>) => void
}

/** The search, in which Enter opens the only feed found, and the order where the table has no headers. */
export function SearchBar({ view, shown, change }: SearchBarProps) {
  const [first, second] = shown
  const openOnly = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || first === undefined || second !== undefined) return
    // The same key would press the button of the record that gets the focus.
    event.preventDefault()
    change({ feed: first.symbol })
  }
  return (
    <div class="search-bar">
      <input
        id="search"
        type="search"
        aria-label="Search"
        placeholder="Symbol or name"
        autocomplete="off"
        spellcheck={false}
        maxlength={maxLength}
        title="Press / to search"
        aria-keyshortcuts="/"
        value={view.search}
        onInput={({ currentTarget }) => change({ search: currentTarget.value })}
        onKeyDown={openOnly}
      />
      <label class="sort">
        {'Sort '}
        <select
          id="sort"
          value={formatSort(view.sortBy, view.descending)}
          onChange={({ currentTarget }) => change(parseSort(currentTarget.value))}
        >
          {columns.flatMap(([key, header]) =>
            [false, true].map(descending => (
              <option key={formatSort(key, descending)} value={formatSort(key, descending)}>
                {`${header} ${descending ? '↓' : '↑'}`}
              </option>
            )),
          )}
        </select>
      </label>
    </div>
  )
}
