import { chipLabels, meaningOf, toSlug } from './statuses.ts'

interface StatusChipProps {
  readonly status: string
  /** Whether the last request has failed, so that the status is an earlier one. In a row there is no room for the words. */
  readonly isLastKnown?: boolean
}

/** A chip that shows a status. */
export function StatusChip({ status, isLastKnown = false }: StatusChipProps) {
  return (
    <span class="chip" data-status={toSlug(status)} data-last-known={isLastKnown ? '' : undefined}>
      {isLastKnown && <span class="last-known">{'Last known: '}</span>}
      {status}
    </span>
  )
}

/** What each status and the columns mean, above the page, so that it moves nothing. */
export function Legend() {
  return (
    <>
      <button type="button" class="copy" popovertarget="legend">
        Legend
      </button>
      <dl id="legend" popover="auto" tabIndex={0} aria-label="Legend">
        {chipLabels.map(label => (
          <div key={label}>
            <dt>
              <StatusChip status={label} />
            </dt>
            <dd>{meaningOf(label)}</dd>
          </div>
        ))}
        <div>
          <dt>A contract gets</dt>
          <dd>
            What <code>latestRoundData()</code>, the call of a lending market, returned in the same block: the price,
            zero, another answer, or a revert. The record of the feed has the error of a revert.
          </dd>
        </div>
        <div>
          <dt>Price, USD</dt>
          <dd>Per token, with every digit. The percentage is the change since this page first read it.</dd>
        </div>
        <div>
          <dt>× Multiplier</dt>
          <dd>Shares per token, rounded to six decimals. The record of the feed has all of them.</dd>
        </div>
      </dl>
    </>
  )
}
