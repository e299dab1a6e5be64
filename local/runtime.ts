import { randomUUID } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import { type Level, type Log, reportProblems } from './log.ts'
import { StartFailure } from './start-failure.ts'
import { region, toFunctionArn } from './template/cloudformation.ts'
import type { LambdaFunction } from './template.ts'
import type { Invocation, WorkerMessage, WorkerSettings } from './worker.ts'

/** The functions of a stack, as Lambda runs them: one container, with a worker thread, per concurrent invocation. */
export interface Functions {
  /**
   * Invokes a function, by its logical id.
   *
   * @returns the function's result as JSON
   * @throws {EventTooLarge} when the event is larger than Lambda accepts.
   * @throws {FunctionFailed} when there is no result.
   */
  readonly invoke: (functionId: string, event: unknown) => Promise<string>
  /** Stops all containers. Running invocations fail. */
  readonly stop: () => Promise<void>
}

export interface FunctionsOptions {
  /** By logical id. */
  readonly functions: ReadonlyMap<string, LambdaFunction>
  /** Environment variables for all functions, besides the template's: the endpoints of AWS services. */
  readonly variables?: Readonly<Record<string, string>>
  readonly log?: Log
}

/** @see https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html */
const maxEventBytes = 6 * 1_048_576

/** Lambda's limit for loading a function's code. @see https://docs.aws.amazon.com/lambda/latest/dg/lambda-runtime-environment.html */
const startTimeoutMs = 10_000

/** The concurrency of one function, which in Lambda is 1,000. */
const maxContainers = 20

/**
 * Creates the functions of a stack. A container starts when an invocation finds none that is idle.
 *
 * @throws {StartFailure} when this Node is not the functions' runtime.
 */
export function createFunctions({ functions, variables = {}, log = reportProblems }: FunctionsOptions): Functions {
  for (const { name, runtime } of functions.values()) {
    if (runtime === `nodejs${process.versions.node.split('.')[0]}.x`) continue
    throw new StartFailure(`${name} needs ${runtime}, but this is Node ${process.versions.node}. Start it with npm.`)
  }
  const pools = new Map([...functions].map(([id, fn]) => [id, createPool(() => startContainer(fn, variables, log))]))
  return {
    async invoke(functionId, event) {
      const pool = pools.get(functionId)
      if (pool === undefined) throw new RangeError(`There is no function ${functionId}.`)
      const payload = JSON.stringify(event)
      if (Buffer.byteLength(payload) > maxEventBytes) {
        throw new EventTooLarge(`The event for ${functionId} is larger than ${maxEventBytes} bytes.`)
      }
      return pool.invoke(payload)
    },
    stop: async () => void (await Promise.all([...pools.values()].map(pool => pool.stop()))),
  }
}

/** Creates the containers of one function: one per concurrent invocation. Above the limit, invocations wait. */
function createPool(start: () => Container) {
  const containers = new Set<Container>()
  const idle: Container[] = []
  const waiting: (() => void)[] = []
  let stopped = false

  async function take(): Promise<Container> {
    if (stopped) throw new FunctionFailed('was stopped.')
    for (const container of containers) if (container.hasEnded()) containers.delete(container)
    const container = idle.pop() ?? (containers.size < maxContainers ? start() : undefined)
    if (container?.hasEnded() === false) {
      containers.add(container)
      return container
    }
    if (container === undefined) await new Promise<void>(resolve => waiting.push(resolve))
    return take()
  }

  return {
    async invoke(event: string): Promise<string> {
      const container = await take()
      return container.invoke(event).finally(() => {
        idle.push(container)
        waiting.shift()?.()
      })
    },
    async stop(): Promise<void> {
      stopped = true
      for (const wake of waiting.splice(0)) wake()
      await Promise.all([...containers].map(container => container.stop()))
    },
  }
}

type Container = ReturnType<typeof startContainer>

/** Starts a worker with its own environment, globals and memory limit. It keeps its state between invocations. */
function startContainer(fn: LambdaFunction, variables: Readonly<Record<string, string>>, log: Log) {
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

/** The event is larger than Lambda accepts, so the function did not run. */
export class EventTooLarge extends Error {
  override readonly name = 'EventTooLarge'
}

/** An invocation has no result: the function threw, ended or timed out. */
export class FunctionFailed extends Error {
  override readonly name = 'FunctionFailed'
}
