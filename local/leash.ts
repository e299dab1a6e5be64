import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'

/** An external program that ends when we do. */
export type Leashed = {
  /** The program's own process id. */
  pid: number
  /** All that it prints, output and errors alike; must be read, or the program will wait. */
  output: Readable
  /** Settles when the program has ended, for whatever reason, and its output has been read. */
  ended: Promise<void>
  /** Ends the program at once and waits until it is gone. */
  stop(): Promise<void>
}

/**
 * Starts a program that never outlives us, however we end: by Ctrl-C, by an exit, or killed without a chance to clean up.
 *
 * Between us and the program stands a small watcher with a pipe to us. The system closes our end of it when we are gone,
 * whatever the reason, and then the watcher kills the program. Ctrl-C itself reaches neither of the two, so that we can
 * still talk to the program while we shut down.
 */
export function leash(program: string, args: readonly string[]): Leashed {
  const child = spawn('sh', ['-c', script, 'sh', program, ...args], {
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
  })
  const { pid, stdout: output } = child
  const rope = child.stdio[3]
  if (pid === undefined || !output || !rope || !('write' in rope)) throw new Error('The shell did not start')
  rope.on('error', () => {})
  child.once('exit', () => rope.end('let go\n'))
  const ended = once(child, 'close').then(() => {})
  const stop = async () => {
    child.kill('SIGKILL')
    await ended
  }
  return { pid, output, ended, stop }
}

/**
 * Becomes the program, leaving a watcher behind, so that the shell's process id (`$$`) is the program's.
 *
 * The watcher waits for a line on file descriptor 3: a line lets it go, the end of the pipe makes it kill. Without the
 * line, it could kill a stranger who was given the id of a program long gone.
 */
const script = `
  { read -r line <&3 || kill -9 $$; } >/dev/null 2>&1 &
  exec "$@" 3<&- 2>&1
`
