import { randomUUID } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import type { Level, Log } from './log.ts'
import { region, toFunctionArn } from './template/cloudformation.ts'
import type { LambdaFunction } from './template.ts'
import type { Invocation, WorkerMessage, WorkerSettings } from './worker.ts'

/** Lambda's limit for loading a function's code. @see https://docs.aws.amazon.com/lambda/latest/dg/lambda-runtime-environment.html */
const startTimeoutMs = 10_000

/** A worker thread that runs one invocation of a function at a time. */
export type Container = ReturnType<typeof startContainer>

/** Starts a worker with its own environment, globals and memory limit. It keeps its state between invocations. */
export function startContainer(fn: LambdaFunction, variables: Readonly<Record<string, string>>, log: Log) {
  const write = (level: Level, text: string): void => log({ source: fn.name, level, text })
  const worker = new Worker(new URL('worker.ts', import.meta.url), {
    name: fn.name,
    workerData: { ...fn, functionArn: toFunctionArn(fn.logicalId), region } satisfies WorkerSettings,
    env: { ...fn.environment, ...variables },
    resourceLimits: { maxOldGenerationSizeMb: fn.memoryMb },
    execArgv: [],
    stdout: true,
    stderr: true,
  })
  let ended: FunctionFailed | undefined
  let pending = Promise.withResolvers<string>()

  /** Waits for the worker's next result. Without one in time, ends the worker. */
  function waitForResult(timeoutMs: number, reason: string): Promise<string> {
    if (ended !== undefined) return Promise.reject(ended)
    pending = Promise.withResolvers()
    const timer = setTimeout(() => void fail(reason), timeoutMs)
    return pending.promise.finally(() => clearTimeout(timer))
  }

  function fail(reason: string): Promise<number> {
    if (ended === undefined) write('error', reason)
    return end(reason)
  }

  function end(reason: string): Promise<number> {
    ended ??= new FunctionFailed(reason)
    pending.reject(ended)
    return worker.terminate()
  }

  worker.on('message', (message: WorkerMessage) => {
    if (message.kind === 'logged') return write(message.level, message.text)
    if (message.kind === 'returned') return pending.resolve(message.payload)
    write('error', message.text)
    pending.reject(new FunctionFailed(message.reason))
  })
  worker.on('error', error => fail(error instanceof Error ? (error.stack ?? error.message) : String(error)))
  worker.on('exit', code => fail(`ended with exit code ${code}.`))
  worker.stdout.on('data', chunk => write('info', String(chunk).trimEnd()))
  worker.stderr.on('data', chunk => write('warn', String(chunk).trimEnd()))
  const started = waitForResult(startTimeoutMs, `did not start within ${startTimeoutMs / 1_000} s.`)
  return {
    hasEnded: () => ended !== undefined,
    async invoke(event: string): Promise<string> {
      await started
      const { timeoutMs } = fn
      const result = waitForResult(timeoutMs, `timed out after ${timeoutMs / 1_000} s.`)
      worker.postMessage({ requestId: randomUUID(), event, timeoutMs } satisfies Invocation)
      return result
    },
    stop: () => end('was stopped.'),
  }
}

/** An invocation has no result: the function threw, ended or timed out. */
export class FunctionFailed extends Error {
  override readonly name = 'FunctionFailed'
}
