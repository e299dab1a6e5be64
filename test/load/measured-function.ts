import { setImmediate as turn } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** What a container holds when all that it can forget is forgotten. */
export interface Measure {
  /** Of its own heap, and beside it: buffers. */
  readonly heapBytes: number
  readonly bufferBytes: number
  /** What keeps its event loop busy, by kind: sockets, timers. */
  readonly resources: readonly string[]
}

// This file takes the place of a function's bundle in its container: it runs the real one, which these two variables name.
const bundle: Readonly<Record<string, unknown>> = await import(pathToFileURL(`${process.env['LOAD_ENTRY']}`).href)
const inner = bundle[`${process.env['LOAD_HANDLER']}`]
setFlagsFromString('--expose-gc')
const collect: unknown = runInNewContext('gc')

/** Answers as the bundle does; and with a measure to the event `{ measure: true }`. */
export async function handler(event: object, context: unknown): Promise<unknown> {
  if ('measure' in event) return await measure()
  if (typeof inner !== 'function') throw new Error('The bundle exports no handler')
  return inner(event, context)
}

async function measure(): Promise<Measure> {
  if (typeof collect !== 'function') throw new Error('Garbage cannot be collected')
  // What is finalised after one collection is forgotten by the next; code that is not run again, after several.
  for (let times = 0; times < 12; times += 1) {
    collect()
    await turn()
  }
  const { heapUsed, external } = process.memoryUsage()
  return { heapBytes: heapUsed, bufferBytes: external, resources: process.getActiveResourcesInfo() }
}
