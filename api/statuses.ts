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

/**
 * What is true while a feed has a status, in every state of the contract (D31), in the order in which it decides.
 *
 * @see https://github.com/Slate-Protocol/slate/blob/9b1e3635433ad0d7a7cd31e89141d1ac142d5f98/contracts/src/feeds/SlateFeed.sol
 */
export const statusMeanings: Readonly<Record<FeedStatus, string>> = {
  'No data': 'The price source returned no usable price, or the multiplier is zero.',
  'Oracle paused': 'The token reports that its oracle is paused.',
  Straddle:
    'The share price was observed before a switch of the multiplier (shares per token), such as a split, that the feed ' +
    'has not recorded, and the multiplier is the one after it. The price can be too high or too low by the whole ' +
    'change: for example, after a 10:1 split, ten times too high.',
  'Corporate action':
    'The price was observed before the last switch of the multiplier (shares per token) or shortly after it, and the ' +
    'switch is large or not recorded by the feed.',
  OK: "The price is not older than the feed's limit.",
  'Market closed': "The price is older than the feed's limit, but was not when the market closed.",
  Stale: "The price is older than the feed's limit. The market is open, or the price was already too old at the close.",
}

/** Whether `latestRoundData()` of a feed returns the price. The board does not show it. */
export const statusServed: Readonly<Record<FeedStatus, 'yes' | 'no' | 'if the feed was deployed for it'>> = {
  'No data': 'no',
  'Oracle paused': 'no',
  Straddle: 'no',
  'Corporate action': 'no',
  OK: 'yes',
  'Market closed': 'if the feed was deployed for it',
  Stale: 'no',
}

/** What the meanings leave out of the contract's conditions, in Markdown. The board does not show it. */
export const statusDetails: Readonly<Record<FeedStatus, string>> = {
  'No data': `The source returned no observation, a price of zero or less, or a price with more than 36 decimals. Or the
multiplier that the feed would use is zero.`,
  'Oracle paused': `The token's \`oraclePaused()\` is true. On the testnet the status does not occur: Robinhood's tokens
there do not have this function, and labTSLA's own token always returns false.`,
  Straddle: `The switch is the last one, and the token has staged no further change. \`price\` is computed with
\`multiplier\`. Example: 1,102.9 USD per share, observed before a 10:1 split. After it, 1,102.9 × 10 = 11,029 USD per
token, while the token is worth about 1,102.9.`,
  'Corporate action': `The last switch is recorded and large, and the price was observed before it, or less than the grace
period after it. Or the last switch is not recorded, and the price was observed at the switch, or less than the grace
period after it. In both cases the token has staged no further change. Example: the multiplier switches from 1 to 10 at
14:00, as recorded, and the price was observed at 13:59, or at 14:20 with a grace period of 30 minutes. The status ends
with a price that was observed at 14:30 or later.`,
  OK: 'The market may be closed.',
  'Market closed': `The price was observed after the close, or before it by at most the limit. As deployed, every feed of this
service serves such a price.`,
  Stale: 'If the market is closed, the price was observed before the close by more than the limit.',
}

/** Returns the anchor of a status in the reference: `status-market-closed`. */
export function toStatusId(status: FeedStatus): string {
  return `status-${status.toLowerCase().replaceAll(' ', '-')}`
}

/** What the words in the meanings and conditions stand for, in Markdown. */
export const statusTerms = `- **Time**: the feed decides at the time of the block (*Age*). On the testnet that may be long ago. If a contract
  calls the feed now, the feed decides at the time of a new block, and may return another status.
- **Limit and grace period** are constants of each feed. The limit is \`maxAgeSeconds\` in the list. The grace period,
  which no field shows, is 30 minutes; for labTSLA it is 5 minutes.
- **The market** is the feed's own calendar of Robinhood's session, which is 24 hours on five days, and not the hours
  of the exchange. As deployed, the calendar has holidays until the end of 2028.
- **Large**: as deployed, a recorded switch is large if the multiplier differs by 5.01 % or more from the recorded one
  before it. If it is not large, the age of the price decides.
- **Further change**: it can hide the switch before it (*A served price can be wrong*).`
