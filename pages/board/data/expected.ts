import { errorSelectors } from '../../../api/error-selectors.ts'
import type { ShownRecord } from './responses.ts'

const selectors: Readonly<Record<string, string>> = errorSelectors

/** Formats what `latestRoundData()` of a feed returns at the block of the record. */
export function formatExpected(record: ShownRecord): string {
  const { answerRaw, servesLatestRoundData, latestRoundDataReverts: error } = record
  if (error === undefined)
    return `Expect ${servesLatestRoundData ? '' : 'something else than '}${answerRaw} as the second value (8 decimals).`
  if (error === 'unnamed') return 'Expect a revert without a selector.'
  return `Expect a revert with ${[error, selectors[error] ?? []].flat().join(', ')}.`
}
