import { setImmediate as turn } from 'node:timers/promises'
import { vi } from 'vitest'

/**
 * Stops the clock of all time limits. `vi.advanceTimersByTimeAsync` moves it, and `vi.useRealTimers` starts it again.
 *
 * Sockets, `Date` and `node:timers/promises` go on. So a time limit is reached on no machine before a test wants it.
 */
export function stopClock(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
}

/** Waits for what happens at sockets. Vitest's own `waitFor` and `poll` move a stopped clock. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await turn()
}
