import type { ServedChain } from '../../api/networks.ts'
import type { PriceRecord } from '../../api/schemas/record.ts'
import { type RawNumber, toRawNumber } from './decimal.ts'
import type { FeedReading, ReadBlock, RoundData } from './reading.ts'
import type { Feed } from './registry.ts'

const priceDecimals = 8
const multiplierDecimals = 18

/**
 * Converts what a feed returned to its price record. Scales integers and computes nothing else (D4).
 *
 * @example
 * toPriceRecord({ feed, detail, roundData }, { chain: networkFacts.mainnet.chain, block: 79_242_031, readAt: new Date() })
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
    ...('reverts' in roundData ? { latestRoundDataReverts: roundData.reverts } : {}),
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
  return 'answer' in roundData && roundData.answer === answer
}

export function toExplorer({ address, token }: Feed, { explorerUrl }: ServedChain): PriceRecord<RawNumber>['explorer'] {
  return { feed: `${explorerUrl}/address/${address}`, token: `${explorerUrl}/address/${token}` }
}
