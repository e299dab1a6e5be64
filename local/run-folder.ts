import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Creates a temporary folder of this process, and removes those of processes that were killed before they could. */
export async function createRunFolder(): Promise<string> {
  const folders = (await readdir(tmpdir())).filter(isAbandoned)
  await Promise.all(folders.map(name => rm(join(tmpdir(), name), { recursive: true, force: true })))
  return await mkdtemp(join(tmpdir(), `price-lookup-${process.pid}-`))
}

/** Whether a folder belongs to a process that has ended. */
function isAbandoned(name: string): boolean {
  const [, pid] = /^price-lookup-(\d+)-/.exec(name) ?? []
  return pid !== undefined && !isRunning(Number(pid))
}

function isRunning(pid: number): boolean {
  try {
    // Signal 0 only checks that the process exists.
    return process.kill(pid, 0)
  } catch (error) {
    // A process of another user exists, too.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
