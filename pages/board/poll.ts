/** A task that repeats. */
export interface Poll {
  /** Runs the task now and continues from there. Aborts the run that is under way. */
  readonly restart: () => void
}

/** Delay after a run that threw. */
const retryMs = 10_000

/**
 * Polls at the interval that each run returns. Pauses while the page is hidden, and runs an overdue task when it is visible again.
 *
 * @param task returns the delay until the next run in milliseconds, or undefined to stop. Its signal is aborted when
 *   a newer run has started and the result is not needed any more.
 */
export function startPoll(task: (signal: AbortSignal) => Promise<number | undefined>): Poll {
  let timer: ReturnType<typeof setTimeout> | undefined
  let dueAtMs: number | undefined
  let current = new AbortController()

  async function run(): Promise<void> {
    current.abort()
    current = new AbortController()
    const { signal } = current
    clearTimeout(timer)
    dueAtMs = undefined
    const waitMs = await task(signal).catch(() => retryMs)
    if (signal.aborted || waitMs === undefined) return
    dueAtMs = Date.now() + waitMs
    timer = setTimeout(runIfVisible, waitMs)
  }
  function runIfVisible(): void {
    // A timer can fire some milliseconds early.
    if (document.visibilityState === 'visible' && dueAtMs !== undefined && Date.now() >= dueAtMs - 20) void run()
  }

  document.addEventListener('visibilitychange', runIfVisible)
  return { restart: () => void run() }
}
