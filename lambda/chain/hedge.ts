import { Fault } from '../faults.ts'
import { attemptMs, hedgeDelayMs } from '../timing.ts'

/** A node's URL, and its place in the configured order, from 0. */
export interface Endpoint {
  readonly rpcUrl: URL
  readonly index: number
}

/**
 * One attempt at an endpoint. It ended with a value or a fault, or it was aborted: when a value of another endpoint
 * ended the round, this endpoint had not responded yet, and its hedging delay was not over. Then it has neither.
 */
export interface Attempt<Value> {
  readonly endpoint: Endpoint
  readonly value?: Value
  readonly fault?: Fault
}

interface HedgeOptions<Value> {
  /** When the round ends at the latest, on the clock of `performance.now()`. */
  readonly deadline: number
  /** Asks one endpoint. Rejects with a {@link Fault} when the endpoint fails, and ends when the signal aborts. */
  readonly ask: (endpoint: Endpoint, signal: AbortSignal) => Promise<Value>
  readonly isEnough: (value: Value) => boolean
}

/** The reason of every abort. It is shared, because an abort without a reason creates an error with a stack trace. */
const attemptOver = new Error('The attempt is over')

/**
 * Asks several endpoints, in their order.
 *
 * The next endpoint is asked when an attempt ends without a value that is enough, or in parallel after the hedging
 * delay. The round ends with a value that is enough, with the last attempt, or at the deadline.
 *
 * @returns an attempt for every endpoint that was asked, in the order in which they ended. An endpoint that was hedged
 *   and lost has the fault `slow`. An endpoint that was still being asked at the deadline has the fault `timeout`.
 * @see https://research.google/pubs/the-tail-at-scale/
 */
export async function hedge<Value>(
  endpoints: readonly Endpoint[],
  { deadline, ask, isEnough }: HedgeOptions<Value>,
): Promise<readonly Attempt<Value>[]> {
  const { promise: over, resolve: end, reject } = Promise.withResolvers<'ended' | 'deadline'>()
  const waiting = [...endpoints]
  const running = new Map<Endpoint, { readonly controller: AbortController; readonly isHedged: boolean }>()
  const attempts: Attempt<Value>[] = []

  const askNext = (): void => {
    const endpoint = waiting.shift()
    if (endpoint !== undefined) askOne(endpoint).catch(reject)
  }
  const askOne = async (endpoint: Endpoint): Promise<void> => {
    const controller = new AbortController()
    running.set(endpoint, { controller, isHedged: false })
    const hedging = setTimeout(() => {
      running.set(endpoint, { controller, isHedged: true })
      askNext()
    }, hedgeDelayMs)
    const attempt = await runAttempt(endpoint, controller, ask).finally(() => clearTimeout(hedging))
    running.delete(endpoint)
    attempts.push(attempt)
    const isLast = waiting.length + running.size === 0
    if (isLast || (attempt.value !== undefined && isEnough(attempt.value))) end('ended')
    else askNext()
  }

  const timer = setTimeout(end, Math.max(0, deadline - performance.now()), 'deadline')
  askNext()
  try {
    const isTimeout = (await over) === 'deadline'
    const interrupted = [...running].map(([endpoint, { isHedged }]) => {
      if (isTimeout) return { endpoint, fault: new Fault('timeout') }
      return isHedged ? { endpoint, fault: new Fault('slow') } : { endpoint }
    })
    return [...attempts, ...interrupted]
  } finally {
    clearTimeout(timer)
    waiting.length = 0
    for (const { controller } of running.values()) controller.abort(attemptOver)
  }
}

/** Asks one endpoint, within the time limit of an attempt. */
async function runAttempt<Value>(
  endpoint: Endpoint,
  controller: AbortController,
  ask: HedgeOptions<Value>['ask'],
): Promise<Attempt<Value>> {
  const timeout = setTimeout(() => controller.abort(attemptOver), attemptMs)
  try {
    return { endpoint, value: await ask(endpoint, controller.signal) }
  } catch (error) {
    if (error instanceof Fault) return { endpoint, fault: error }
    throw error
  } finally {
    clearTimeout(timeout)
  }
}
