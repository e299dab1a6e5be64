import { secondsSince } from './data/clock.ts'
import type { Failed } from './data/latest.ts'

/** Why the last request failed, and when the next one is made. */
export function Failure({ failed }: { readonly failed: Failed | undefined }) {
  return (
    <p class={failed && 'failure'}>
      <span role="status">{failed && <span>{`${failed.title}. ${failed.detail}`}</span>}</span>
      {/* The time of the next attempt is outside of the status: a screen reader would read it with every attempt. */}
      {failed && <span>{` Next attempt ${formatDelay(failed)}.`}</span>}
    </p>
  )
}

function formatDelay({ waitMs, failedMoment }: Failed): string {
  const seconds = Math.ceil(waitMs / 1_000 - secondsSince(failedMoment))
  return seconds > 0 ? `in ${seconds} s` : 'now'
}
