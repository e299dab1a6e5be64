import { setImmediate as turn } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** What a container keeps after garbage collection. */
export interface Measure {
  /** The heap, and the buffers outside of it. */
  readonly bytes: number
  /** What keeps the event loop alive, by kind, such as sockets and timers. */
  readonly resources: readonly string[]
}

// This file replaces a function's bundle in its container, and calls the real one, which the variable names.
const { handler: inner }: { readonly handler?: unknown } = await import(
  pathToFileURL(`${process.env['LOAD_ENTRY']}`).href
)
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
  // The local runtime talks to its containers through a port. An idle connection does not keep the event loop alive.
  const resources = process.getActiveResourcesInfo().filter(kind => kind !== 'MessagePort')
  return { bytes: heapUsed + external, resources }
}
