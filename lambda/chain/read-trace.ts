import type { EndpointFault } from '../faults.ts'
import { isDisagreement } from './find-standing.ts'
import type { Endpoint, Outcome } from './hedge.ts'
import type { Reading } from './read-call.ts'

/** What a read took. */
export interface ReadTrace {
  /** Attempts at endpoints, in both rounds. */
  readonly attempts?: number
  readonly faults: readonly EndpointFault[]
  /** The endpoint whose reading is served, `rpc-1` to `rpc-3` in the configured order, and the round. */
  readonly endpoint?: string
  readonly round?: 1 | 2
  /** Whether it is the last of several endpoints, and every other one failed or was slow. */
  readonly lastResort?: boolean
  /** Milliseconds for the RPC URLs, and for the chain. */
  readonly ssmMs?: number
  readonly rpcMs?: number
}

/** Converts the outcomes of both rounds, and those of them that stand, to what the read took. */
export function toTrace(
  endpoints: readonly Endpoint[],
  first: readonly Outcome<Reading>[],
  second: readonly Outcome<Reading>[],
  standing: readonly Outcome<Reading>[],
): ReadTrace {
  const outcomes = [...first, ...second]
  const attempts = outcomes.length
  const faults: readonly EndpointFault[] = outcomes.flatMap(({ endpoint, fault }) =>
    fault === undefined ? [] : [{ endpoint: toName(endpoint), kind: fault.kind, ...fault.numbers }],
  )
  if (standing[0] === undefined) {
    return { attempts, faults: isDisagreement(outcomes) ? [...faults, { kind: 'disagreement' }] : faults }
  }
  const { endpoint } = standing[0]
  const others = endpoints.filter(other => other !== endpoint)
  const failed = new Set(outcomes.filter(({ fault }) => fault !== undefined).map(outcome => outcome.endpoint))
  return {
    attempts,
    faults,
    endpoint: toName(endpoint),
    round: standing.some(outcome => second.includes(outcome)) ? 2 : 1,
    lastResort: others.length > 0 && endpoint.index === others.length && others.every(other => failed.has(other)),
  }
}

function toName({ index }: Endpoint): string {
  return `rpc-${index + 1}`
}
