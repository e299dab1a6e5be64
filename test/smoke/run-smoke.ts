import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** Runs the command as people do. */
export async function runSmoke(...args: string[]) {
  const child = spawn(process.execPath, ['smoke/smoke.ts', ...args])
  let printed = ''
  let complained = ''
  child.stdout.on('data', part => {
    printed += part
  })
  child.stderr.on('data', part => {
    complained += part
  })
  const [code] = await once(child, 'close')
  return { code, printed, complained }
}
