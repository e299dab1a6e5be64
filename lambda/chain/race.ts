import { ChainUnavailable, type EndpointFault } from '../problems.ts'
import { Fault } from './fault.ts'

/** An endpoint that has said nothing for so long is raced by the next: a healthy one answers in a fraction of it. */
const silenceMs = 600

/** One endpoint is given so long in all, so that a third can still be asked before the deadline. */
const attemptMs = 1_500

/** Asks one endpoint; rejects with a {@link Fault} when the endpoint fails, and ends when the signal says so. */
type Ask<answer> = (rpcUrl: URL, signal: AbortSignal) => Promise<answer>

/** What it took to get an answer. */
export interface Course {
  /** Who gave it, by its place: `rpc-1`. */
  readonly endpoint: string
  /** How many endpoints were asked. */
  readonly attempts: number
  readonly faults: readonly EndpointFault[]
}

/**
 * Asks several endpoints for one answer, in their order, under one deadline (D24).
 *
 * An endpoint that fails is followed by the next at once, and one that is silent is raced by it. The first settled answer wins, and whoever
 * is still being asked is let go. An answer that is not settled stands only if no other endpoint has a settled one.
 *
 * @param deadline on the clock of `performance.now()`
 * @throws {ChainUnavailable} when no endpoint gave an answer before the deadline.
 */
export async function race<answer>(
  rpcUrls: readonly URL[],
  ask: Ask<answer>,
  isSettled: (answer: answer) => boolean,
  deadline: number,
): Promise<{ readonly answer: answer; readonly course: Course }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ answer: answer; course: Course }>()
  const over = new AbortController()
  const faults: EndpointFault[] = []
  const unsettled: { answer: answer; endpoint: string }[] = []
  let started = 0
  let ended = 0

  const win = (answer: answer, endpoint: string) => ({ answer, course: { endpoint, attempts: started, faults } })
  const startNext = (): void => {
    const rpcUrl = rpcUrls[started]
    if (rpcUrl === undefined || over.signal.aborted) return
    started += 1
    const endpoint = `rpc-${started}`
    const silence = setTimeout(startNext, silenceMs)
    const end = (): void => {
      ended += 1
      if (ended === rpcUrls.length) conclude()
      else startNext()
    }
    ask(rpcUrl, AbortSignal.any([over.signal, AbortSignal.timeout(attemptMs)])).then(
      answer => {
        clearTimeout(silence)
        if (isSettled(answer)) return resolve(win(answer, endpoint))
        unsettled.push({ answer, endpoint })
        end()
      },
      error => {
        clearTimeout(silence)
        if (!(error instanceof Fault)) return reject(error)
        faults.push({ endpoint, kind: error.kind })
        end()
      },
    )
  }
  const conclude = (): void => {
    const [first] = unsettled
    if (first !== undefined) resolve(win(first.answer, first.endpoint))
    else reject(new ChainUnavailable(faults))
  }

  const timer = setTimeout(conclude, Math.max(0, deadline - performance.now()))
  startNext()
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    over.abort()
  }
}
