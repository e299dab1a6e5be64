import type { Moment } from '../data/clock.ts'
import type { Latest, Loaded } from '../data/latest.ts'
import type { Entry, ExactList, ExactRecord } from '../data/responses.ts'
import type { View } from '../view.ts'

/** The feed that a view has open. */
export interface OpenFeed {
  /** Its symbol, or a fixed text: never the text from the page's URL. */
  readonly heading: string
  /** The company or fund. */
  readonly name: string | undefined
  /** Its record, or the list's entry if that is newer than the last record, or there is none. */
  readonly known: Entry | undefined
  readonly readMoment: Moment | undefined
}

/** Finds the open feed. The case of its symbol in the page's URL does not matter. */
export function findOpenFeed(
  { feed, hasUnknownNetwork }: View,
  list: Loaded<ExactList> | undefined,
  { loaded, failed }: Latest<ExactRecord>,
): OpenFeed | undefined {
  if (feed === undefined || hasUnknownNetwork) return undefined
  const entry = list?.value.feeds.find(({ symbol }) => symbol.toLowerCase() === feed.toLowerCase())
  const isListNewer =
    loaded === undefined ||
    (failed !== undefined && Date.parse(list?.value.readAt ?? '') > Date.parse(loaded.value.readAt))
  const isOfList = entry !== undefined && isListNewer
  const known = isOfList ? entry : loaded?.value
  return {
    heading: known?.symbol ?? (failed?.isPermanent ? 'Unknown symbol' : 'Feed'),
    name: entry?.name,
    known,
    readMoment: isOfList ? list?.readMoment : loaded?.readMoment,
  }
}
