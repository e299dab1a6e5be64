import { type Log, reportProblems } from '../log.ts'
import { StartFailure } from '../run-command.ts'
import type { LambdaFunction } from '../template/template.ts'
import { type Container, FunctionFailed, startContainer } from './container.ts'

/** The functions of a stack, as Lambda runs them: one container, with a worker thread, per concurrent invocation. */
export interface Functions {
  /**
   * Invokes a function, by its logical id.
   *
   * @returns the function's result as JSON
   * @throws {FunctionFailed} when there is no result
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

/** The concurrency of one function, which in Lambda is 1,000. */
const maxContainers = 20

/**
 * Creates the functions of a stack. A container starts when an invocation finds none that is idle.
 *
 * @throws {StartFailure} when this Node is not the functions' runtime
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
      return pool.invoke(JSON.stringify(event))
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
    while (idle.length === 0 && containers.size >= maxContainers && !stopped) {
      await new Promise<void>(resolve => waiting.push(resolve))
    }
    if (stopped) throw new FunctionFailed('was stopped.')
    let container = idle.pop()
    // It may have ended after its last response.
    while (container?.hasEnded()) {
      containers.delete(container)
      container = idle.pop()
    }
    container ??= start()
    containers.add(container)
    return container
  }

  return {
    async invoke(event: string): Promise<string> {
      const container = await take()
      return container.invoke(event).finally(() => {
        if (container.hasEnded()) containers.delete(container)
        else idle.push(container)
        waiting.shift()?.()
      })
    },
    async stop(): Promise<void> {
      stopped = true
      for (const wake of waiting) wake()
      await Promise.all([...containers].map(container => container.stop()))
    },
  }
}
