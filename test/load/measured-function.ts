import { setImmediate as turn } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** The memory of a container after garbage collection. */
export interface Measure {
  /** The heap, and the buffers outside of it. */
  readonly heapBytes: number
  readonly bufferBytes: number
  /** What keeps the event loop alive, by kind: sockets, timers. */
  readonly resources: readonly string[]
}

// This file replaces a function's bundle in its container, and calls the real one, which these two variables name.
const bundle: Readonly<Record<string, unknown>> = await import(pathToFileURL(`${process.env['LOAD_ENTRY']}`).href)
const inner = bundle[`${process.env['LOAD_HANDLER']}`]
setFlagsFromString('--expose-gc')
const collect: unknown = runInNewContext('gc')

/** Calls the bundle's handler. Returns a measure for the event `{ measure: true }`. */
export async function handler(event: object, context: unknown): Promise<unknown> {
  if ('measure' in event) return await measure()
  if (typeof inner !== 'function') throw new Error('The bundle exports no handler')
  return inner(event, context)
}

async function measure(): Promise<Measure> {
  if (typeof collect !== 'function') throw new Error('Garbage cannot be collected')
  // Finalised objects are freed by the next collection, unused code after several.
  for (let times = 0; times < 12; times += 1) {
    collect()
    await turn()
  }
  const { heapUsed, external } = process.memoryUsage()
  return { heapBytes: heapUsed, bufferBytes: external, resources: process.getActiveResourcesInfo() }
}
