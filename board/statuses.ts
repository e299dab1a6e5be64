import type { FeedStatus } from '../lambda/feeds/price-record.ts'
import { isUnreadable, type ShownEntry } from './price-response.ts'

/** The label of a feed that cannot be read. */
const unreadable = 'Unreadable'

/**
 * What each label of a chip means, and what a lending market gets, in the order of the contract's enum. The record of a feed
 * shows the latter as the contract returned it.
 */
export const meanings: Readonly<Record<FeedStatus | typeof unreadable, readonly [meaning: string, market: string]>> = {
  OK: ['The price is current.', 'A lending market is served.'],
  'Market closed': [
    'The price is the last one signed before the market closed.',
    'A lending market is served if the feed was deployed to serve it then.',
  ],
  Stale: [
    'The price is older than the feed’s limit. This can happen with the market open or closed.',
    'A lending market is refused.',
  ],
  'Oracle paused': ['The token’s oracle is paused.', 'A lending market is refused.'],
  Straddle: [
    'The price was observed before a change of the multiplier. The multiplier shown is the current one, and the price ' +
      'is computed with it.',
    'A lending market is refused.',
  ],
  'Corporate action': [
    'The multiplier has changed. Either the feed has not measured the change, however small it is; or the change is ' +
      'large, and no price was observed yet 30 minutes (the grace period) or more after it. After a small change that ' +
      'was measured, the status is OK.',
    'A lending market is refused.',
  ],
  'No data': ['There is no usable price.', 'A lending market is refused.'],
  [unreadable]: ['The chain answered, but this address did not return valid feed data.', 'Its price is unknown.'],
}

/** Every label that a chip can have. */
export const chipLabels: readonly string[] = Object.keys(meanings)

/** Returns the status of a feed, or the label of a feed that cannot be read. */
export function statusOf(entry: ShownEntry): string {
  return isUnreadable(entry) ? unreadable : entry.status
}

/** Explains a label, and what a lending market gets. */
export function meaningOf(label: string): string {
  return lookUp(label).join(' ')
}

/** Explains the status of a feed. A status that is only the last known one is not explained as the current one. */
export function explain(entry: ShownEntry, isLastKnown: boolean): string {
  return `${isLastKnown ? 'When it was last read: ' : ''}${lookUp(statusOf(entry))[0]}`
}

function lookUp(label: string): readonly [meaning: string, market: string] {
  return new Map(Object.entries(meanings)).get(label) ?? meanings[unreadable]
}

/** Converts a label or a filter to the form of `data-status`: `market-closed`. */
export function toSlug(label: string): string {
  return label.toLowerCase().replaceAll(' ', '-')
}
