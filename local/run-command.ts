/**
 * Runs a command for a person: a `StartFailure` becomes its message and the exit code 1.
 *
 * The command gets a signal that aborts when the command must end: after SIGINT (Ctrl-C), SIGTERM or SIGHUP, when its output
 * is closed, or when npm has ended. npm forwards no SIGHUP, and it may be killed.
 */
export async function runCommand(command: (signal: AbortSignal) => Promise<void>): Promise<void> {
  // Its requests are to its own processes only.
  process.env['no_proxy'] = '*'
  const interrupted = new AbortController()
  const interrupt = () => interrupted.abort()
  const onSignal = createSignalListener(interrupted)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal)
  for (const output of [process.stdout, process.stderr]) output.on('error', interrupt)
  const { ppid, env } = process
  if (env['npm_lifecycle_event'] !== undefined) setInterval(() => process.ppid !== ppid && interrupt(), 500).unref()
  try {
    await command(interrupted.signal)
  } catch (error) {
    // Ctrl-C in a terminal also ends our child processes, whose failures are then expected.
    if (interrupted.signal.aborted) return
    if (!(error instanceof StartFailure)) throw error
    console.error(error.message)
    process.exitCode = 1
  }
}

/** The first signal interrupts. A later one ends the process at once, but not the same one that npm forwards. */
function createSignalListener(interrupted: AbortController): () => void {
  let laterMs = Number.POSITIVE_INFINITY
  return () => {
    if (performance.now() > laterMs) process.exit(1)
    if (!interrupted.signal.aborted) laterMs = performance.now() + 1_000
    interrupted.abort()
  }
}

/** The local run cannot start. Its message is for people and names the problem and the remedy: print it without a stack. */
export class StartFailure extends Error {
  override name = 'StartFailure'
}
