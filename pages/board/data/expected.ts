import { errorSelectors } from '../../../api/error-selectors.ts'
import { feedStatuses } from '../../../api/statuses.ts'
import type { ShownRecord } from './responses.ts'

const selectors: Readonly<Record<string, string>> = errorSelectors

/**
 * Formats what `latestRoundData()` of a feed returns at the block of the record. The block is named because the record
 * can be a newer one when the result of a copied command is compared with this text.
 */
export function formatExpected(record: ShownRecord): string {
  const { block, answerRaw, servesLatestRoundData, latestRoundDataReverts: error } = record
  const expect = `At block ${block}, expect`
  if (error === undefined)
    return `${expect} ${servesLatestRoundData ? '' : 'something else than '}${answerRaw} as the second value (8 decimals).`
  if (error === 'unnamed') return `${expect} a revert without a selector.`
  // The argument of this error is the value of the status in the contract's enum.
  const argument = error === 'FeedUnavailable' ? `(${feedStatuses.indexOf(record.status)})` : ''
  return `${expect} a revert with ${[error + argument, selectors[error] ?? []].flat().join(', ')}.`
}
