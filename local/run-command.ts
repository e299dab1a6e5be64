import { setImmediate as turn } from 'node:timers/promises'

/**
 * Runs a command for a person: a `StartFailure` becomes its message and the exit code 1.
 *
 * The command gets a signal that aborts when the command must end: after SIGINT (Ctrl-C), SIGTERM or SIGHUP, when its
 * output is closed, or when npm has ended. npm forwards no SIGHUP, and it may be killed. When the interrupted command
 * has disposed what it started, the process ends with the exit code 0.
 */
export async function runCommand(command: (signal: AbortSignal) => Promise<void>): Promise<void> {
  // The command itself sends requests to its own processes only, and the functions use no proxy.
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
    // Ctrl-C in a terminal also ends the bundler, which is in the process group of this process. Its failure may be
    // thrown before Node calls the listeners of the signal. Node calls them within two turns of the event loop: in the
    // first turn, it may have looked for signals already.
    await turn()
    await turn()
    if (!interrupted.signal.aborted) {
      if (!(error instanceof StartFailure)) throw error
      console.error(error.message)
      process.exitCode = 1
    }
  }
  // `process.exit` keeps the signal listeners until the end. A process that ends by itself removes them first, and the
  // signal that npm forwards could then kill it.
  if (interrupted.signal.aborted) process.exit(0)
}

/** The first signal interrupts. A later one ends the process at once, but not the same one that npm forwards. */
function createSignalListener(interrupted: AbortController): () => void {
  let forwardedUntil = Number.POSITIVE_INFINITY
  return () => {
    if (performance.now() > forwardedUntil) process.exit(1)
    if (!interrupted.signal.aborted) forwardedUntil = performance.now() + 1_000
    interrupted.abort()
  }
}

/**
 * The local run cannot start. Its message is for people and names the problem and the remedy: print it without a stack.
 */
export class StartFailure extends Error {
  override name = 'StartFailure'
}
