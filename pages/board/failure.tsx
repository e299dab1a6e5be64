import type { Failed, Latest } from './latest.ts'

interface FailureProps {
  readonly id?: string
  /** A text in place of the failure, for a request that is not repeated. */
  readonly instead?: string | undefined
  readonly latest: Latest<unknown>
  /** Whether values of an earlier response are still shown. */
  readonly hasValue: boolean
  readonly nowMs: number
  readonly onRetry: () => void
}

/** The last request's failure, if it failed, and when the next attempt is. */
export function Failure({ id, instead, latest: { failed, isRetrying }, hasValue, nowMs, onRetry }: FailureProps) {
  const isRepeated = instead === undefined && failed?.isPermanent === false
  return (
    <div class="failure">
      <p id={id} role="status">
        {instead ?? (failed && formatFailure(failed, hasValue))}
      </p>
      {isRepeated && <Retry {...{ failed, isRetrying, nowMs, onRetry }} />}
    </div>
  )
}

/** Formats a failure. It contains no countdown, because a screen reader would read each second. */
function formatFailure({ title, detail, isPermanent }: Failed, hasValue: boolean): string {
  const lastValues = hasValue ? ' What you see are the last good values.' : ''
  return `${title}. ${detail}${lastValues}${isPermanent ? '' : ' Trying again.'}`
}

interface RetryProps extends Pick<FailureProps, 'nowMs' | 'onRetry'> {
  readonly failed: Failed
  readonly isRetrying: boolean | undefined
}

/** Outside the status region, because a screen reader would read the countdown each second. */
function Retry({ failed, isRetrying, nowMs, onRetry }: RetryProps) {
  const seconds = Math.ceil((failed.failedAtMs + failed.waitMs - nowMs) / 1_000)
  const isUnderWay = isRetrying || seconds <= 0
  const isHeld = isUnderWay || failed.isThrottled
  return (
    <p class="retry">
      {/* Not disabled: it would lose the focus. */}
      <button type="button" class="copy" aria-disabled={isHeld} onClick={() => isHeld || onRetry()}>
        Retry now
      </button>
      <span>
        {isUnderWay
          ? 'Requesting…'
          : `Next attempt in ${seconds} s${failed.isThrottled ? ', as the service requests' : ''}`}
      </span>
    </p>
  )
}
