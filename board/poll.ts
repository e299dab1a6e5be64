/** Something that is done again and again. */
export interface Poll {
  /** Does it now, and goes on from there; what was under way is told to stop. */
  readonly now: () => void
}

/** After work that threw it is done again so much later, as after an answer that nobody understands. */
const afterThrowMs = 10_000

/**
 * Does something again and again, as soon as each time says; not while nobody sees the page, and at once when somebody does again.
 *
 * @param work tells after how many milliseconds it wants to be done again, or that it does not want to; the signal tells it that
 *   its turn is over, and that nothing of it is wanted any more
 */
export function startPoll(work: (turn: AbortSignal) => Promise<number | undefined>): Poll {
  let timer: ReturnType<typeof setTimeout> | undefined
  let dueAt: number | undefined
  let turn = new AbortController()

  async function run(): Promise<void> {
    turn.abort()
    turn = new AbortController()
    const { signal } = turn
    clearTimeout(timer)
    dueAt = undefined
    const waitMs = await work(signal).catch(() => afterThrowMs)
    // Whoever began later goes on alone.
    if (signal.aborted || waitMs === undefined) return
    dueAt = Date.now() + waitMs
    timer = setTimeout(runIfSeen, waitMs)
  }
  function runIfSeen(): void {
    if (document.visibilityState === 'visible' && dueAt !== undefined && Date.now() >= dueAt - 20) void run()
  }

  document.addEventListener('visibilitychange', runIfSeen)
  return { now: () => void run() }
}
