import { pathToFileURL } from 'node:url'
import { format } from 'node:util'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import type { Context } from 'aws-lambda'
import type { Level } from '../log.ts'
import type { LambdaFunction } from '../template/template.ts'

/** A request to run the handler once. */
export interface Invocation {
  /** JSON. */
  readonly event: string
  readonly timeoutMs: number
}

/** A log line, or the result of an invocation. */
export type WorkerMessage =
  | { readonly kind: 'logged'; readonly level: Level; readonly text: string }
  | { readonly kind: 'returned'; readonly payload: string }
  | { readonly kind: 'threw'; readonly reason: string; readonly text: string }

type Handler = (event: unknown, context: Pick<Context, 'getRemainingTimeInMillis'>) => unknown

// The program of a container's worker thread.
if (parentPort === null) throw new Error('This file runs in a worker thread.')
const port: MessagePort = parentPort
const { entry }: LambdaFunction = workerData
const send = (message: WorkerMessage): void => port.postMessage(message)

redirectConsole()
// Stack traces name the files of lambda/.
process.setSourceMapsEnabled(true)
const { handler }: { readonly handler?: Handler } = await import(pathToFileURL(entry).href)
// Messages wait until there is a listener.
port.on('message', async (invocation: Invocation) => send(await run(invocation)))

async function run({ event, timeoutMs }: Invocation): Promise<WorkerMessage> {
  const deadline = performance.now() + timeoutMs
  try {
    if (handler === undefined) throw new Error(`${entry} does not export handler.`)
    const result = await handler(JSON.parse(event), {
      getRemainingTimeInMillis: () => Math.max(0, Math.round(deadline - performance.now())),
    })
    return { kind: 'returned', payload: JSON.stringify(result) ?? 'null' }
  } catch (error) {
    return { kind: 'threw', reason: String(error), text: format(error) }
  }
}

/** Sends what the function logs to the runtime. */
function redirectConsole(): void {
  const sender =
    (level: Level) =>
    (...values: readonly unknown[]): void =>
      send({ kind: 'logged', level, text: toText(values) })
  const [info, warn, error] = [sender('info'), sender('warn'), sender('error')]
  Object.assign(console, { debug: info, log: info, info, warn, error })
}

/** Formats a single object as JSON, as Lambda's JSON log format does, and everything else as the console does. */
function toText(values: readonly unknown[]): string {
  const [only] = values
  const isObject = values.length === 1 && typeof only === 'object' && !(only instanceof Error)
  return isObject ? JSON.stringify(only) : format(...values)
}
