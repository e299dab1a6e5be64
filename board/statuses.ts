import type { FeedStatus } from '../lambda/feeds/price-record.ts'

/** What each status means, and what a lending market gets. */
export const meanings: Readonly<Record<FeedStatus, string>> = {
  OK: 'The price is current. A lending market is served.',
  'Market closed':
    'The price is the last one signed before the market closed. A lending market is served if the feed was deployed so.',
  Stale: 'The price is too old, though the market is open. A lending market is refused.',
  'Oracle paused': 'The token’s oracle is paused. A lending market is refused.',
  Straddle:
    'The price was observed before a change of the multiplier, and the multiplier of that time is unknown. A lending market is refused.',
  'Corporate action': 'The multiplier has just changed by much, as in a split. A lending market is refused.',
  'No data': 'There is no usable price. A lending market is refused.',
}

/** What stands in a status's place when a feed cannot be read. */
export const unreadable = 'Unreadable'

/** Says what a status means, or why there is none. */
export function meaningOf(status: string): string {
  for (const [name, meaning] of Object.entries(meanings)) if (name === status) return meaning
  return 'The chain answered, but this feed did not answer as a feed does. Nothing is known of its price.'
}

/** Every label that a chip can have, in the contract's order. */
export const chipLabels: readonly string[] = [...Object.keys(meanings), unreadable]
