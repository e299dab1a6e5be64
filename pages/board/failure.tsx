import type { Failed } from './data/latest.ts'

/** Why the last request failed, and when the next one is made. */
export function Failure({ failed }: { readonly failed: Failed | undefined }) {
  return (
    <p class={failed && 'failure'}>
      <span role="status">{failed && <span>{`${failed.title}. ${failed.detail}`}</span>}</span>
      {/* Outside of the status, because a screen reader would read it with every attempt. */}
      {failed?.isPermanent === false && (
        <span>{` Next attempt at ${failed.nextAttempt.toTimeString().slice(0, 8)}.`}</span>
      )}
    </p>
  )
}
