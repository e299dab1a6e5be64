import { statuses } from '../../../api/statuses.ts'
import { group } from '../data/numbers.ts'
import { type Entry, type ExactRecord, isUnreadable } from '../data/responses.ts'
import { formatVerdict, marks, toVerdict } from '../data/verdict.ts'

interface OutcomeProps {
  readonly entry: Entry
  /** Whether the last request has failed: then all is in the past tense. */
  readonly isLastKnown: boolean
}

/** The verdict, the price with every digit and what it is made of, and why. */
export function Outcome({ entry, isLastKnown }: OutcomeProps) {
  const verdict = toVerdict(entry)
  const text = formatVerdict(entry)
  return (
    <section>
      <p class="verdict" data-verdict={verdict}>
        <span aria-hidden="true">{marks[verdict]} </span>
        {isLastKnown
          ? `When last read, ${text.replace(/^served/, 'a contract got this price')}`
          : text.slice(0, 1).toUpperCase() + text.slice(1)}
      </p>
      {!isUnreadable(entry) && <Price record={entry} isMuted={isLastKnown || verdict !== 'served'} />}
      {isUnreadable(entry) ? <p>{entry.problem}</p> : <Reason record={entry} isLastKnown={isLastKnown} />}
    </section>
  )
}

function Price({ record, isMuted }: { readonly record: ExactRecord; readonly isMuted: boolean }) {
  const [price, sharePrice, multiplier] = [record.price, record.sharePrice, record.multiplier].map(exact =>
    exact === null ? '–' : group(exact),
  )
  return (
    <>
      <p class={isMuted ? 'price soft' : 'price'}>{`${price} USD`}</p>
      <p class="soft">{`${sharePrice} USD per share × ${multiplier}`}</p>
    </>
  )
}

/** What the status means, and what the call of a lending market returned. The meaning is of the block that was read. */
function Reason({ record, isLastKnown }: { readonly record: ExactRecord; readonly isLastKnown: boolean }) {
  const { status, servesLatestRoundData, latestRoundDataReverts: error } = record
  const [returns, reverts] = isLastKnown ? ['returned', 'reverted'] : ['returns', 'reverts']
  const answer = servesLatestRoundData ? 'this price' : 'another answer, which this service does not report'
  const result = error === undefined ? `${returns} ${answer}` : `${reverts} with ${error}`
  // With this status, the feed's error has no other cause.
  const isRefusedWhenClosed = status === 'Market closed' && error === 'FeedUnavailable'
  return (
    <p>
      {!isLastKnown && `${statuses[status].meaning} `}
      {!isLastKnown && isRefusedWhenClosed && 'This feed was not deployed to serve such a price. '}
      <code>latestRoundData()</code> {result}.
    </p>
  )
}
