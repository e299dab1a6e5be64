import { type EndpointFault, faultKinds } from '../faults.ts'
import { feedsOf, type Network, networks } from '../feeds/registry.ts'
import { type Problem, problemSlugs } from '../problems.ts'

/** What the log holds of a request, beside its route and outcome. Numbers, and texts of the allowlist (D25). */
export interface LogFields {
  readonly network?: Network
  readonly symbol?: string
  readonly block?: number
  readonly headAgeSeconds?: number
  /** The endpoint that answered. */
  readonly endpoint?: string
  readonly round?: 1 | 2
  readonly lastResort?: boolean
  readonly attempts?: number
  /** HTTP requests to RPC nodes. */
  readonly requests?: number
  readonly faults?: readonly EndpointFault[]
  /** The symbols of the feeds that could not be read. */
  readonly unreadable?: readonly string[]
  readonly ssmMs?: number
  readonly rpcMs?: number
}

/**
 * Writes the one line of a request, which Lambda formats as JSON. Metric filters select its fields by name.
 *
 * Faults are counted by kind. The HTTP statuses and JSON-RPC codes of all faults stand in lists of their own.
 */
export function logRequest(route: string, problem: Problem | undefined, { faults = [], ...fields }: LogFields): void {
  const line = {
    outcome: problem?.slug ?? 'ok',
    ...fields,
    ...(faults.length > 0 ? { faults: countKinds(faults) } : {}),
    ...toNumbers(
      'httpStatuses',
      faults.map(({ httpStatus }) => httpStatus),
    ),
    ...toNumbers(
      'rpcCodes',
      faults.map(({ rpcCode }) => rpcCode),
    ),
  }
  const redacted = Object.entries(line).map(([field, value]) => [field, redact(value)])
  // What a caller did wrong needs no attention of an operator.
  const level = problem !== undefined && problem.document.status >= 500 ? 'warn' : 'info'
  console[level]({ route, ...Object.fromEntries(redacted) })
}

function countKinds(faults: readonly EndpointFault[]): Readonly<Record<string, number>> {
  const byKind = Object.groupBy(faults, ({ kind }) => kind)
  return Object.fromEntries(Object.entries(byKind).map(([kind, some = []]) => [kind, some.length]))
}

function toNumbers(field: 'httpStatuses' | 'rpcCodes', numbers: readonly (number | undefined)[]) {
  const distinct = [...new Set(numbers.filter(number => number !== undefined))]
  return distinct.length > 0 ? { [field]: distinct } : {}
}

/** Every text that may be logged. */
const allowlist: ReadonlySet<string> = new Set([
  'ok',
  'rpc-1',
  'rpc-2',
  'rpc-3',
  ...problemSlugs,
  ...faultKinds,
  ...networks,
  ...networks.flatMap(feedsOf).map(({ symbol }) => symbol),
])

/**
 * Recursively replaces strings that are not on the allowlist with `[redacted]` (D25).
 *
 * The second line of defence: a URL, a key or an upstream's text that gets into the fields by mistake is not logged.
 */
function redact(value: unknown): unknown {
  if (typeof value === 'string') return allowlist.has(value) ? value : '[redacted]'
  if (Array.isArray(value)) return value.map(redact)
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [redact(name), redact(inner)]))
  }
  return value
}
