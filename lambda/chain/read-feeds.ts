import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type EndpointFault, Fault } from '../faults.ts'
import type { Network } from '../feeds/registry.ts'
import { preferenceMs, secondRoundPauseMs } from '../timing.ts'
import { type Endpoint, hedge, type Outcome } from './hedge.ts'
import type { Reading, ReadRequest } from './read-call.ts'
import { isWithoutCode, readEndpoint } from './read-endpoint.ts'

/** What a read took. */
export interface ReadTrace {
  /** Attempts at endpoints, in both rounds. */
  readonly attempts: number
  /** HTTP requests to RPC nodes. */
  readonly requests: number
  readonly faults: readonly EndpointFault[]
  /** Undefined when no endpoint gave a valid answer. */
  readonly answered?: {
    /** The endpoint that answered: `rpc-1` to `rpc-3`, in the configured order. */
    readonly endpoint: string
    readonly round: 1 | 2
    /** Whether the last of several endpoints answered because every other one had failed or was slow. */
    readonly lastResort: boolean
  }
}

/** A reading, or undefined when no endpoint gave a valid answer in time; and what the read took. */
export interface ReadResult {
  readonly reading: Reading | undefined
  readonly trace: ReadTrace
}

/** RPC requests of one HTTP request: enough to divide a list of 21 feeds around one that cannot be read with others. */
const maxRequests = { perEndpoint: 12, total: 24 }

/** Counts a request to an endpoint; throws a {@link Fault} when the budget is spent. */
export type CountRequest = (endpoint: Endpoint) => void

/** Creates the budget of RPC requests that one HTTP request may make. */
export function createRequestBudget(): CountRequest {
  const counts = new Map<number, number>()
  let total = 0
  return ({ index }) => {
    const count = counts.get(index) ?? 0
    if (count === maxRequests.perEndpoint || total === maxRequests.total) throw new Fault('over-budget')
    counts.set(index, count + 1)
    total += 1
  }
}

/**
 * Reads feeds at one block, as a rule with one `eth_call` at one endpoint.
 *
 * Endpoints are asked in order of preference, hedged (D24). When every one has failed, those with a passing fault are asked once more after a
 * short pause. In this second round, a list that fails as a whole is divided (D17).
 *
 * @param deadline on the clock of `performance.now()`
 * @example
 * const request = { network: 'mainnet', feeds: feedsOf('mainnet'), maxHeadAgeSeconds: 60 }
 * const { reading, trace } = await readFeeds(request, rpcUrls, performance.now() + readMs, createRequestBudget())
 */
export async function readFeeds(
  request: ReadRequest,
  rpcUrls: readonly URL[],
  deadline: number,
  countRequest: CountRequest,
): Promise<ReadResult> {
  let [attempts, requests] = [0, 0]
  const askRound = (round: 1 | 2, endpoints: readonly Endpoint[]): Promise<readonly Outcome<Reading>[]> => {
    const ask = (endpoint: Endpoint, signal: AbortSignal): Promise<Reading> => {
      attempts += 1
      const countOne = (): void => {
        countRequest(endpoint)
        requests += 1
      }
      return readEndpoint(endpoint.rpcUrl, request, round === 2, { signal, countRequest: countOne })
    }
    return hedge(endpoints, ask, isConclusive, deadline)
  }

  const endpoints = inOrderOfPreference(request.network, rpcUrls)
  const outcomes = [...(await askRound(1, endpoints))]
  let answer = chooseAnswer(outcomes)
  const again = answer === undefined ? endpoints.filter(endpoint => outcomes.some(isPassingFaultOf(endpoint))) : []
  const pauseMs = randomInt(secondRoundPauseMs.min, secondRoundPauseMs.max)
  const isSecondRound = again.length > 0 && performance.now() + pauseMs < deadline
  if (isSecondRound) {
    await sleep(pauseMs)
    const second = await askRound(2, again)
    answer = chooseAnswer([...outcomes.filter(({ endpoint }) => !again.includes(endpoint)), ...second])
    outcomes.push(...second)
  }

  const faults = outcomes.flatMap(outcome =>
    'fault' in outcome ? toEndpointFault(outcome.endpoint, outcome.fault) : [],
  )
  const trace = { attempts, requests, faults }
  if (answer === undefined) return { reading: undefined, trace }
  const { endpoint } = answer
  if (endpoint !== endpoints[0]) prefer(request.network, endpoint)
  const others = endpoints.filter(other => other !== endpoint)
  const lastResort =
    endpoint.index === others.length && others.length > 0 && others.every(other => hasFault(faults, other))
  const answered = { endpoint: toName(endpoint), round: isSecondRound ? 2 : 1, lastResort } as const
  return { reading: answer.answer, trace: { ...trace, answered } }
}

type Answer = Extract<Outcome<Reading>, { readonly answer: Reading }>

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
function chooseAnswer(outcomes: readonly Outcome<Reading>[]): Answer | undefined {
  const answers = outcomes.filter(outcome => 'answer' in outcome)
  const withContract = answers.filter(({ answer }) => !answer.reads.every(isWithoutCode))
  const [conclusive] = withContract.filter(({ answer }) => isConclusive(answer))
  return conclusive ?? withContract[0] ?? (answers.length === outcomes.length ? answers[0] : undefined)
}

/** Whether an outcome is a failure of the endpoint that may pass within moments, or that may be caused by one feed of a list. */
function isPassingFaultOf(endpoint: Endpoint): (outcome: Outcome<Reading>) => boolean {
  return outcome => {
    if (outcome.endpoint !== endpoint || !('fault' in outcome)) return false
    const { kind, numbers } = outcome.fault
    if (kind === 'http-status') return (numbers.httpStatus ?? 0) >= 500
    return ['unreachable', 'rate-limited', 'rpc-error', 'timeout', 'out-of-gas', 'oversized'].includes(kind)
  }
}

/** Per network, the endpoint that answered in place of a better one, and until when it is asked first (wall clock). */
const preferred = new Map<Network, { readonly index: number; readonly until: number }>()

function prefer(network: Network, { index }: Endpoint): void {
  preferred.set(network, { index, until: Date.now() + preferenceMs })
}

function inOrderOfPreference(network: Network, rpcUrls: readonly URL[]): readonly Endpoint[] {
  const endpoints = rpcUrls.map((rpcUrl, index) => ({ rpcUrl, index }))
  const { index, until } = preferred.get(network) ?? { index: 0, until: 0 }
  const first = endpoints.filter(endpoint => endpoint.index === index && Date.now() < until)
  return [...first, ...endpoints.filter(endpoint => !first.includes(endpoint))]
}

function toName({ index }: Endpoint): string {
  return `rpc-${index + 1}`
}

function toEndpointFault(endpoint: Endpoint, { kind, numbers }: Fault): EndpointFault {
  return { endpoint: toName(endpoint), kind, ...numbers }
}

function hasFault(faults: readonly EndpointFault[], endpoint: Endpoint): boolean {
  return faults.some(fault => fault.endpoint === toName(endpoint))
}
