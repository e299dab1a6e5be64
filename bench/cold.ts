import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import type { ColdTimes } from './cold-process.ts'

/** A program to start from nothing. */
export interface ColdProgram {
  readonly runner: string
  readonly bundle: string
  readonly event: string
  readonly variables: Readonly<Record<string, string>>
  readonly nodeOptions?: readonly string[]
}

/** What one of its processes took. */
export interface ColdRun extends ColdTimes {
  /** From before the process was there to the answer. */
  readonly totalMs: number
}

/** Starts a fresh process, and gives what it took, to the first answer in all and by its parts. */
export async function startCold(program: ColdProgram): Promise<ColdRun> {
  const { runner, bundle, event, variables, nodeOptions = [] } = program
  const began = performance.now()
  const child = spawn(process.execPath, [...nodeOptions, runner, bundle, event], {
    env: { ...process.env, ...variables },
    stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
  })
  const exited = once(child, 'exit')
  const told = child.stdio[3]
  if (!told || !('read' in told)) throw new Error('The process has no pipe.')
  let totalMs = 0
  told.once('readable', () => {
    totalMs = performance.now() - began
  })
  const times: ColdTimes = JSON.parse(await text(told))
  await exited
  return { ...times, totalMs }
}
