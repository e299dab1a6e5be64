/** A task that repeats. */
export interface Poll {
  /** Runs the task now and continues from there. Aborts the run that is under way. */
  readonly restart: () => void
}

/** Delay after a run that threw. */
const retryMs = 10_000

/** Due at no time: a run is under way, or the task has stopped. */
const never = { wallMs: Infinity, monotonicMs: Infinity }

/**
 * Polls at the interval that each run returns. Pauses while the page is hidden, and runs an overdue task when it is
 * visible again.
 *
 * A timer that fires while the page is visible runs the task, whatever the wall clock shows. After the page was hidden,
 * either clock decides: the monotonic one can stand still while the machine sleeps, and the wall clock can be set back.
 *
 * @param task returns the delay until the next run in milliseconds, or undefined to stop. Its signal is aborted when
 *   a newer run has started and the result is not needed any more.
 */
export function startPoll(task: (signal: AbortSignal) => Promise<number | undefined>): Poll {
  let timer: ReturnType<typeof setTimeout> | undefined
  let due = never
  let current = new AbortController()

  async function run(): Promise<void> {
    current.abort()
    current = new AbortController()
    const { signal } = current
    clearTimeout(timer)
    due = never
    const waitMs = await task(signal).catch(error => {
      reportError(error)
      return retryMs
    })
    if (signal.aborted || waitMs === undefined) return
    due = { wallMs: Date.now() + waitMs, monotonicMs: performance.now() + waitMs }
    timer = setTimeout(runOrPostpone, waitMs)
  }
  function runOrPostpone(): void {
    if (document.visibilityState === 'visible') void run()
    else due = { wallMs: 0, monotonicMs: 0 }
  }
  function runIfOverdue(): void {
    const isOverdue = performance.now() >= due.monotonicMs || Date.now() >= due.wallMs
    if (document.visibilityState === 'visible' && isOverdue) void run()
  }

  document.addEventListener('visibilitychange', runIfOverdue)
  return { restart: () => void run() }
}
