import { isUnreadable, type ShownEntry } from './exact-json.ts'
import { chipLabels, unreadable } from './statuses.ts'
import type { SortKey, ViewState } from './view-state.ts'

/** Gives a feed's status, or the word for having none. */
export function statusOf(entry: ShownEntry): string {
  return isUnreadable(entry) ? unreadable : entry.status
}

/** Picks the feeds that a view shows, and puts them in its order. */
export function arrange(feeds: readonly ShownEntry[], view: ViewState): readonly ShownEntry[] {
  const wanted = view.search.trim().toLowerCase()
  const shown = feeds.filter(entry => entry.symbol.toLowerCase().includes(wanted) && isShown(entry, view.show))
  const sign = view.descending ? -1 : 1
  return shown.toSorted((a, b) => compare(a, b, view.sortBy, sign) || bySymbol(a, b))
}

function isShown(entry: ShownEntry, show: string): boolean {
  if (show === '') return true
  if (show === 'served') return isServed(entry)
  if (show === 'not-served') return !isUnreadable(entry) && !isServed(entry)
  return statusOf(entry) === show
}

function isServed(entry: ShownEntry): boolean {
  return !isUnreadable(entry) && entry.servesLatestRoundData
}

/** Feeds without a value come last, whichever way the others stand. */
function compare(a: ShownEntry, b: ShownEntry, by: SortKey, sign: number): number {
  if (by === 'symbol') return sign * bySymbol(a, b)
  const [first, second] = [rankOf(a, by), rankOf(b, by)]
  if (first === undefined || second === undefined) {
    return Number(first === undefined) - Number(second === undefined)
  }
  return sign * (first - second)
}

/** For an order doubles are exact enough. */
function rankOf(entry: ShownEntry, by: Exclude<SortKey, 'symbol'>): number | undefined {
  if (by === 'status') return chipLabels.indexOf(statusOf(entry))
  if (isUnreadable(entry)) return undefined
  if (by === 'served') return entry.servesLatestRoundData ? 0 : 1
  if (by === 'age') return entry.observedAt === null ? undefined : -entry.observedAt
  const text = entry[by]
  return text === null ? undefined : Number(text)
}

function bySymbol(a: ShownEntry, b: ShownEntry): number {
  return a.symbol.toLowerCase() < b.symbol.toLowerCase() ? -1 : 1
}
