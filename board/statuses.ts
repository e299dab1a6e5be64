import type { FeedStatus } from '../lambda/feeds/price-record.ts'
import { isUnreadable, type ShownEntry } from './price-answer.ts'

/** What each status means, and what a lending market gets. */
export const meanings: Readonly<Record<FeedStatus, string>> = {
  OK: 'The price is current. A lending market is served.',
  'Market closed':
    'The price is the last one signed before the market closed. Whether a lending market is served is set at the feed’s deployment.',
  Stale:
    'The price is older than the feed’s limit. This can happen with the market open or closed. A lending market is refused.',
  'Oracle paused': 'The token’s oracle is paused. A lending market is refused.',
  Straddle:
    'The price was observed before a change of the multiplier. The multiplier shown is the current one, and the price is computed with it. A lending market is refused.',
  'Corporate action':
    'The multiplier has changed, and the feed has not measured the change yet. The change can be large, as in a split, or small, as with a dividend. A lending market is refused.',
  'No data': 'There is no usable price. A lending market is refused.',
}

/** The label of a feed that cannot be read. */
const unreadable = 'Unreadable'

/** Every label that a chip can have, in the order of the contract's enum. */
export const chipLabels: readonly string[] = [...Object.keys(meanings), unreadable]

/** Returns the status of a feed, or the label of a feed that cannot be read. */
export function statusOf(entry: ShownEntry): string {
  return isUnreadable(entry) ? unreadable : entry.status
}

/** Explains a status, or why there is none. A status that is only the last known one is not explained as the current one. */
export function meaningOf(status: string, isLastKnown = false): string {
  const noFeed = 'The chain answered, but this address did not return valid feed data. Its price is unknown.'
  return (isLastKnown ? 'When it was last read: ' : '') + (new Map(Object.entries(meanings)).get(status) ?? noFeed)
}

/** Returns a status or a filter as an id and a CSS attribute name it. */
export function toSlug(status: string): string {
  return status.toLowerCase().replaceAll(' ', '-')
}
