import { realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Level, Log } from '../log.ts'
import type { LambdaFunction } from '../template/template.ts'
import type { Invocation, WorkerMessage } from './worker.ts'

/** A worker thread that runs one invocation of a function at a time. */
export type Container = ReturnType<typeof startContainer>

/**
 * Starts a container. It keeps its state between invocations.
 *
 * @throws {FunctionFailed} when the bundle was removed
 */
export function startContainer(fn: LambdaFunction, variables: Readonly<Record<string, string>>, log: Log) {
  const bundleFolder = findBundleFolder(fn, log)
  const write = (level: Level, text: string): void => {
    log({ source: fn.name, level, text: text.replaceAll(bundleFolder, '') })
  }
  const worker = startWorker(fn, variables)
  let ended: FunctionFailed | undefined
  let pending: PromiseWithResolvers<string> | undefined

  function fail(reason: string): Promise<number> {
    if (ended === undefined) write('error', reason)
    return end(reason)
  }

  function end(reason: string): Promise<number> {
    ended ??= new FunctionFailed(reason)
    pending?.reject(ended)
    return worker.terminate()
  }

  worker.on('message', (message: WorkerMessage) => {
    if (message.kind === 'logged') return write(message.level, message.text)
    if (message.kind === 'returned') return pending?.resolve(message.payload)
    write('error', message.text)
    pending?.reject(new FunctionFailed(message.reason))
  })
  worker.on('error', error => fail(error instanceof Error ? (error.stack ?? error.message) : String(error)))
  worker.on('exit', code => fail(`ended with exit code ${code}.`))
  return {
    hasEnded: () => ended !== undefined,
    /** Unlike Lambda's, the timeout includes the start. */
    async invoke(event: string): Promise<string> {
      if (ended !== undefined) throw ended
      const { timeoutMs } = fn
      const timer = setTimeout(() => fail(`timed out after ${timeoutMs / 1_000} s.`), timeoutMs)
      pending = Promise.withResolvers()
      worker.postMessage({ event, timeoutMs } satisfies Invocation)
      return pending.promise.finally(() => clearTimeout(timer))
    },
    stop: () => end('was stopped.'),
  }
}

/** By the map beside the bundle, a stack trace names the sources as if the bundle were in the repository's folder. */
function findBundleFolder({ entry, name }: LambdaFunction, log: Log): string {
  try {
    return join(dirname(realpathSync(entry)), '/')
  } catch {
    const reason = `has lost its bundle ${entry}. Restart.`
    log({ source: name, level: 'error', text: reason })
    throw new FunctionFailed(reason)
  }
}

/** Starts a worker thread with its own environment, globals and memory limit. */
function startWorker(fn: LambdaFunction, variables: Readonly<Record<string, string>>): Worker {
  return new Worker(new URL('worker.ts', import.meta.url), {
    name: fn.name,
    workerData: fn,
    env: {
      AWS_ACCESS_KEY_ID: 'local',
      AWS_REGION: 'us-east-1',
      AWS_SECRET_ACCESS_KEY: 'local',
      // A folder without an AWS configuration.
      HOME: dirname(fn.entry),
      ...fn.environment,
      ...variables,
    },
    resourceLimits: { maxOldGenerationSizeMb: fn.memoryMb },
    execArgv: [],
  })
}

/** An invocation has no result: the function threw, ended or timed out. */
export class FunctionFailed extends Error {
  override readonly name = 'FunctionFailed'
}
