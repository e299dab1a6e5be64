import { defaultNetwork, isNetwork, type Network } from '../lambda/networks.ts'
import { isUnreadable, type ShownEntry } from './price-answer.ts'
import { chipLabels, statusOf } from './statuses.ts'

/** The columns that the rows can be sorted by. */
export const sortKeys = ['symbol', 'status', 'price', 'sharePrice', 'multiplier', 'age', 'served'] as const

/** One of those columns. */
export type SortKey = (typeof sortKeys)[number]

/** What the page shows: everything that a link to this view has to contain. */
export interface View {
  readonly network: Network
  /** Part of a symbol, in any case. */
  readonly search: string
  /** A status, `served`, `not-served`, or the empty string for all feeds. */
  readonly show: string
  readonly sortBy: SortKey
  readonly descending: boolean
  /** The symbol of the open feed. */
  readonly feed: string | undefined
}

const filters = ['', 'served', 'not-served', ...chipLabels]

/**
 * Parses the query of the page's URL. A missing or invalid parameter has its default.
 *
 * @example parseView('?sort=-price').descending // true
 */
export function parseView(query: string): View {
  const parameters = new URLSearchParams(query)
  const sort = parameters.get('sort') ?? ''
  const network = parameters.get('network') ?? ''
  return {
    network: isNetwork(network) ? network : defaultNetwork,
    search: (parameters.get('search') ?? '').slice(0, 40),
    show: filters.find(filter => filter === parameters.get('show')) ?? '',
    sortBy: sortKeys.find(key => key === sort.replace(/^-/, '')) ?? 'symbol',
    descending: sort.startsWith('-'),
    feed: parameters.get('feed')?.slice(0, 40) || undefined,
  }
}

/** Formats the query of a view's URL. It contains only what differs from the default view, for which it is empty. */
export function formatView({ network, search, show, sortBy, descending, feed }: View): string {
  const parameters = new URLSearchParams()
  if (network !== defaultNetwork) parameters.set('network', network)
  if (search !== '') parameters.set('search', search)
  if (show !== '') parameters.set('show', show)
  if (sortBy !== 'symbol' || descending) parameters.set('sort', (descending ? '-' : '') + sortBy)
  if (feed !== undefined) parameters.set('feed', feed)
  return parameters.size === 0 ? '' : `?${parameters}`
}

/** Filters the feeds for a view and sorts them. */
export function arrange(feeds: readonly ShownEntry[], view: View): readonly ShownEntry[] {
  const search = view.search.trim().toLowerCase()
  const shown = feeds.filter(entry => entry.symbol.toLowerCase().includes(search) && passes(entry, view.show))
  const sign = view.descending ? -1 : 1
  return shown.toSorted((a, b) => compare(a, b, view.sortBy, sign) || bySymbol(a, b))
}

function passes(entry: ShownEntry, filter: string): boolean {
  if (filter === '') return true
  if (filter === 'served') return !isUnreadable(entry) && entry.servesLatestRoundData
  if (filter === 'not-served') return !isUnreadable(entry) && !entry.servesLatestRoundData
  return statusOf(entry) === filter
}

/** Compares two feeds. A feed without a value comes last in both directions. */
function compare(a: ShownEntry, b: ShownEntry, by: SortKey, sign: number): number {
  if (by === 'symbol') return sign * bySymbol(a, b)
  const [first, second] = [rankOf(a, by), rankOf(b, by)]
  if (first === undefined || second === undefined) {
    return Number(first === undefined) - Number(second === undefined)
  }
  return sign * (first - second)
}

/** Returns a number to sort by. A double is exact enough for an order. */
function rankOf(entry: ShownEntry, by: Exclude<SortKey, 'symbol'>): number | undefined {
  if (by === 'status') return chipLabels.indexOf(statusOf(entry))
  if (isUnreadable(entry)) return undefined
  if (by === 'served') return entry.servesLatestRoundData ? 0 : 1
  if (by === 'age') return entry.observedAt === null ? undefined : -entry.observedAt
  return entry[by] === null ? undefined : Number(entry[by])
}

function bySymbol(a: ShownEntry, b: ShownEntry): number {
  return a.symbol.toLowerCase() < b.symbol.toLowerCase() ? -1 : 1
}
