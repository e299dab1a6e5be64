import { type Network, networks, toQuery } from '../lambda/networks.ts'
import type { Latest, Loaded } from './api-result.ts'
import type { ShownEntry, ShownList, ShownRecord } from './price-answer.ts'
import type { View } from './view.ts'

/** The feed that a view has open. */
export interface OpenFeed {
  /** Path of its record, below the API's URL. */
  readonly path: string
  /** Its own symbol, or a fixed text: never the text from the page's URL. */
  readonly heading: string
  /** Its record, or the list's entry until the record is loaded. */
  readonly known: ShownEntry | undefined
  /** When `known` was read, on the clock of this machine, in milliseconds. */
  readonly readAtMs: number | undefined
  /** Whether the network has no such feed. Its record is not requested then. */
  readonly isUnknown: boolean
  /** The other networks that are known to have a feed of this symbol, with the symbol in that network's spelling. */
  readonly elsewhere: readonly (readonly [Network, string])[]
}

/** A symbol that is no path and that a URL does not have to encode. */
const symbolForm = /^\w[\w.-]{0,19}$/

/** Finds the open feed. The case of its symbol in the page's URL does not matter. */
export function toOpenFeed(
  { feed: symbol, network }: View,
  list: Loaded<ShownList> | undefined,
  record: Latest<ShownRecord>,
  feedsByNetwork: ReadonlyMap<Network, readonly ShownEntry[]>,
): OpenFeed | undefined {
  if (symbol === undefined) return undefined
  const isSame = (feed: ShownEntry) => feed.symbol.toLowerCase() === symbol.toLowerCase()
  const entry = list?.value.feeds.find(isSame)
  const known = record.loaded?.value ?? entry
  const isImpossible = !symbolForm.test(symbol) || list !== undefined || record.failed?.isPermanent === true
  const isUnknown = known === undefined && isImpossible
  return {
    path: `price/${symbol}${toQuery(network)}`,
    heading: known?.symbol ?? (isUnknown ? 'Unknown symbol' : 'Feed'),
    known,
    readAtMs: record.loaded?.readAtMs ?? (entry && list?.readAtMs),
    isUnknown,
    elsewhere: networks.flatMap(name => {
      const other = name === network ? undefined : feedsByNetwork.get(name)?.find(isSame)
      return other === undefined ? [] : [[name, other.symbol] as const]
    }),
  }
}
