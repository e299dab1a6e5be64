import type { Chain } from 'viem'
import type { PriceRecord } from '../../api/schemas/record.ts'
import type { FeedStatus } from '../../api/statuses.ts'
import { type RawNumber, toRawNumber } from './decimal.ts'
import type { Feed } from './registry.ts'

/** What `latestDetail()` returned. */
export interface Detail {
  readonly status: FeedStatus
  /** USD per token, 8 decimals. */
  readonly answer: bigint
  /** Unix seconds, at most the year 9999. */
  readonly observedAt: number
  /** USD per share, 8 decimals. */
  readonly sharePrice: bigint
  /** Shares per token (ERC-8056), 18 decimals. */
  readonly multiplier: bigint
}

/** What `latestRoundData()` did: return an answer (8 decimals), revert with a named error, or return something else. */
export type RoundData = { readonly answer: bigint } | { readonly reverts: string } | 'malformed'

/** What both calls returned for one feed, at one block. */
export interface FeedReading {
  readonly feed: Feed
  readonly detail: Detail
  readonly roundData: RoundData
}

/** Why a feed cannot be read, as the end of a sentence that begins with the feed. */
export interface FailedReading {
  readonly feed: Feed
  readonly unreadable: string
}

/** The parts of a viem chain that a record shows. */
export type ServedChain = Pick<Chain, 'id' | 'name'> & {
  readonly blockExplorers: { readonly default: { readonly url: string } }
}

export interface ReadBlock {
  readonly chain: ServedChain
  /** The chain's own (L2) block number. */
  readonly block: number
  /** Our clock when the node's reply arrived. */
  readonly readAt: Date
}

const priceDecimals = 8
const multiplierDecimals = 18

/**
 * Converts what a feed returned to its price record. Scales integers and computes nothing else (D4).
 *
 * @example
 * toPriceRecord({ feed, detail, roundData }, { chain: robinhood, block: 79_242_031, readAt: new Date() })
 */
export function toPriceRecord(
  { feed, detail, roundData }: FeedReading,
  { chain, block, readAt }: ReadBlock,
): PriceRecord<RawNumber> {
  const { answer, sharePrice, multiplier, observedAt } = detail
  const observed = observedAt > 0
  return {
    symbol: feed.symbol,
    network: chain.name,
    chainId: chain.id,
    status: detail.status,
    servesLatestRoundData: serves(roundData, answer),
    ...(typeof roundData === 'object' && 'reverts' in roundData ? { latestRoundDataReverts: roundData.reverts } : {}),
    price: answer > 0n ? toRawNumber(answer, priceDecimals) : null,
    sharePrice: sharePrice > 0n ? toRawNumber(sharePrice, priceDecimals) : null,
    multiplier: multiplier > 0n ? toRawNumber(multiplier, multiplierDecimals) : null,
    observedAt: observed ? observedAt : null,
    observedAtIso: observed ? new Date(observedAt * 1_000).toISOString() : null,
    ageSeconds: observed ? Math.max(0, Math.floor(readAt.getTime() / 1_000) - observedAt) : null,
    answerRaw: answer.toString(),
    decimals: priceDecimals,
    feed: feed.address,
    token: feed.token,
    explorer: toExplorer(feed, chain),
    block,
    readAt: readAt.toISOString(),
  }
}

function serves(roundData: RoundData, answer: bigint): boolean {
  return typeof roundData === 'object' && 'answer' in roundData && roundData.answer === answer
}

export function toExplorer({ address, token }: Feed, chain: ServedChain): PriceRecord<RawNumber>['explorer'] {
  const explorerUrl = chain.blockExplorers.default.url
  return { feed: `${explorerUrl}/address/${address}`, token: `${explorerUrl}/address/${token}` }
}
