import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type EndpointFault, Fault } from '../faults.ts'
import type { Network } from '../networks.ts'
import { preferenceMs, secondRoundPauseMs } from '../timing.ts'
import { type Endpoint, hedge, type Outcome } from './hedge.ts'
import type { Reading, ReadRequest } from './read-call.ts'
import { isWithoutCode, readEndpoint } from './read-endpoint.ts'

/** What a read took. */
export interface ReadTrace {
  /** Attempts at endpoints, in both rounds. */
  readonly attempts: number
  readonly faults: readonly EndpointFault[]
  /** The endpoint that answered, `rpc-1` to `rpc-3` in the configured order, and in which round; undefined if none did. */
  readonly endpoint?: string
  readonly round?: 1 | 2
  /** Whether the last of several endpoints answered because every other one had failed or was slow. */
  readonly lastResort?: boolean
}

/** A reading, or undefined when no endpoint gave a valid answer in time; and what the read took. */
export interface ReadResult {
  readonly reading: Reading | undefined
  readonly trace: ReadTrace
}

/** RPC requests of one HTTP request: enough to divide a list of 21 feeds around one that cannot be read with others. */
const maxRequests = { perEndpoint: 12, total: 24 }

/** The RPC requests of one HTTP request. */
export interface RequestBudget {
  /** @throws {Fault} `over-budget` when the endpoint may get no more */
  readonly take: (endpoint: Endpoint) => void
  readonly countTaken: () => number
}

export function createRequestBudget(): RequestBudget {
  const taken: number[] = []
  const take = ({ index }: Endpoint): void => {
    const ofEndpoint = taken.filter(other => other === index).length
    if (ofEndpoint === maxRequests.perEndpoint || taken.length === maxRequests.total) throw new Fault('over-budget')
    taken.push(index)
  }
  return { take, countTaken: () => taken.length }
}

/**
 * Reads feeds at one block, as a rule with one `eth_call` at one endpoint.
 *
 * Endpoints are asked in order of preference, hedged (D24). When every one has failed, those with a passing fault are asked once more after a
 * short pause. In this second round, a list that fails as a whole is divided (D17).
 *
 * @param deadline on the clock of `performance.now()`
 * @example
 * const request = { network: 'mainnet', feeds: feedsOf('mainnet') }
 * const { reading, trace } = await readFeeds(request, rpcUrls, performance.now() + readMs, createRequestBudget())
 */
export async function readFeeds(
  request: ReadRequest,
  rpcUrls: readonly URL[],
  deadline: number,
  budget: RequestBudget,
): Promise<ReadResult> {
  let attempts = 0
  const askRound = (round: 1 | 2, asked: readonly Endpoint[]): Promise<readonly ReadOutcome[]> => {
    const ask = (endpoint: Endpoint, signal: AbortSignal): Promise<Reading> => {
      attempts += 1
      return readEndpoint(endpoint.rpcUrl, request, round === 2, { signal, countRequest: () => budget.take(endpoint) })
    }
    return hedge(asked, ask, isConclusive, deadline)
  }

  const endpoints = inOrderOfPreference(request.network, rpcUrls)
  const first = await askRound(1, endpoints)
  const answer = chooseAnswer(first)
  const again = endpoints.filter(endpoint => first.some(outcome => outcome.endpoint === endpoint && isPassing(outcome)))
  const pauseMs = randomInt(secondRoundPauseMs.min, secondRoundPauseMs.max)
  if (answer !== undefined || again.length === 0 || performance.now() + pauseMs >= deadline) {
    return toResult(request.network, endpoints, answer, { attempts, round: 1, outcomes: first })
  }
  await sleep(pauseMs)
  const second = await askRound(2, again)
  const latest = [...first.filter(({ endpoint }) => !again.includes(endpoint)), ...second]
  return toResult(request.network, endpoints, chooseAnswer(latest), {
    attempts,
    round: 2,
    outcomes: [...first, ...second],
  })
}

type ReadOutcome = Outcome<Reading>
type Answer = Extract<ReadOutcome, { readonly answer: Reading }>

/** A list is conclusive. A single feed is, unless it is unreadable: that needs the agreement of every endpoint (D24). */
function isConclusive({ reads }: Reading): boolean {
  return reads.length > 1 || reads.every(({ reading }) => !('unreadable' in reading))
}

/**
 * Chooses the answer that stands, if there is one.
 *
 * A conclusive answer stands. Without one, so does any other reason than a missing contract; a missing contract only if no endpoint failed,
 * because a node without the chain's state finds no contract anywhere.
 */
function chooseAnswer(outcomes: readonly ReadOutcome[]): Answer | undefined {
  const answers = outcomes.filter(outcome => 'answer' in outcome)
  const withContract = answers.filter(({ answer }) => !answer.reads.every(isWithoutCode))
  const conclusive = withContract.find(({ answer }) => isConclusive(answer))
  return conclusive ?? withContract[0] ?? (answers.length === outcomes.length ? answers[0] : undefined)
}

/** Whether an endpoint failed in a way that may pass within moments, or that one feed of a list may have caused. */
function isPassing(outcome: ReadOutcome): boolean {
  if (!('fault' in outcome)) return false
  const { kind, numbers } = outcome.fault
  if (kind === 'http-status') return (numbers.httpStatus ?? 0) >= 500
  return ['unreachable', 'rate-limited', 'rpc-error', 'timeout', 'out-of-gas', 'oversized'].includes(kind)
}

/** Per network, the endpoint that answered in place of another, and until when it is asked first (wall clock). */
const preferred = new Map<Network, { readonly index: number; readonly until: number }>()

function inOrderOfPreference(network: Network, rpcUrls: readonly URL[]): readonly Endpoint[] {
  const endpoints = rpcUrls.map((rpcUrl, index) => ({ rpcUrl, index }))
  const preference = preferred.get(network)
  const first = endpoints.filter(({ index }) => index === preference?.index && Date.now() < preference.until)
  return [...first, ...endpoints.filter(endpoint => !first.includes(endpoint))]
}

/** Builds the trace, and prefers the endpoint that answered from now on if it was not asked first. */
function toResult(
  network: Network,
  endpoints: readonly Endpoint[],
  answer: Answer | undefined,
  {
    attempts,
    round,
    outcomes,
  }: { readonly attempts: number; readonly round: 1 | 2; readonly outcomes: readonly ReadOutcome[] },
): ReadResult {
  const failed = outcomes.filter(outcome => 'fault' in outcome)
  const faults = failed.map(({ endpoint, fault }) => ({
    endpoint: toName(endpoint),
    kind: fault.kind,
    ...fault.numbers,
  }))
  if (answer === undefined) return { reading: undefined, trace: { attempts, faults } }
  const { endpoint } = answer
  if (endpoint !== endpoints[0]) preferred.set(network, { index: endpoint.index, until: Date.now() + preferenceMs })
  const others = endpoints.filter(other => other !== endpoint)
  const isLast = others.length > 0 && endpoint.index === others.length
  const lastResort = isLast && others.every(other => failed.some(outcome => outcome.endpoint === other))
  return { reading: answer.answer, trace: { attempts, faults, endpoint: toName(endpoint), round, lastResort } }
}

function toName({ index }: Endpoint): string {
  return `rpc-${index + 1}`
}
