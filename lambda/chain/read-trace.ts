import type { EndpointFault } from '../faults.ts'
import { isDisagreement } from './find-servable.ts'
import type { Endpoint, Outcome } from './hedge.ts'
import type { Reading } from './read-endpoint.ts'

export interface ReadTrace {
  /** Attempts at endpoints, in both rounds. */
  readonly attempts?: number
  readonly faults: readonly EndpointFault[]
  /** The endpoint whose reading is served, `rpc-1` to `rpc-3` in the configured order, and the round. */
  readonly endpoint?: string
  readonly round?: 1 | 2
  /** Whether that endpoint is the last of several, and every other endpoint failed or was slow. Absent with agreement. */
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
  const faults: readonly EndpointFault[] = outcomes.flatMap(outcome => {
    const { kind, numbers } = outcome.fault ?? {}
    const found = kind ?? (agreement > 1 && isOutvoted(outcome, servable) ? 'disagreement' : undefined)
    return found === undefined ? [] : [{ endpoint: toName(outcome.endpoint), kind: found, ...numbers }]
  })
  const ofFirst = endpoints.filter(({ index }) => index < agreement)
  const askedAll = ofFirst.every(endpoint => outcomes.some(outcome => outcome.endpoint === endpoint))
  const firstNames = ofFirst.map(toName)
  const attempted = {
    attempts: outcomes.length,
    faults,
    ...(askedAll && {
      firstEndpointFaults: faults.filter(({ endpoint = '' }) => firstNames.includes(endpoint)).length,
    }),
  }
  if (servable[0] === undefined) {
    return { ...attempted, faults: isDisagreement(outcomes) ? [...faults, { kind: 'disagreement' }] : faults }
  }
  const { endpoint } = servable[0]
  return {
    ...attempted,
    endpoint: toName(endpoint),
    round: servable.some(outcome => second.includes(outcome)) ? 2 : 1,
    ...(agreement === 1 && { lastResort: isLastResort(endpoint, endpoints, outcomes) }),
  }
}

/** Whether readings that agree have other rows at the block of this one (D29). */
function isOutvoted({ value }: Outcome<Reading>, servable: readonly Outcome<Reading>[]): boolean {
  return servable.some(agreed => agreed.value?.block === value?.block && agreed.value?.rows !== value?.rows)
}

function isLastResort(endpoint: Endpoint, endpoints: readonly Endpoint[], outcomes: readonly Outcome<Reading>[]) {
  const rest = endpoints.filter(candidate => candidate !== endpoint)
  const failed = new Set(outcomes.filter(({ fault }) => fault !== undefined).map(outcome => outcome.endpoint))
  return rest.length > 0 && endpoint.index === rest.length && rest.every(candidate => failed.has(candidate))
}

function toName({ index }: Endpoint): string {
  return `rpc-${index + 1}`
}
