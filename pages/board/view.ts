import { defaultNetwork, isNetwork, type Network } from '../../api/networks.ts'

/** The columns of the table: the key that the rows are sorted by, which is also the CSS class, and the header. */
export const columns = [
  ['symbol', 'Feed'],
  ['served', 'Lending market'],
  ['price', 'USD per token'],
  ['age', 'Age'],
] as const

export type SortKey = (typeof columns)[number][0]

/** What the filter can keep, in the URL. */
export const filters = ['all', 'served', 'not-served'] as const

export type Filter = (typeof filters)[number]

/** What the page shows: everything that a link to this view has to contain. */
export interface View {
  /** Undefined if the URL names a network that does not exist. */
  readonly network: Network | undefined
  readonly search: string
  readonly filter: Filter
  readonly sortBy: SortKey
  readonly descending: boolean
  /** The symbol of the open feed, as in the URL. */
  readonly feed: string | undefined
}

/**
 * Parses the query of the page's URL. A missing or invalid parameter has its default.
 *
 * @example parseView('?sort=-price').descending // true
 */
export function parseView(query: string): View {
  const parameters = new URLSearchParams(query)
  const sort = parameters.get('sort') ?? ''
  const network = parameters.get('network') || defaultNetwork
  return {
    network: isNetwork(network) ? network : undefined,
    search: parameters.get('search') ?? '',
    filter: filters.find(filter => filter === parameters.get('show')) ?? 'all',
    sortBy: columns.find(([key]) => key === sort.replace(/^-/, ''))?.[0] ?? 'symbol',
    descending: sort.startsWith('-'),
    feed: parameters.get('feed') || undefined,
  }
}

/** Formats the query of a view's URL. It contains only what differs from the default view, for which it is empty. */
export function formatView({ network, search, filter, sortBy, descending, feed }: View): string {
  const parameters = new URLSearchParams()
  if (network !== undefined && network !== defaultNetwork) parameters.set('network', network)
  if (search !== '') parameters.set('search', search)
  if (filter !== 'all') parameters.set('show', filter)
  if (sortBy !== 'symbol' || descending) parameters.set('sort', (descending ? '-' : '') + sortBy)
  if (feed !== undefined) parameters.set('feed', feed)
  const query = String(parameters)
  return query === '' ? '' : `?${query}`
}
