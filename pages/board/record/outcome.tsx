import { statuses } from '../../../api/statuses.ts'
import { group } from '../data/numbers.ts'
import type { Entry, ExactRecord } from '../data/responses.ts'
import { formatVerdict, marks, toVerdict } from '../data/verdict.ts'

interface OutcomeProps {
  readonly entry: Entry
  readonly isPast: boolean
}

/** The verdict, the price with every digit and what it is made of, and why. */
export function Outcome({ entry, isPast }: OutcomeProps) {
  const verdict = toVerdict(entry)
  const text = formatVerdict(entry)
  return (
    <section class={isPast ? 'past' : verdict === 'served' ? undefined : 'refused'}>
      <p class="verdict">
        <span aria-hidden="true">{`${marks[verdict]} `}</span>
        <span>
          {isPast
            ? `When last read, ${text.replace(/^served/, 'a contract got this price')}`
            : text.slice(0, 1).toUpperCase() + text.slice(1)}
        </span>
      </p>
      {entry.problem === undefined && <Price record={entry} isPast={isPast} />}
    </section>
  )
}

/**
 * The price, and what the call of a lending market returned.
 *
 * The meaning of a status is in the present tense, so it is left out of what is past.
 */
function Price({ record, isPast }: { readonly record: ExactRecord; readonly isPast: boolean }) {
  const { price, sharePrice, multiplier, status, servesLatestRoundData, latestRoundDataReverts: error } = record
  const answer = servesLatestRoundData ? 'this price' : 'another answer, which this service does not report'
  return (
    <>
      <p class="price">{price === null ? 'No price' : `${group(price)} USD`}</p>
      {sharePrice !== null && multiplier !== null && (
        <p class="soft">{`${group(sharePrice)} USD per share ×\xA0${group(multiplier)}`}</p>
      )}
      <p>
        {!isPast && <span>{`${statuses[status].meaning} `}</span>}
        {/* With this status, the feed's error has no other cause. */}
        {!isPast && status === 'Market closed' && error === 'FeedUnavailable' && (
          <span>{'This feed was not deployed to serve such a price. '}</span>
        )}
        <code>latestRoundData()</code>
        <span>
          {error === undefined
            ? ` ${isPast ? 'returned' : 'returns'} ${answer}`
            : ` ${isPast ? 'reverted' : 'reverts'} with `}
        </span>
        {error !== undefined && <code>{error}</code>}.
      </p>
    </>
  )
}
