/** Something that is done again and again. */
export interface Poll {
  /** Does it now, and goes on from there. */
  readonly now: () => void
}

/**
 * Does something again and again, as soon as each time says; not while nobody sees the page, and at once when somebody does again.
 *
 * @param work tells after how many milliseconds it wants to be done again, or that it does not want to
 */
export function startPoll(work: () => Promise<number | undefined>): Poll {
  let timer: ReturnType<typeof setTimeout> | undefined
  let dueAt: number | undefined
  let turn = 0

  async function run(): Promise<void> {
    turn += 1
    const mine = turn
    clearTimeout(timer)
    dueAt = undefined
    const waitMs = await work()
    // Whoever began later goes on alone.
    if (mine !== turn || waitMs === undefined) return
    dueAt = Date.now() + waitMs
    timer = setTimeout(runIfSeen, waitMs)
  }
  function runIfSeen(): void {
    if (document.visibilityState === 'visible' && dueAt !== undefined && Date.now() >= dueAt - 20) void run()
  }

  document.addEventListener('visibilitychange', runIfSeen)
  return { now: () => void run() }
}
