import type { Clock } from '../../smoke/client.ts'

/** Creates a clock that only sleeping moves, at once: however slow the machine, a run takes the same time on it. */
export function createClock(): Clock {
  let elapsedMs = 0
  return {
    nowMs: () => elapsedMs,
    async sleep(ms) {
      const endMs = elapsedMs + ms
      await Promise.resolve()
      elapsedMs = Math.max(elapsedMs, endMs)
    },
  }
}
