import { type Network, toQuery } from '../../api/networks.ts'
import { findSimilar } from '../../api/similar-symbols.ts'
import { type FeedNames, findElsewhere } from './feed-names.ts'
import type { Latest, Loaded } from './latest.ts'
import type { ShownEntry, ShownList, ShownRecord } from './price-response.ts'
import type { View } from './view.ts'

/** The feed that a view has open. */
export interface OpenFeed {
  /** Path of its record, below the API's URL. */
  readonly path: string
  /** Its symbol on this network or on another, or a fixed text: never the text from the page's URL. */
  readonly heading: string
  /** The company or fund, or an empty text. */
  readonly name: string
  /** Its record, or the list's entry until the record is loaded. */
  readonly known: ShownEntry | undefined
  /** When `known` was read, on the clock of this machine, in milliseconds. */
  readonly readAtMs: number | undefined
  /** Whether the network has no such feed. Its record is not requested then. */
  readonly isUnknown: boolean
  /** The other networks that have a feed of this symbol, with the symbol in that network's spelling. */
  readonly elsewhere: readonly (readonly [Network, string])[]
  /** Similar symbols of this network if no network has the symbol. */
  readonly similar: readonly string[]
}

/** What a symbol can be: no path, and nothing that a URL has to encode. */
const symbolForm = /^\w[\w.-]{0,19}$/

/** Finds the open feed. The case of its symbol in the page's URL does not matter. */
export function findOpenFeed(
  { feed, network, hasUnknownNetwork }: View,
  list: Loaded<ShownList> | undefined,
  record: Latest<ShownRecord>,
  feedNames: FeedNames,
): OpenFeed | undefined {
  if (feed === undefined || hasUnknownNetwork) return undefined
  const isSame = (symbol: string) => symbol.toLowerCase() === feed.toLowerCase()
  const entry = list?.value.feeds.find(({ symbol }) => isSame(symbol))
  const known = record.loaded?.value ?? entry
  const isImpossible = !symbolForm.test(feed) || list !== undefined || record.failed?.isPermanent === true
  const isUnknown = known === undefined && isImpossible
  const elsewhere = findElsewhere(feedNames, network, isSame)
  const registered = Object.entries(feedNames[network]).find(([symbol]) => isSame(symbol))
  const symbol = known?.symbol ?? registered?.[0] ?? elsewhere[0]?.[1]
  return {
    path: `price/${feed}${toQuery(network)}`,
    heading: symbol ?? (isUnknown ? 'Unknown symbol' : 'Feed'),
    name: registered?.[1] ?? '',
    known,
    readAtMs: record.loaded?.readAtMs ?? (entry && list?.readAtMs),
    isUnknown,
    elsewhere,
    similar: isUnknown && elsewhere.length === 0 ? findSimilar(feed, Object.keys(feedNames[network])) : [],
  }
}
