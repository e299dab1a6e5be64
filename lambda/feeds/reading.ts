import type { ServedChain } from '../../api/networks.ts'
import type { FeedStatus } from '../../api/statuses.ts'
import type { Feed } from './registry.ts'

/** What `latestDetail()` returned. */
export interface Detail {
  readonly status: FeedStatus
  /** USD per token, 8 decimals. */
  readonly answer: bigint
  /** Unix seconds, in the year 9999 at the latest. */
  readonly observedAt: number
  /** USD per share, 8 decimals. */
  readonly sharePrice: bigint
  /** Shares per token (ERC-8056), 18 decimals. */
  readonly multiplier: bigint
}

/** What `latestRoundData()` did: return an answer (8 decimals), revert with a named error, or return something else. */
export type RoundData = { readonly answer: bigint } | { readonly reverts: string } | { readonly malformed: true }

/** What both calls returned for one feed, at one block. */
export interface FeedReading {
  readonly feed: Feed
  readonly detail: Detail
  readonly roundData: RoundData
}

/** A feed that cannot be read. */
export interface FailedReading {
  readonly feed: Feed
  /** Whether its address has code. */
  readonly hasCode: boolean
  /** Why it cannot be read, as the end of a sentence that begins with the feed. */
  readonly unreadable: string
}

/** The block at which a read was made, and when its reply arrived. */
export interface ReadBlock {
  readonly chain: ServedChain
  /** The chain's own (L2) block number. */
  readonly block: number
  /** Our clock when the reply of this reading arrived. */
  readonly readAt: Date
}

/** What every feed of a request returned at one block, in the order of the request. */
export interface ChainReading extends ReadBlock {
  /** The block's timestamp in Unix seconds. */
  readonly blockTime: number
  readonly feeds: readonly (FeedReading | FailedReading)[]
}

export function isWithoutCode(feed: FeedReading | FailedReading): boolean {
  return 'unreadable' in feed && !feed.hasCode
}
