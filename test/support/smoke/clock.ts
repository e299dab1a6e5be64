import type { Clock } from '../../../smoke/client.ts'

/** Creates a clock that only sleeping moves, and that at once. A run takes the same time on it, however slow the machine. */
export function createClock(): Clock {
  let elapsedMs = 0
  return {
    nowMs: () => elapsedMs,
    async sleep(ms) {
      elapsedMs += ms
    },
  }
}
