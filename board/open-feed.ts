import type { Answered } from './api-answer.ts'
import type { ShownEntry, ShownList } from './exact-json.ts'
import type { NetworkName, ViewState } from './view-state.ts'

/** The feed that is to be open. */
export interface OpenFeed {
  readonly network: NetworkName
  /** What the list says of it. */
  readonly entry: ShownEntry | undefined
  /** When the list was read, on this machine's clock, in milliseconds. */
  readonly readAtMs: number | undefined
  /** Whether there is no such feed, so that nobody has to be asked. */
  readonly isUnknown: boolean
  /** Where its record is, below the API's URL. */
  readonly path: string
}

/** What a symbol can be: no path, nor anything else that a URL has to write in another way. */
const symbolForm = /^\w[\w.-]{0,19}$/

/** Finds the feed that a view has open, whatever the case of its symbol there. */
export function toOpenFeed(
  { feed: symbol, network }: ViewState,
  list: Answered<ShownList> | undefined,
): OpenFeed | undefined {
  if (symbol === undefined) return undefined
  const entry = list?.value.feeds.find(feed => feed.symbol.toLowerCase() === symbol.toLowerCase())
  return {
    network,
    entry,
    readAtMs: list?.readAtMs,
    isUnknown: !symbolForm.test(symbol) || (list !== undefined && entry === undefined),
    path: `price/${symbol}${toQuery(network)}`,
  }
}

/** Gives the query of an API's path: the mainnet needs none. */
export function toQuery(network: NetworkName): string {
  return network === 'mainnet' ? '' : `?network=${network}`
}
