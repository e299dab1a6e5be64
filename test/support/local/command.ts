import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { listProcesses } from './processes.ts'

/** Runs commands, which end with the test. */
export function createCommands() {
  const started: { readonly child: ChildProcess; readonly ended: Promise<unknown> }[] = []

  /** The process ids of a process and its descendants. */
  function family(pid = 0): number[] {
    const children = listProcesses().filter(({ parent }) => parent === pid)
    return [pid, ...children.flatMap(child => family(child.pid))]
  }

  function start(program: string, args: readonly string[], options: SpawnOptions = {}) {
    const env = { ...process.env, ...options.env }
    const child = spawn(program, args, { ...options, env, stdio: 'pipe' })
    const output = { printed: '', complained: '' }
    child.stdout.on('data', part => (output.printed += part))
    child.stderr.on('data', part => (output.complained += part))
    const ended = once(child, 'close').then(([code]) => ({ code, ...output }))
    /**
     * Waits until a text is printed, and returns everything that is printed.
     *
     * @throws {Error} when the command ends, or before the runner's limit, which shows no output
     */
    const until = async (text: string) => {
      const end = process.uptime() + 500
      while (!(output.printed + output.complained).includes(text)) {
        const isOver = child.exitCode !== null || child.signalCode !== null || process.uptime() > end
        if (isOver) throw new Error(`The command did not print "${text}": ${output.printed}${output.complained}`)
        await sleep(50)
      }
      return output.printed
    }
    started.push({ child, ended })
    return { child, ended, until }
  }

  async function stop(): Promise<void> {
    for (const { child, ended } of started) {
      const isOver = child.exitCode !== null || child.signalCode !== null
      if (!isOver) for (const pid of family(child.pid)) kill(pid)
      await ended
    }
  }

  function kill(pid: number): void {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It has ended meanwhile.
    }
  }

  /** Expects that no process is left of those that a command had. */
  async function expectNothingLeft(pids: readonly number[]): Promise<void> {
    await expect.poll(() => listProcesses().filter(({ pid }) => pids.includes(pid))).toEqual([])
  }

  return { start, family, expectNothingLeft, stop }
}
