import type { Network } from '../feeds/registry.ts'
import type { EndpointFault, Problem } from '../problems.ts'
import { withhold } from './withhold.ts'

/** What is known of a request so far: each part notes what it learns. Everything is of a closed vocabulary or a number (D25). */
export interface Notes {
  network?: Network
  symbol?: string
  block?: number
  headAgeSeconds?: number
  /** The endpoint that answered, by its place. */
  endpoint?: string
  /** Whether that was the last of several, after which there is nobody to ask. */
  lastResort?: boolean
  /** How many endpoints were asked. */
  attempts?: number
  faults?: readonly EndpointFault[]
  /** The symbols of the feeds that could not be read. */
  unreadable?: readonly string[]
  ssmMs?: number
  rpcMs?: number
}

/**
 * Writes the one line of a request, which Lambda makes a JSON document of.
 *
 * Metric filters count its fields by their names.
 */
export function logRequest(route: string, problem: Problem | undefined, { faults = [], ...notes }: Notes): void {
  const outcome = problem?.slug ?? 'ok'
  const counts = Object.entries(Object.groupBy(faults, ({ kind }) => kind)).map(([kind, some]) => [kind, some?.length])
  const noted = { outcome, ...notes, ...(faults.length === 0 ? {} : { faults: Object.fromEntries(counts) }) }
  const fields = Object.entries(noted).map(([field, value]) => [field, withhold(value)])
  // What a caller got wrong is no news to an operator.
  const level = problem !== undefined && problem.document.status >= 500 ? 'warn' : 'info'
  console[level]({ route, ...Object.fromEntries(fields) })
}
