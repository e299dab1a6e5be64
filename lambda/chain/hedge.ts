import { Fault } from '../faults.ts'
import { attemptMs, hedgeDelayMs } from '../timing.ts'

/** A node's URL, and its place in the configured order, from 0. */
export interface Endpoint {
  readonly rpcUrl: URL
  readonly index: number
}

/** The result of one attempt. An attempt that ended with its round, and was not slow, has no value and no fault. */
export interface Outcome<Value> {
  readonly endpoint: Endpoint
  readonly value?: Value
  readonly fault?: Fault
}

interface HedgeOptions<Value> {
  /** How many endpoints are asked at once. */
  readonly parallel: number
  /** On the clock of `performance.now()`. */
  readonly deadline: number
  /** Asks one endpoint. Rejects with a {@link Fault} when the endpoint fails, and ends when the signal aborts. */
  readonly ask: (endpoint: Endpoint, signal: AbortSignal) => Promise<Value>
  readonly isOver: (outcomes: readonly Outcome<Value>[]) => boolean
}

/** Shared abort reason: capturing a stack trace per request costs more than the rest of the read. */
const attemptOver = new Error('The attempt is over')

/**
 * Asks several endpoints, in their order.
 *
 * The next endpoint is asked when an endpoint fails, when all that were asked have an outcome, or in parallel after the
 * hedging delay. The round ends when its outcomes are enough, when every endpoint has an outcome, or at the deadline.
 *
 * @returns an outcome for every endpoint that was asked, in the order in which they ended. An endpoint that was hedged
 *   and lost has the fault `slow`. An endpoint that was still being asked at the deadline has the fault `timeout`.
 * @see https://research.google/pubs/the-tail-at-scale/
 */
export async function hedge<Value>(
  endpoints: readonly Endpoint[],
  { parallel, deadline, ask, isOver }: HedgeOptions<Value>,
): Promise<readonly Outcome<Value>[]> {
  /** Settles with the fault of the endpoints that are still being asked when the round ends. */
  const { promise: over, resolve: end, reject } = Promise.withResolvers<'slow' | 'timeout'>()
  const waiting = [...endpoints]
  const running = new Map<Endpoint, AbortController>()
  const hedged = new Set<Endpoint>()
  const outcomes: Outcome<Value>[] = []

  const askNext = (): void => {
    const endpoint = waiting.shift()
    if (endpoint !== undefined) askOne(endpoint).catch(reject)
  }
  const askOne = async (endpoint: Endpoint): Promise<void> => {
    const controller = new AbortController()
    running.set(endpoint, controller)
    const outcome = await attempt(endpoint, ask, controller, () => {
      hedged.add(endpoint)
      askNext()
    })
    // The round has ended already, and this endpoint has its outcome.
    if (!running.delete(endpoint)) return
    outcomes.push(outcome)
    if (isOver(outcomes) || waiting.length + running.size === 0) end('slow')
    else if (outcome.fault !== undefined || running.size === 0) askNext()
  }

  const timer = setTimeout(end, Math.max(0, deadline - performance.now()), 'timeout')
  for (let asked = 0; asked < parallel; asked += 1) askNext()
  try {
    const kind = await over
    const isFault = (endpoint: Endpoint): boolean => kind === 'timeout' || hedged.has(endpoint)
    const lost = [...running.keys()].map(endpoint =>
      isFault(endpoint) ? { endpoint, fault: new Fault(kind) } : { endpoint },
    )
    return [...outcomes, ...lost]
  } finally {
    clearTimeout(timer)
    waiting.length = 0
    for (const controller of running.values()) controller.abort(attemptOver)
    running.clear()
  }
}

async function attempt<Value>(
  endpoint: Endpoint,
  ask: HedgeOptions<Value>['ask'],
  controller: AbortController,
  onHedgeDelay: () => void,
): Promise<Outcome<Value>> {
  const hedging = setTimeout(onHedgeDelay, hedgeDelayMs)
  const timeout = setTimeout(() => controller.abort(attemptOver), attemptMs)
  try {
    return { endpoint, value: await ask(endpoint, controller.signal) }
  } catch (error) {
    if (error instanceof Fault) return { endpoint, fault: error }
    throw error
  } finally {
    clearTimeout(hedging)
    clearTimeout(timeout)
  }
}
