import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'

interface Process {
  readonly pid: number
  readonly parent: number
}

/** Lists the running processes. A zombie (ended, but not waited for) is not running. */
export function listProcesses(): Process[] {
  return existsSync('/proc/self/stat') ? readProc() : runPs()
}

/** Lists the processes of Linux, which needs no program for that. */
function readProc(): Process[] {
  const pids = readdirSync('/proc').filter(name => /^\d+$/.test(name))
  return pids.flatMap(pid => {
    try {
      // The name of the program, in parentheses, may have any character.
      const [, state, parent] = /.*\) (\S) (\d+) /s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
      return state === 'Z' ? [] : [{ pid: Number(pid), parent: Number(parent) }]
    } catch {
      // The process has ended meanwhile.
      return []
    }
  })
}

/** Lists the processes with `ps`, which macOS always has. It has no `/proc`. */
function runPs(): Process[] {
  const rows = execFileSync('ps', ['-eo', 'pid=,ppid=,stat='], { encoding: 'utf8' }).split('\n')
  return rows.flatMap(row => {
    const [, pid, parent, state] = /^ *(\d+) +(\d+) +(\S+)/.exec(row) ?? []
    return state === undefined || state.startsWith('Z') ? [] : [{ pid: Number(pid), parent: Number(parent) }]
  })
}
