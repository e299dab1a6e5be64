/** The labels of a feed's status, each at its value in the contract's enum `FeedStatus`. */
export const feedStatuses = [
  'OK',
  'Market closed',
  'Stale',
  'Oracle paused',
  'Straddle',
  'Corporate action',
  'No data',
] as const

export type FeedStatus = (typeof feedStatuses)[number]

/** When a feed has each status, in the order in which it decides. */
export const statusMeanings: Readonly<Record<FeedStatus, string>> = {
  'No data': 'the price source has no usable observation, or the multiplier is zero. Not served.',
  'Oracle paused': "the token's oracle is paused. Not served.",
  Straddle:
    'the price was observed before the last change of the multiplier, and the feed had not recorded that change. ' +
    '`multiplier` and `price` are computed with the multiplier of now, so `price` may be wrong by the whole change. ' +
    'Not served.',
  'Corporate action':
    'the feed had recorded the last change of the multiplier, the change is large (above 5 %), and the price was ' +
    'observed before it or less than the grace period after it. Or the feed had not recorded the change, and the ' +
    'price was observed less than the grace period after it. Not served.',
  OK: "the price is not older than the feed's limit. The market may be closed. The feed serves it.",
  'Market closed':
    'the price is older than the limit, the market is closed, and the price was observed after the close or at most ' +
    'the limit before it. As a rule it is the last price before the close. The feed serves it if it was deployed to ' +
    'serve prices of a closed market.',
  Stale:
    'the price is older than the limit; and the market is open, or the price was observed more than the limit before ' +
    'the close. Not served.',
}
