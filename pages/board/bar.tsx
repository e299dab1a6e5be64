import { columns, formatSort, maxLength, parseSort, type View } from './view.ts'

interface BarProps {
  readonly view: View
  readonly change: (changed: Partial<View>) => void
}

/** The search, and the order where the table has no headers. */
export function Bar({ view, change }: BarProps) {
  return (
    <div class="bar">
      <input
        id="search"
        type="search"
        aria-label="Search"
        placeholder="Symbol, name or address"
        autocomplete="off"
        spellcheck={false}
        maxlength={maxLength}
        title="Press / to search"
        aria-keyshortcuts="/"
        value={view.search}
        onInput={({ currentTarget }) => change({ search: currentTarget.value })}
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
