import { type ChildProcess, execFileSync, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** A running command of this repository. */
export interface Command {
  readonly child: ChildProcess
  readonly ended: Promise<{ code: number | null; printed: string; complained: string }>
  /** Waits until a text is printed, and returns everything that is printed. */
  readonly until: (text: string) => Promise<string>
}

/** Commands, and all processes and files that they leave. */
export interface Commands {
  readonly start: (program: string, args: readonly string[], options?: SpawnOptions) => Command
  /** The process ids of a process and its descendants. */
  readonly family: (pid: number | undefined) => number[]
  /** The command lines of the processes with a file in the commands' temporary folder. */
  readonly running: () => string[]
  /** The names of the commands' temporary files. */
  readonly files: () => string[]
  /** Ends the commands, and waits until nothing of them runs. */
  readonly stop: () => Promise<void>
}

/** Runs commands whose temporary files are in a folder of their own. */
export function createCommands(): Commands {
  const folder = mkdtempSync(join(tmpdir(), 'price-lookup-test-'))
  const started: Command[] = []
  const running = () =>
    execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
      .split('\n')
      .filter(line => line.includes(folder))

  function family(pid = 0): number[] {
    const rows = execFileSync('ps', ['-eo', 'pid=,ppid=,stat='], { encoding: 'utf8' }).trim().split('\n')
    // A zombie has ended.
    const parents = rows.filter(row => !row.includes('Z')).map(row => row.trim().split(/ +/).map(Number))
    const children = (parent: number): number[] =>
      parents.filter(row => row[1] === parent).flatMap(([child = 0]) => [child, ...children(child)])
    return [...(parents.some(([one]) => one === pid) ? [pid] : []), ...children(pid)]
  }

  function start(program: string, args: readonly string[], options: SpawnOptions = {}): Command {
    const env = { ...process.env, ...options.env, TMPDIR: folder }
    const child = spawn(program, args, { ...options, env, stdio: 'pipe' })
    const output = { printed: '', complained: '' }
    child.stdout.on('data', part => (output.printed += part))
    child.stderr.on('data', part => (output.complained += part))
    const ended = once(child, 'close').then(([code]) => ({ code, ...output }))
    const until = async (text: string) => {
      while (!(output.printed + output.complained).includes(text)) {
        if (child.exitCode !== null) throw new Error(`The command ended: ${output.printed}${output.complained}`)
        await sleep(50)
      }
      return output.printed
    }
    started.push({ child, ended, until })
    return { child, ended, until }
  }

  async function stop(): Promise<void> {
    for (const { child, ended } of started) {
      child.kill('SIGKILL')
      await ended
    }
    while (running().length > 0) await sleep(50)
    rmSync(folder, { recursive: true })
  }

  // `npx` and V8 have folders of their own there.
  const files = () => readdirSync(folder).filter(name => name.startsWith('price-lookup'))
  return { start, family, running, files, stop }
}
