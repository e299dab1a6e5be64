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
 * @param task returns the delay until the next run in milliseconds, or undefined to stop. It must ignore its result if
 *   `isCurrent` returns false, because a newer run has started.
 * @returns a function that runs the task now and continues from there
 */
export function startPoll(task: (isCurrent: () => boolean) => Promise<number | undefined>): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let due = never
  let runs = 0

  async function run(): Promise<void> {
    clearTimeout(timer)
    due = never
    runs += 1
    const started = runs
    const isCurrent = () => started === runs
    const waitMs = await task(isCurrent).catch(error => {
      reportError(error)
      return retryMs
    })
    if (!isCurrent() || waitMs === undefined) return
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
  return () => void run()
}
