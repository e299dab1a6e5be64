import { StartFailure } from './start-failure.ts'

/**
 * Runs a command of this project for a person: what they can mend is one sentence and an exit code of 1.
 *
 * Ctrl-C, and the signal by which a process is asked to end, abort the signal that the command is given.
 */
export async function run(command: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const interrupted = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      // Asked twice: whoever asks does not want to wait.
      if (interrupted.signal.aborted) process.exit(1)
      interrupted.abort()
    })
  }
  try {
    await command(interrupted.signal)
  } catch (error) {
    // Ctrl-C in a terminal also ends the programs that we are waiting for: that they failed is no news.
    if (interrupted.signal.aborted) return
    if (!(error instanceof StartFailure)) throw error
    console.error(error.message)
    process.exitCode = 1
  }
}
