import { statusMeanings, toStatusId } from '../../../api/statuses.ts'
import { formatExactPrice, formatShares } from '../data/numbers.ts'
import { apiUrl } from '../data/requests.ts'
import type { Entry, ShownRecord } from '../data/responses.ts'
import { formatVerdict, marks, toVerdict } from '../data/verdict.ts'

interface PriceAndVerdictProps {
  readonly entry: Entry
  readonly isPast: boolean
}

/**
 * The verdict, the price with every digit and what it is made of, and why. A screen reader also reads each change of the
 * verdict.
 */
export function PriceAndVerdict({ entry, isPast }: PriceAndVerdictProps) {
  const verdict = toVerdict(entry)
  return (
    <section class={[isPast ? 'past' : [], verdict === 'served' ? [] : 'refused'].flat().join(' ')}>
      <h3 class="verdict" aria-live="polite">
        <span aria-hidden="true">{marks[verdict]}</span> <span>{formatVerdict(entry, isPast)}</span>
      </h3>
      {entry.problem === undefined ? <Price record={entry} isPast={isPast} /> : <p>{entry.problem.detail}</p>}
    </section>
  )
}

/**
 * The price, what a lending market gets, and the status.
 *
 * The meaning of a status is in the present tense. For a past reading it may no longer be true, so the meaning is then
 * stated as that of the word.
 */
function Price({ record, isPast }: { readonly record: ShownRecord; readonly isPast: boolean }) {
  const { price, answerRaw, sharePrice, multiplier, status } = record
  const { servesLatestRoundData, latestRoundDataReverts: error } = record
  const meaning = statusMeanings[status]
  const answer = price === null ? `the answer ${answerRaw}` : 'this price'
  const result = servesLatestRoundData ? answer : 'something else'
  return (
    <>
      <p class="price">
        <span>{price === null ? 'No price' : `${formatExactPrice(price)} USD`}</span>{' '}
        {price !== null && <small>per token</small>}
      </p>
      {sharePrice !== null && multiplier !== null && (
        <p class="soft">{`${formatExactPrice(sharePrice)} USD per share ×\xA0${formatShares(multiplier)} per token`}</p>
      )}
      <p>
        {!servesLatestRoundData && price !== null && <strong>Do not use this price. </strong>}
        <span>{`A lending market ${isPast ? 'would have got' : 'gets'} ${error === undefined ? result : 'no price'}: its call, `}</span>
        <a href={`${apiUrl}docs#feed-served`}>
          <code>latestRoundData()</code>
        </a>
        <span>
          {error === undefined
            ? `, ${isPast ? 'returned' : 'returns'} it.`
            : `, ${isPast ? 'reverted' : 'reverts'} with ${error}.`}
        </span>
      </p>
      <p>
        Status: <a href={`${apiUrl}docs#${toStatusId(status)}`}>{status}</a>.{' '}
        <span>{isPast ? `Meaning: ${meaning}` : meaning}</span>
      </p>
      {servesLatestRoundData && (
        <p>
          For inspection only: it{' '}
          <a href={`${apiUrl}docs#a-served-price-can-be-wrong`}>
            can still be wrong after a split, by its whole factor
          </a>
          .
        </p>
      )}
    </>
  )
}
