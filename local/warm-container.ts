import { randomUUID } from 'node:crypto'
import type { ContainerMessage, Invocation } from './container.ts'
import { startContainerThread } from './container-thread.ts'
import type { Level, Log } from './log.ts'
import type { LambdaFunction } from './template/functions.ts'

/** One copy of a function, which keeps its state from one invocation to the next. */
export interface WarmContainer {
  /** Whether it can take another invocation; once it cannot, it never will. */
  readonly isAlive: () => boolean
  /**
   * Runs the handler with an event, given as JSON, and gives its result as JSON. One at a time.
   *
   * @throws {FunctionFailed} when there is no result.
   */
  readonly invoke: (event: string) => Promise<string>
  readonly stop: () => Promise<void>
}

/** Lambda ends a function whose code takes longer to load. */
const startMs = 10_000

/**
 * Creates a container, which loads the function's code at once.
 *
 * @param variables are environment variables beyond the template's.
 */
export function createWarmContainer(
  fn: LambdaFunction,
  variables: Readonly<Record<string, string>>,
  log: Log,
): WarmContainer {
  const say = (level: Level, text: string): void => log({ source: fn.name, level, text })
  const worker = startContainerThread(fn, variables, { onMessage: receive, onText: say, onEnd: breakDown })
  const started = Promise.withResolvers<void>()
  started.promise.catch(() => undefined)
  const startTimer = setTimeout(() => breakDown(`did not start within ${startMs / 1_000} s.`), startMs)
  let alive = true
  let invocation: PromiseWithResolvers<string> | undefined

  function receive(message: ContainerMessage): void {
    switch (message.kind) {
      case 'ready':
        clearTimeout(startTimer)
        started.resolve()
        break
      case 'logged':
        say(message.level, message.text)
        break
      case 'returned':
        invocation?.resolve(message.payload)
        break
      case 'threw':
        say('error', message.text)
        invocation?.reject(new FunctionFailed(message.reason))
    }
  }

  function breakDown(reason: string): void {
    if (!alive) return
    say('error', reason)
    void end(reason)
  }

  async function end(reason: string): Promise<void> {
    clearTimeout(startTimer)
    alive = false
    started.reject(new FunctionFailed(reason))
    invocation?.reject(new FunctionFailed(reason))
    await worker.terminate()
  }

  return {
    isAlive: () => alive,
    async invoke(event) {
      await started.promise
      const running = Promise.withResolvers<string>()
      invocation = running
      const timer = setTimeout(() => breakDown(`timed out after ${fn.timeoutMs / 1_000} s.`), fn.timeoutMs)
      worker.postMessage({ requestId: randomUUID(), event, timeoutMs: fn.timeoutMs } satisfies Invocation)
      return running.promise.finally(() => clearTimeout(timer))
    },
    stop: () => end('was stopped.'),
  }
}

/** Says that an invocation has no result: the function threw, died or took too long. */
export class FunctionFailed extends Error {
  override readonly name = 'FunctionFailed'
}
