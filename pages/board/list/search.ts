import type { Entry } from '../data/responses.ts'
import { formatVerdict, marks, toVerdict } from '../data/verdict.ts'
import type { Filter, SortKey, View } from '../view.ts'

/**
 * Finds the feeds of a search: of a part of a symbol, of the first letters of a word in a name or a status, of the first
 * letters of a verdict, or of an address. Upper and lower case are the same.
 */
export function search(feeds: readonly Entry[], text: string): readonly Entry[] {
  const wanted = text.trim().toLowerCase()
  const beginsWordOf = (words: string) => ` ${words.toLowerCase()}`.includes(` ${wanted}`)
  return feeds.filter(
    entry =>
      entry.symbol.toLowerCase().includes(wanted) ||
      beginsWordOf(entry.name) ||
      // One letter is the beginning of a symbol rather than of a status.
      (wanted.length > 1 && entry.problem === undefined && beginsWordOf(entry.status)) ||
      // `served` finds no feed that is not served.
      (wanted.length > 1 && formatVerdict(entry, false).toLowerCase().startsWith(wanted)) ||
      beginsWordOf(`${entry.feed} ${entry.token}`),
  )
}

/** Finds the entry of a symbol in any case. */
export function findEntry(feeds: readonly Entry[], symbol: string): Entry | undefined {
  return feeds.find(entry => entry.symbol.toLowerCase() === symbol.toLowerCase())
}

/** Returns whether a filter keeps a feed. An unreadable feed is kept with those that are not served. */
export function passes(entry: Entry, filter: Filter): boolean {
  return filter === 'all' || (filter === 'served') === (toVerdict(entry) === 'served')
}

/** Sorts feeds. A feed without a value comes last in both directions. */
export function sort(feeds: readonly Entry[], { sortBy, descending }: View): readonly Entry[] {
  const sign = descending ? -1 : 1
  const bySymbol = (a: Entry, b: Entry) => (a.symbol.toLowerCase() < b.symbol.toLowerCase() ? -1 : 1)
  return feeds.toSorted((a, b) => {
    if (sortBy === 'symbol') return sign * bySymbol(a, b)
    const [first, second] = [rankOf(a, sortBy), rankOf(b, sortBy)]
    const order =
      first === undefined || second === undefined
        ? Number(first === undefined) - Number(second === undefined)
        : sign * (first - second)
    return order || bySymbol(a, b)
  })
}

const ranks = Object.keys(marks)

/** Returns a number to sort by. A double is exact enough for an order. */
function rankOf(entry: Entry, by: Exclude<SortKey, 'symbol'>): number | undefined {
  if (by === 'served') return ranks.indexOf(toVerdict(entry))
  if (entry.problem !== undefined) return undefined
  if (by === 'age') return entry.ageSeconds ?? undefined
  return entry.price === null ? undefined : Number(entry.price)
}
