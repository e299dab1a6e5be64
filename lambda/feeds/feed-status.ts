/** The labels of a feed's status, each at the value that the contract's enum `FeedStatus` gives it (D12). */
export const feedStatuses = [
  'OK',
  'Market closed',
  'Stale',
  'Oracle paused',
  'Straddle',
  'Corporate action',
  'No data',
] as const

/** A feed's own word on its price. */
export type FeedStatus = (typeof feedStatuses)[number]
