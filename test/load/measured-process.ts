import { once } from 'node:events'
import { setImmediate as turn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { functionMs } from '../../lambda/timing.ts'

/** What a process keeps after garbage collection. */
export interface Measure {
  /** The heap, and the buffers outside of it. */
  readonly bytes: number
  /** What keeps the event loop alive, by kind, such as sockets and timers. */
  readonly resources: readonly string[]
}

// A process with one handler, as a container of Lambda. Each message is an event, or `measure`.
const [name] = process.argv.slice(2)
const { handler } = await import(`../../lambda/handlers/${name}.ts`)
setFlagsFromString('--expose-gc')
const collect: unknown = runInNewContext('gc')
for (const method of ['info', 'warn'] as const) console[method] = () => {}
process.on('message', async (message: object | 'measure') =>
  process.send?.(
    message === 'measure' ? await measure() : await handler(message, { getRemainingTimeInMillis: () => functionMs }),
  ),
)
process.send?.('started')
await once(process, 'disconnect')

async function measure(): Promise<Measure> {
  if (typeof collect !== 'function') throw new Error('Garbage cannot be collected')
  // Finalised objects are freed by the next collection, unused code after several.
  for (let times = 0; times < 12; times += 1) {
    collect()
    await turn()
  }
  const { heapUsed, external } = process.memoryUsage()
  // The parent sends messages through a pipe. An idle connection does not keep the event loop alive.
  const resources = process.getActiveResourcesInfo().filter(kind => kind !== 'PipeWrap')
  return { bytes: heapUsed + external, resources }
}
