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

/** What each status and the columns mean. */
export function Legend() {
  return (
    <details class="legend">
      <summary>Legend</summary>
      <dl>
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
            What <code>latestRoundData()</code>, the call of a lending market, returned in the same block: the price, or
            a revert with the name of its error.
          </dd>
        </div>
        <div>
          <dt>Price, USD</dt>
          <dd>Per token, with every digit. The percentage below it is the change since this page was opened.</dd>
        </div>
        <div>
          <dt>× Multiplier</dt>
          <dd>Shares per token, rounded to six decimals. The record of the feed has all of them.</dd>
        </div>
      </dl>
    </details>
  )
}
