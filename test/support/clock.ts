import { setImmediate as turn } from 'node:timers/promises'
import { vi } from 'vitest'

/**
 * Stops the clock of all time limits. `vi.advanceTimersByTimeAsync` moves it, and `vi.useRealTimers` starts it again.
 *
 * Sockets, `Date` and `node:timers/promises` go on. So on no machine, a time limit is reached before a test moves the
 * clock to it.
 *
 * Sockets also work between two timers of an asynchronous advance. Where that could change the outcome, a test moves
 * the clock to one timer at a time and waits ({@link until}), or uses `vi.advanceTimersByTime`.
 */
export function stopClock(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
}

/**
 * Waits for what happens at sockets. Vitest's own `waitFor` and `poll` move a stopped clock.
 *
 * @throws {Error} with the condition, before the runner's limit, which does not name it
 */
export async function until(isSo: () => boolean): Promise<void> {
  const end = process.uptime() + 500
  while (!isSo()) {
    if (process.uptime() > end) throw new Error(`Not so after 500 s: ${isSo}`)
    await turn()
  }
}

/**
 * Stops `performance.now`, by which the local server keeps responses, so that none expires before a test moves the
 * clock. The disposal of the returned clock starts it again.
 */
export function stopPerformance() {
  const { now } = performance
  let nowMs = performance.now()
  performance.now = () => nowMs
  return {
    advance(ms: number): void {
      nowMs += ms
    },
    [Symbol.dispose](): void {
      performance.now = now
    },
  }
}
