import { secondsSince } from './data/clock.ts'
import type { Due, Latest } from './data/latest.ts'

interface FailureProps {
  readonly latest: Latest
  readonly due: Due
}

/** Why the last request failed, and when the next one is made. */
export function Failure({ latest: { failed }, due }: FailureProps) {
  return (
    <p class={failed && 'failure'}>
      <span role="status">{failed && <span>{`${failed.title}. ${failed.detail}`}</span>}</span>
      {/* The time of the next attempt is outside of the status: a screen reader would read it with every attempt. */}
      {failed && <span>{` Next attempt ${formatDelay(due)}.`}</span>}
    </p>
  )
}

function formatDelay({ since, waitMs, isRunning }: Due): string {
  const seconds = Math.ceil(waitMs / 1_000 - secondsSince(since))
  return seconds > 0 && !isRunning ? `in ${seconds} s` : 'now'
}
