import { errorSelectors } from '../../../api/error-selectors.ts'
import { feedStatuses } from '../../../api/statuses.ts'
import type { ShownRecord } from './responses.ts'

const selectors: Readonly<Record<string, string>> = errorSelectors

/** Formats what `latestRoundData()` of a feed returns at the block of the record. */
export function formatExpected(record: ShownRecord): string {
  const { answerRaw, servesLatestRoundData, latestRoundDataReverts: error } = record
  if (error === undefined)
    return `Expect ${servesLatestRoundData ? '' : 'something else than '}${answerRaw} as the second value (8 decimals).`
  if (error === 'unnamed') return 'Expect a revert without a selector.'
  // The argument of this error is the value of the status in the contract's enum.
  const argument = error === 'FeedUnavailable' ? `(${feedStatuses.indexOf(record.status)})` : ''
  return `Expect a revert with ${[error + argument, selectors[error] ?? []].flat().join(', ')}.`
}
