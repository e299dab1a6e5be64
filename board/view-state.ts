import { chipLabels } from './statuses.ts'

/** A network, as the API and the page's own URL call it. */
export type NetworkName = 'mainnet' | 'testnet'

/** What the rows can be put in order by. */
export const sortKeys = ['symbol', 'status', 'price', 'sharePrice', 'multiplier', 'age', 'served'] as const

/** One of those. */
export type SortKey = (typeof sortKeys)[number]

/** What is shown of a network's feeds: everything that a link to this view has to say. */
export interface ViewState {
  readonly network: NetworkName
  /** Part of a symbol, in whatever case. */
  readonly search: string
  /** A status, `served`, `not-served`, or nothing for all. */
  readonly show: string
  readonly sortBy: SortKey
  readonly descending: boolean
  /** The symbol of the feed that is open. */
  readonly feed: string | undefined
}

/** What can be picked of the feeds: all, those that a contract would be served or not, and those of one status. */
const shows = ['', 'served', 'not-served', ...chipLabels]

/** Parses the query of the page's URL; what it does not say, or says wrongly, is as at first sight. */
export function parseViewState(query: string): ViewState {
  const parameters = new URLSearchParams(query)
  const sort = parameters.get('sort') ?? ''
  return {
    network: parameters.get('network') === 'testnet' ? 'testnet' : 'mainnet',
    search: (parameters.get('search') ?? '').slice(0, 40),
    show: shows.find(show => show === parameters.get('show')) ?? '',
    sortBy: sortKeys.find(key => key === sort.replace(/^-/, '')) ?? 'symbol',
    descending: sort.startsWith('-'),
    feed: parameters.get('feed')?.slice(0, 40) || undefined,
  }
}

/** Writes the query of a view's URL, with what differs from the first sight and nothing else; empty for the first sight itself. */
export function formatViewState({ network, search, show, sortBy, descending, feed }: ViewState): string {
  const parameters = new URLSearchParams()
  if (network !== 'mainnet') parameters.set('network', network)
  if (search !== '') parameters.set('search', search)
  if (show !== '') parameters.set('show', show)
  if (sortBy !== 'symbol' || descending) parameters.set('sort', (descending ? '-' : '') + sortBy)
  if (feed !== undefined) parameters.set('feed', feed)
  return parameters.size === 0 ? '' : `?${parameters}`
}
