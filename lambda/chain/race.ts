import { ChainUnavailable, type EndpointFault, type FaultKind } from '../problems.ts'
import { Fault } from './fault.ts'

/** An endpoint that has said nothing for so long is raced by the next: a healthy one answers in a fraction of it. */
const silenceMs = 600

/** One endpoint is given so long in all, so that a third can still be asked before the deadline. */
const attemptMs = 1_500

/** Why whoever is still being asked is let go: made once, because to make an error takes longer than all else here. */
const letGo = new Error('The race is over')

/** Asks one endpoint; rejects with a {@link Fault} when the endpoint fails, and ends when the signal says so. */
type Ask<answer> = (rpcUrl: URL, signal: AbortSignal) => Promise<answer>

/** An answer, and what it took to get it. */
export interface Won<answer> {
  readonly answer: answer
  readonly course: Course
}

/** What it took to get an answer. */
export interface Course {
  /** Who gave it, by its place: `rpc-1`. */
  readonly endpoint: string
  /** How many endpoints were asked. */
  readonly attempts: number
  readonly faults: readonly EndpointFault[]
}

/**
 * Asks several endpoints for one answer, under one deadline (D24).
 *
 * Begins with the one that answered last, and goes on in their order. An endpoint that fails is followed by the next at once, and one that
 * is silent is raced by it. The first settled answer wins, and whoever is still being asked is let go. An answer that is not settled stands
 * only if no other endpoint has a settled one.
 *
 * @param deadline on the clock of `performance.now()`
 * @throws {ChainUnavailable} when no endpoint gave an answer before the deadline.
 */
export async function race<answer>(
  rpcUrls: readonly URL[],
  ask: Ask<answer>,
  isSettled: (answer: answer) => boolean,
  deadline: number,
): Promise<Won<answer>> {
  const { promise, resolve, reject } = Promise.withResolvers<Won<answer>>()
  const over = new AbortController()
  const waiting = lineUp(rpcUrls)
  const running = new Set<Contestant>()
  const unsettled: { readonly by: Contestant; readonly answer: answer }[] = []
  const faults: EndpointFault[] = []
  let attempts = 0

  const startNext = (): void => {
    const next = waiting.shift()
    if (next !== undefined && !over.signal.aborted) run(next).catch(reject)
  }
  const run = async (one: Contestant): Promise<void> => {
    attempts += 1
    running.add(one)
    const outcome = await attempt(ask, one.rpcUrl, over.signal, startNext)
    running.delete(one)
    if (over.signal.aborted) return
    if (outcome instanceof Fault) faults.push(toEndpointFault(one, outcome.kind))
    else if (isSettled(outcome.answer)) return win(one, outcome.answer)
    else unsettled.push({ by: one, answer: outcome.answer })
    if (waiting.length + running.size === 0) conclude()
    else startNext()
  }
  const win = ({ endpoint, rpcUrl }: Contestant, answer: answer): void => {
    rememberAmong(rpcUrls, rpcUrl)
    over.abort(letGo)
    resolve({ answer, course: { endpoint, attempts, faults: [...faults] } })
  }
  const conclude = (): void => {
    const [first] = unsettled
    if (first !== undefined) win(first.by, first.answer)
    else reject(new ChainUnavailable([...faults, ...[...running].map(one => toEndpointFault(one, 'timeout'))]))
  }

  const timer = setTimeout(conclude, Math.max(0, deadline - performance.now()))
  startNext()
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    over.abort(letGo)
  }
}

/** Asks one endpoint, for so long as it is given; says once that it is silent, and in the end what came of it. */
async function attempt<answer>(
  ask: Ask<answer>,
  rpcUrl: URL,
  over: AbortSignal,
  onSilence: () => void,
): Promise<{ readonly answer: answer } | Fault> {
  const silence = setTimeout(onSilence, silenceMs)
  try {
    return { answer: await ask(rpcUrl, AbortSignal.any([over, AbortSignal.timeout(attemptMs)])) }
  } catch (error) {
    if (error instanceof Fault) return error
    throw error
  } finally {
    clearTimeout(silence)
  }
}

/** An endpoint, and its place in the order of preference. */
interface Contestant {
  readonly rpcUrl: URL
  readonly endpoint: string
}

/**
 * The endpoints that answered last, each among its own. Holds the URLs themselves and not their text, so that the order of preference counts
 * again whenever they are loaded anew.
 */
const answeredLast = new WeakSet<URL>()

function rememberAmong(rpcUrls: readonly URL[], winner: URL): void {
  for (const rpcUrl of rpcUrls) answeredLast.delete(rpcUrl)
  answeredLast.add(winner)
}

function lineUp(rpcUrls: readonly URL[]): Contestant[] {
  const contestants = rpcUrls.map((rpcUrl, index) => ({ rpcUrl, endpoint: `rpc-${index + 1}` }))
  const first = contestants.filter(({ rpcUrl }) => answeredLast.has(rpcUrl))
  return [...first, ...contestants.filter(one => !first.includes(one))]
}

function toEndpointFault({ endpoint }: Contestant, kind: FaultKind): EndpointFault {
  return { endpoint, kind }
}
