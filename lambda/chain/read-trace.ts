import type { EndpointFault } from '../faults.ts'
import { isDisagreement } from './find-servable.ts'
import type { Endpoint, Outcome } from './hedge.ts'
import type { Reading } from './read-endpoint.ts'

/** What a read took. */
export interface ReadTrace {
  /** Attempts at endpoints, in both rounds. */
  readonly attempts?: number
  readonly faults: readonly EndpointFault[]
  /** The endpoint whose reading is served, `rpc-1` to `rpc-3` in the configured order, and the round. */
  readonly endpoint?: string
  readonly round?: 1 | 2
  /** Whether that endpoint is the last of several, and every other endpoint failed or was slow. */
  readonly lastResort?: boolean
  /**
   * The faults of the first endpoint, or of the first two where two must agree, if all of them were asked. After a fault,
   * others are asked first for a while (D24), so they are compared with the reads that asked them, not with all reads.
   */
  readonly firstEndpointFaults?: number
  /** Milliseconds for the RPC URLs, and for the chain. */
  readonly ssmMs?: number
  readonly rpcMs?: number
}

/** Converts the outcomes of both rounds, and those of them that may be served, to what the read took. */
export function toTrace(
  agreement: number,
  endpoints: readonly Endpoint[],
  first: readonly Outcome<Reading>[],
  second: readonly Outcome<Reading>[],
  servable: readonly Outcome<Reading>[],
): ReadTrace {
  const outcomes = [...first, ...second]
  const faults: readonly EndpointFault[] = outcomes.flatMap(({ endpoint, fault }) =>
    fault === undefined ? [] : [{ endpoint: toName(endpoint), kind: fault.kind, ...fault.numbers }],
  )
  const ofFirst = outcomes.filter(({ endpoint }) => endpoint.index < agreement)
  const askedAll = new Set(ofFirst.map(({ endpoint }) => endpoint)).size === agreement
  const attempted = {
    attempts: outcomes.length,
    faults,
    ...(askedAll && { firstEndpointFaults: ofFirst.filter(({ fault }) => fault !== undefined).length }),
  }
  if (servable[0] === undefined) {
    return { ...attempted, faults: isDisagreement(outcomes) ? [...faults, { kind: 'disagreement' }] : faults }
  }
  const { endpoint } = servable[0]
  const rest = endpoints.filter(candidate => candidate !== endpoint)
  const failed = new Set(outcomes.filter(({ fault }) => fault !== undefined).map(outcome => outcome.endpoint))
  return {
    ...attempted,
    endpoint: toName(endpoint),
    round: servable.some(outcome => second.includes(outcome)) ? 2 : 1,
    lastResort: rest.length > 0 && endpoint.index === rest.length && rest.every(candidate => failed.has(candidate)),
  }
}

function toName({ index }: Endpoint): string {
  return `rpc-${index + 1}`
}
