import { defaultNetwork, isNetwork, type Network } from '../../api/networks.ts'
import type { FeedNames } from './feed-names.ts'
import { isUnreadable, type ShownEntry } from './price-response.ts'
import { chipLabels, statusOf } from './statuses.ts'

/** Formats the name of a network for people. */
export function toLabel(network: Network): string {
  return network.slice(0, 1).toUpperCase() + network.slice(1)
}

/** The columns of the table: the key that the rows are sorted by, which is also the CSS class, and the header. */
export const columns = [
  ['symbol', 'Symbol'],
  ['status', 'Status'],
  ['price', 'Price, USD'],
  ['sharePrice', 'Share price, USD'],
  ['multiplier', '× Multiplier'],
  ['age', 'Age'],
  ['served', 'A contract gets'],
] as const

/** The key of a column. */
export type SortKey = (typeof columns)[number][0]

/** What the page shows: everything that a link to this view has to contain. */
export interface View {
  readonly network: Network
  /** Whether the URL names a network that does not exist. Nothing but the networks is shown then. */
  readonly hasUnknownNetwork: boolean
  /**
   * Part of a symbol, of a feed's address or of a token's address, or the first letters of a word in a name or a status.
   * Upper and lower case are the same.
   */
  readonly search: string
  /** A status, `served`, `not-served`, or the empty string for all feeds. */
  readonly show: string
  readonly sortBy: SortKey
  readonly descending: boolean
  /** The symbol of the open feed. */
  readonly feed: string | undefined
}

/** What `show` can be, except for all feeds. */
export const filters: readonly string[] = ['served', 'not-served', ...chipLabels]

/** The most characters of a search and of a symbol in the URL. An address has 42. */
export const maxLength = 64

/**
 * Parses the query of the page's URL. A missing or invalid parameter has its default.
 *
 * @example parseView('?sort=-price').descending // true
 */
export function parseView(query: string): View {
  const parameters = new URLSearchParams(query)
  const sort = parameters.get('sort') ?? ''
  // As in the API, the last one counts, and an empty one is the default.
  const network = parameters.getAll('network').at(-1) ?? ''
  return {
    network: isNetwork(network) ? network : defaultNetwork,
    hasUnknownNetwork: network !== '' && !isNetwork(network),
    search: (parameters.get('search') ?? '').slice(0, maxLength),
    show: filters.find(filter => filter === parameters.get('show')) ?? '',
    ...parseSort(sort),
    feed: parameters.get('feed')?.slice(0, maxLength) || undefined,
  }
}

/** Formats the query of a view's URL. It contains only what differs from the default view, for which it is empty. */
export function formatView({ network, search, show, sortBy, descending, feed }: View): string {
  const parameters = new URLSearchParams()
  if (network !== defaultNetwork) parameters.set('network', network)
  if (search !== '') parameters.set('search', search)
  if (show !== '') parameters.set('show', show)
  if (sortBy !== 'symbol' || descending) parameters.set('sort', formatSort(sortBy, descending))
  if (feed !== undefined) parameters.set('feed', feed)
  return parameters.size === 0 ? '' : `?${parameters}`
}

/** Formats an order: the key, after a minus sign if it is descending. */
export function formatSort(sortBy: SortKey, descending: boolean): string {
  return (descending ? '-' : '') + sortBy
}

/** Parses an order. An invalid one is the default. */
export function parseSort(sort: string): Pick<View, 'sortBy' | 'descending'> {
  return {
    sortBy: columns.find(([key]) => key === sort.replace(/^-/, ''))?.[0] ?? 'symbol',
    descending: sort.startsWith('-'),
  }
}

/** Filters the feeds for a view and sorts them. */
export function arrange(feeds: readonly ShownEntry[], view: View, feedNames: FeedNames): readonly ShownEntry[] {
  const isFound = (entry: ShownEntry) =>
    matches(view.search, entry.symbol, feedNames[view.network][entry.symbol], statusOf(entry), [
      entry.feed,
      entry.token,
    ])
  const shown = feeds.filter(entry => isFound(entry) && passes(entry, view.show))
  const sign = view.descending ? -1 : 1
  return shown.toSorted((a, b) => compare(a, b, view.sortBy, sign) || bySymbol(a, b))
}

/** Lists the registered symbols that the search finds, in the order of a view whose feeds have no values. */
export function listSymbols({ network, search, sortBy, descending }: View, feedNames: FeedNames): readonly string[] {
  const found = Object.entries(feedNames[network]).filter(([symbol, name]) => matches(search, symbol, name))
  const sign = sortBy === 'symbol' && descending ? -1 : 1
  return found.map(([symbol]) => symbol).sort((a, b) => sign * bySymbol({ symbol: a }, { symbol: b }))
}

/** Returns the symbol after another in the shown order, or before it for -1. After the last comes the first. */
export function findNext(shown: readonly ShownEntry[], current: string, step: 1 | -1): string | undefined {
  const index = shown.findIndex(({ symbol }) => symbol === current)
  return shown.at((index === -1 && step === -1 ? -1 : index + step) % shown.length)?.symbol
}

/** Returns whether a search finds a feed. */
export function matches(
  search: string,
  symbol: string,
  name = '',
  status = '',
  addresses: readonly string[] = [],
): boolean {
  const text = search.trim().toLowerCase()
  // A shorter text is compared with symbols and names only: it is in almost every address, or begins a status.
  const isAddressPart = text.startsWith('0x') || text.length >= 4
  const isStatusPart = text.length >= 2
  const isPartOf = (whole: string) => whole.toLowerCase().includes(text)
  const beginsWordOf = (words: string) => ` ${words}`.toLowerCase().includes(` ${text}`)
  return (
    isPartOf(symbol) ||
    beginsWordOf(name) ||
    (isStatusPart && beginsWordOf(status)) ||
    (isAddressPart && addresses.some(isPartOf))
  )
}

/** Returns whether a filter keeps a feed. */
export function passes(entry: ShownEntry, filter: string): boolean {
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

function bySymbol(a: Pick<ShownEntry, 'symbol'>, b: Pick<ShownEntry, 'symbol'>): number {
  return a.symbol.toLowerCase() < b.symbol.toLowerCase() ? -1 : 1
}
