import type { FeedStatus } from '../../api/statuses.ts'
import { isUnreadable, type ShownEntry } from './price-response.ts'

/** The label of a feed that cannot be read. */
const unreadable = 'Unreadable'

/**
 * What each label of a chip means, and what a lending market gets, in the order of the contract's enum. The record of a feed
 * shows the latter as the contract returned it. `api/statuses.ts` has all conditions.
 */
export const meanings: Readonly<Record<FeedStatus | typeof unreadable, readonly [meaning: string, market: string]>> = {
  OK: ['The price is not older than the feed’s limit. The market may be closed.', 'A lending market is served.'],
  'Market closed': [
    'The market is closed, and the price is older than the feed’s limit. As a rule it is the last price before the close.',
    'A lending market is served if the feed was deployed to serve prices of a closed market.',
  ],
  Stale: [
    'The price is older than the feed’s limit. If the market is closed, the price was already too old at the close.',
    'A lending market is refused.',
  ],
  'Oracle paused': ['The token’s oracle is paused.', 'A lending market is refused.'],
  Straddle: [
    'The price was observed before a change of the multiplier that the feed had not recorded. The multiplier shown is ' +
      'the current one, and the price is computed with it.',
    'A lending market is refused.',
  ],
  'Corporate action': [
    'The multiplier has changed. The change is large, or the feed had not recorded it. The price was observed before ' +
      'the change or shortly after it: within the feed’s grace period, as a rule 30 minutes.',
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

/** Explains the status of a feed, and a refusal. What is only the last known state is not explained as the current one. */
export function explain(entry: ShownEntry, isLastKnown: boolean): string {
  const sentences = [lookUp(statusOf(entry))[0], ...toRefusal(entry)]
  return `${isLastKnown ? 'When it was last read: ' : ''}${sentences.join(' ')}`
}

function toRefusal(entry: ShownEntry): readonly string[] {
  if (isUnreadable(entry) || entry.servesLatestRoundData) return []
  const { status, latestRoundDataReverts: error } = entry
  if (error === undefined) return ['latestRoundData() returns another answer, which this service does not report.']
  const reverts = `latestRoundData() reverts with ${error}.`
  // With this status, the feed's error has no other cause.
  const isRefusedWhenClosed = status === 'Market closed' && error === 'FeedUnavailable'
  return isRefusedWhenClosed
    ? ['This feed was not deployed to serve a price while the market is closed.', reverts]
    : [reverts]
}

function lookUp(label: string): readonly [meaning: string, market: string] {
  return new Map(Object.entries(meanings)).get(label) ?? meanings[unreadable]
}

/** Converts a label or a filter to the form of `data-status`: `market-closed`. */
export function toSlug(label: string): string {
  return label.toLowerCase().replaceAll(' ', '-')
}
