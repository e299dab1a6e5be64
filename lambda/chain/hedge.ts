import { Fault } from '../faults.ts'
import { attemptMs, hedgeDelayMs } from '../timing.ts'

/** A node's URL, and its place in the configured order, from 0. */
export interface Endpoint {
  readonly rpcUrl: URL
  readonly index: number
}

/** What came of asking one endpoint. */
export type Outcome<answer> =
  | { readonly endpoint: Endpoint; readonly answer: answer }
  | { readonly endpoint: Endpoint; readonly fault: Fault }

/** Asks one endpoint. Rejects with a {@link Fault} when the endpoint fails, and ends when the signal aborts. */
type Ask<answer> = (endpoint: Endpoint, signal: AbortSignal) => Promise<answer>

/** Shared abort reason: capturing a stack trace per request costs more than the rest of the read. */
const roundOver = new Error('The round is over')

/**
 * Asks several endpoints for one answer, in their order.
 *
 * The next endpoint is asked when one fails, when its answer is provisional, or in parallel after the hedging delay. The round ends with the
 * first conclusive answer, when every endpoint has answered or failed, or at the deadline.
 *
 * @param deadline on the clock of `performance.now()`
 * @returns an outcome for every endpoint that was asked. A conclusive answer is the last one. An endpoint that was hedged and lost has the
 *   fault `slow`, one that was still being asked at the deadline the fault `timeout`; one that lost in time has no outcome.
 * @see https://research.google/pubs/the-tail-at-scale/
 */
export async function hedge<answer>(
  endpoints: readonly Endpoint[],
  ask: Ask<answer>,
  isConclusive: (answer: answer) => boolean,
  deadline: number,
): Promise<readonly Outcome<answer>[]> {
  /** Settles with the fault of the endpoints that are still being asked when the round ends. */
  const { promise, resolve, reject } = Promise.withResolvers<'slow' | 'timeout'>()
  const over = new AbortController()
  const waiting = [...endpoints]
  const running = new Set<Endpoint>()
  const hedged = new Set<Endpoint>()
  const outcomes: Outcome<answer>[] = []

  const askNext = (): void => {
    const endpoint = waiting.shift()
    if (endpoint !== undefined && !over.signal.aborted) askOne(endpoint).catch(reject)
  }
  const askOne = async (endpoint: Endpoint): Promise<void> => {
    running.add(endpoint)
    const hedgeTimer = setTimeout(() => {
      hedged.add(endpoint)
      askNext()
    }, hedgeDelayMs)
    const outcome = await settle(
      endpoint,
      ask(endpoint, AbortSignal.any([over.signal, AbortSignal.timeout(attemptMs)])),
    )
    clearTimeout(hedgeTimer)
    running.delete(endpoint)
    outcomes.push(outcome)
    const isAnswered = 'answer' in outcome && isConclusive(outcome.answer)
    if (isAnswered || waiting.length + running.size === 0) resolve('slow')
    else askNext()
  }

  const timer = setTimeout(resolve, Math.max(0, deadline - performance.now()), 'timeout')
  askNext()
  try {
    const kind = await promise
    const lost = [...running].filter(endpoint => kind === 'timeout' || hedged.has(endpoint))
    return [...lost.map(endpoint => ({ endpoint, fault: new Fault(kind) })), ...outcomes]
  } finally {
    clearTimeout(timer)
    over.abort(roundOver)
  }
}

async function settle<answer>(endpoint: Endpoint, asked: Promise<answer>): Promise<Outcome<answer>> {
  try {
    return { endpoint, answer: await asked }
  } catch (error) {
    if (error instanceof Fault) return { endpoint, fault: error }
    throw error
  }
}
