import { execFile } from 'node:child_process'

/** Runs the command as people do. */
export function runSmoke(...args: string[]): Promise<{ code: number | null; printed: string; complained: string }> {
  return new Promise(resolve => {
    const child = execFile(process.execPath, ['smoke/smoke.ts', ...args], (_, printed, complained) =>
      resolve({ code: child.exitCode, printed, complained }),
    )
  })
}
