import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** A running process, with its command line. */
interface Process {
  readonly pid: number
  readonly parent: number
  readonly command: string
}

/** Lists the running processes. A zombie (ended, but not waited for) is not running. */
export function listProcesses(): Process[] {
  return existsSync('/proc/self/stat') ? readProc() : runPs()
}

/** Linux needs no program for it. */
function readProc(): Process[] {
  const pids = readdirSync('/proc').filter(name => /^\d+$/.test(name))
  return pids.flatMap(pid => {
    try {
      // The name of the program, in parentheses, may have any character.
      const [, state, parent] = /.*\) (\S) (\d+) /s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
      return state === 'Z' ? [] : [{ pid: Number(pid), parent: Number(parent), command }]
    } catch {
      // It has ended meanwhile.
      return []
    }
  })
}

/** macOS has no `/proc`, but always `ps`. */
function runPs(): Process[] {
  const rows = execFileSync('ps', ['-eo', 'pid=,ppid=,stat=,args='], { encoding: 'utf8' }).split('\n')
  return rows.flatMap(row => {
    const [, pid, parent, state, command = ''] = /^ *(\d+) +(\d+) +(\S+) +(.*)/.exec(row) ?? []
    return state === undefined || state.startsWith('Z') ? [] : [{ pid: Number(pid), parent: Number(parent), command }]
  })
}
