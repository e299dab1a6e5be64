import { dirname } from 'node:path'
import { pathToFileURL } from 'node:url'
import { format } from 'node:util'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import type { Context } from 'aws-lambda'
import type { Level } from './log.ts'
import type { LambdaFunction } from './template.ts'

/** The function of a worker, and its place in AWS. */
export interface WorkerSettings extends LambdaFunction {
  readonly functionArn: string
  readonly region: string
}

/** A request to run the handler once. */
export interface Invocation {
  readonly requestId: string
  /** JSON. */
  readonly event: string
  readonly timeoutMs: number
}

/** A log line, or the result of an invocation or of the start. */
export type WorkerMessage =
  | { readonly kind: 'logged'; readonly level: Level; readonly text: string }
  | { readonly kind: 'returned'; readonly payload: string }
  | { readonly kind: 'threw'; readonly reason: string; readonly text: string }

type Handler = (event: unknown, context: Omit<Context, 'done' | 'fail' | 'succeed'>) => unknown

/** Lambda's limit for a result. @see https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html */
const maxPayloadBytes = 6_291_556

// The program of a container's worker thread.
if (parentPort === null) throw new Error('This file runs in a worker thread.')
const port: MessagePort = parentPort
const { entry, handlerName, name, functionArn, region, memoryMb }: WorkerSettings = workerData
const send = (message: WorkerMessage): void => port.postMessage(message)

setReservedVariables()
redirectConsole()
const handler = await importHandler()
port.on('message', async (invocation: Invocation) => send(await run(invocation)))
send({ kind: 'returned', payload: '' })

async function run({ requestId, event, timeoutMs }: Invocation): Promise<WorkerMessage> {
  const deadline = performance.now() + timeoutMs
  try {
    const result = await handler(JSON.parse(event), {
      callbackWaitsForEmptyEventLoop: true,
      functionName: name,
      functionVersion: '$LATEST',
      invokedFunctionArn: functionArn,
      memoryLimitInMB: String(memoryMb),
      awsRequestId: requestId,
      logGroupName: `/aws/lambda/${name}`,
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
  const bundle: Readonly<Record<string, unknown>> = await import(pathToFileURL(entry).href)
  const found = bundle[handlerName]
  if (!isHandler(found)) throw new Error(`${entry} exports no function ${handlerName}.`)
  return found
}

function isHandler(value: unknown): value is Handler {
  return typeof value === 'function'
}

/** @see https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html */
function setReservedVariables(): void {
  const reserved = {
    AWS_ACCESS_KEY_ID: 'local',
    AWS_DEFAULT_REGION: region,
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(memoryMb),
    AWS_LAMBDA_FUNCTION_NAME: name,
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_REGION: region,
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_SESSION_TOKEN: 'local',
    // A folder without an AWS configuration.
    HOME: dirname(entry),
    TZ: ':UTC',
  }
  Object.assign(process.env, reserved, { ...process.env })
}

/** Sends what the function logs to the runtime. */
function redirectConsole(): void {
  const sender =
    (level: Level) =>
    (...values: readonly unknown[]): void =>
      send({ kind: 'logged', level, text: toText(values) })
  const [debug, info, warn, error] = [sender('debug'), sender('info'), sender('warn'), sender('error')]
  Object.assign(console, { trace: debug, debug, log: info, info, warn, error })
}

/** Formats a single object as JSON, as Lambda's JSON log format does, and everything else as the console does. */
function toText(values: readonly unknown[]): string {
  const [only, ...others] = values
  if (others.length > 0 || typeof only !== 'object' || only instanceof Error) return format(...values)
  try {
    return JSON.stringify(only)
  } catch {
    return format(only)
  }
}
