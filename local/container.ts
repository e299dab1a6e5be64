import { pathToFileURL } from 'node:url'
import { format } from 'node:util'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import type { Context } from 'aws-lambda'
import type { Level } from './log.ts'

/** What a container is made for. */
export interface ContainerSettings {
  readonly entry: string
  readonly handlerName: string
  readonly functionName: string
  readonly functionArn: string
  readonly memoryMb: number
}

/** A request to run the handler once. */
export interface Invocation {
  readonly requestId: string
  /** The event as JSON. */
  readonly event: string
  readonly timeoutMs: number
}

/** What a container tells: that it can take invocations, what the function logs, and how an invocation ended. */
export type ContainerMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'logged'; readonly level: Level; readonly text: string }
  | { readonly kind: 'returned'; readonly payload: string }
  | { readonly kind: 'threw'; readonly reason: string; readonly text: string }

type Handler = (event: unknown, context: Omit<Context, 'done' | 'fail' | 'succeed'>) => unknown

/** Lambda's bound on a result. */
const maxPayloadBytes = 6_291_556

// The inside of a container: a thread of its own, which this file is the whole program of.
if (parentPort === null) throw new Error('A container runs in a worker thread.')
const port: MessagePort = parentPort
const settings: ContainerSettings = workerData
const send = (message: ContainerMessage): void => port.postMessage(message)

sendConsole()
const handler = await importHandler()
port.on('message', async (invocation: Invocation) => send(await run(invocation)))
send({ kind: 'ready' })

async function run({ requestId, event, timeoutMs }: Invocation): Promise<ContainerMessage> {
  const deadline = performance.now() + timeoutMs
  try {
    const result = await handler(JSON.parse(event), {
      callbackWaitsForEmptyEventLoop: true,
      functionName: settings.functionName,
      functionVersion: '$LATEST',
      invokedFunctionArn: settings.functionArn,
      memoryLimitInMB: String(settings.memoryMb),
      awsRequestId: requestId,
      logGroupName: `/aws/lambda/${settings.functionName}`,
      logStreamName: 'local',
      getRemainingTimeInMillis: () => Math.max(0, Math.round(deadline - performance.now())),
    })
    const payload = JSON.stringify(result) ?? 'null'
    if (Buffer.byteLength(payload) > maxPayloadBytes) throw new RangeError('The result is larger than 6 MiB.')
    return { kind: 'returned', payload }
  } catch (error) {
    return { kind: 'threw', reason: String(error), text: format(error) }
  }
}

async function importHandler(): Promise<Handler> {
  const bundle: Readonly<Record<string, unknown>> = await import(pathToFileURL(settings.entry).href)
  const found = bundle[settings.handlerName]
  if (!isHandler(found)) throw new Error(`${settings.entry} exports no function ${settings.handlerName}.`)
  return found
}

function isHandler(value: unknown): value is Handler {
  return typeof value === 'function'
}

/** Sends what the function logs to where the invocations come from. */
function sendConsole(): void {
  const sender =
    (level: Level) =>
    (...values: readonly unknown[]): void =>
      send({ kind: 'logged', level, text: toText(values) })
  Object.assign(console, {
    trace: sender('debug'),
    debug: sender('debug'),
    log: sender('info'),
    info: sender('info'),
    warn: sender('warn'),
    error: sender('error'),
  })
}

/** Writes one object as JSON, as Lambda's own JSON log does, and all else as the console does. */
function toText(values: readonly unknown[]): string {
  const [only, ...others] = values
  if (others.length > 0 || typeof only !== 'object' || only instanceof Error) return format(...values)
  try {
    return JSON.stringify(only)
  } catch {
    return format(only)
  }
}
