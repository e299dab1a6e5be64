import { type ContainerPool, createContainerPool } from './container-pool.ts'
import { type Log, reportProblems } from './log.ts'
import { StartFailure } from './start-failure.ts'
import type { LambdaFunction } from './template/functions.ts'
import { createWarmContainer } from './warm-container.ts'

/** The functions of a stack, run on this machine. */
export interface Functions {
  /**
   * Invokes a function, by its logical id, with an event that JSON can hold, and gives its result as JSON.
   *
   * @throws {EventTooLarge} when Lambda would not take the event.
   * @throws {FunctionFailed} when there is no result.
   */
  readonly invoke: (functionId: string, event: unknown) => Promise<string>
  /** Ends all containers, and with them the invocations that are under way. */
  readonly stop: () => Promise<void>
}

/** What the functions need beside their template. */
export interface FunctionsOptions {
  /** By logical id, as the template has them. */
  readonly functions: ReadonlyMap<string, LambdaFunction>
  /** Environment variables for all of them, beyond the template's: where their services are. */
  readonly variables?: Readonly<Record<string, string>>
  /** Where their logs go; by default problems are shown and the rest is dropped. */
  readonly log?: Log
}

/** What Lambda takes of an event, as JSON: a request's body with all that a gateway writes around it. */
const maxEventBytes = 6 * 1_048_576

/**
 * Creates the functions of a stack; their containers start with their first invocations.
 *
 * @throws {StartFailure} when this process is another Node than they are made for.
 */
export function createFunctions({ functions, variables = {}, log = reportProblems }: FunctionsOptions): Functions {
  const pools = new Map<string, ContainerPool>()
  for (const [id, fn] of functions) {
    refuseOtherRuntime(fn)
    pools.set(
      id,
      createContainerPool(() => createWarmContainer(fn, variables, log)),
    )
  }
  return {
    async invoke(functionId, event) {
      const pool = pools.get(functionId)
      if (pool === undefined) throw new RangeError(`There is no function ${functionId}.`)
      const payload = JSON.stringify(event)
      if (Buffer.byteLength(payload) > maxEventBytes) throw new EventTooLarge(functionId)
      return pool.invoke(payload)
    },
    async stop() {
      await Promise.all([...pools.values()].map(pool => pool.stop()))
    },
  }
}

function refuseOtherRuntime({ name, runtime }: LambdaFunction): void {
  const [major = ''] = process.versions.node.split('.')
  if (runtime === `nodejs${major}.x`) return
  throw new StartFailure(`${name} runs on ${runtime}, and this is Node ${process.versions.node}: start it with npm.`)
}

/** Says that an event is more than Lambda takes, so that no function runs. */
export class EventTooLarge extends Error {
  override readonly name = 'EventTooLarge'

  constructor(functionId: string) {
    super(`The event for ${functionId} is larger than ${maxEventBytes} bytes.`)
  }
}
