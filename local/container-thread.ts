import { dirname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { ContainerMessage, ContainerSettings } from './container.ts'
import type { Level } from './log.ts'
import { region } from './place.ts'
import type { LambdaFunction } from './template/functions.ts'
import { toFunctionArn } from './template/resolve.ts'

/** What a container's thread tells. */
export interface ThreadEvents {
  readonly onMessage: (message: ContainerMessage) => void
  /** The function, or something below it, wrote a text past the console. */
  readonly onText: (level: Level, text: string) => void
  /** The thread ended by itself; it may tell more than once why. */
  readonly onEnd: (reason: string) => void
}

/** Starts a function's code in a thread of its own, with its own environment, globals and share of memory. */
export function startContainerThread(
  fn: LambdaFunction,
  variables: Readonly<Record<string, string>>,
  { onMessage, onText, onEnd }: ThreadEvents,
): Worker {
  const { entry, handlerName, name, memoryMb } = fn
  const functionArn = toFunctionArn(fn.logicalId)
  const worker = new Worker(new URL('container.ts', import.meta.url), {
    name,
    workerData: { entry, handlerName, functionName: name, functionArn, memoryMb } satisfies ContainerSettings,
    env: { ...toReservedVariables(fn), ...fn.environment, ...variables },
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    execArgv: [],
    stdout: true,
    stderr: true,
  })
  worker.on('message', onMessage)
  worker.on('error', error => onEnd(error instanceof Error ? (error.stack ?? error.message) : String(error)))
  worker.on('exit', code => onEnd(`ended with exit code ${code}.`))
  worker.stdout.on('data', chunk => onText('info', String(chunk).trimEnd()))
  worker.stderr.on('data', chunk => onText('warn', String(chunk).trimEnd()))
  return worker
}

/** The variables that Lambda itself gives to a function. */
function toReservedVariables({ name, entry, memoryMb }: LambdaFunction): Readonly<Record<string, string>> {
  return {
    AWS_ACCESS_KEY_ID: 'local',
    AWS_DEFAULT_REGION: region,
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(memoryMb),
    AWS_LAMBDA_FUNCTION_NAME: name,
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_REGION: region,
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_SESSION_TOKEN: 'local',
    // Where no one's AWS configuration lies.
    HOME: dirname(entry),
    TZ: ':UTC',
  }
}
