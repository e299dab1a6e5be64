import { type Network, networks } from '../../api/networks.ts'
import { Problem, problemSlugs } from '../../api/problems.ts'
import type { ReadTrace } from '../chain/read-in-rounds.ts'
import { maxRpcUrls, toEndpointName } from '../endpoints.ts'
import { faultKinds, type UpstreamFault } from '../faults.ts'
import type { ChainReading } from '../feeds/reading.ts'
import { feedsOf } from '../feeds/registry.ts'

/** The fields of a request's line in the log, besides its route and outcome: numbers, and texts of the allowlist. */
export interface LogFields extends Partial<ReadTrace> {
  /** `deployment` if a deployment itself sent the request; absent if a caller of the API did. */
  readonly caller?: 'deployment'
  readonly network?: Network
  readonly symbol?: string
  readonly block?: number
  readonly headAgeSeconds?: number
  readonly unreadable?: readonly string[]
}

export function toLogFields(network: Network, reading: ChainReading | Problem, trace: ReadTrace): LogFields {
  if (reading instanceof Problem) return { network, ...trace }
  const { block, readAt, blockTime, feeds } = reading
  return {
    network,
    ...trace,
    block,
    // A block may be up to 15 s ahead of our clock.
    headAgeSeconds: Math.max(0, Math.round(readAt.getTime() / 1_000 - blockTime)),
    unreadable: feeds.filter(feed => 'unreadable' in feed).map(({ feed }) => feed.symbol),
  }
}

/**
 * Writes the line of a request, and one line for each of its faults. Lambda formats them as JSON.
 *
 * Metric filters select fields by name. The line of a request has a `route`, that of a fault has a `fault`.
 */
export function logRequest(
  route: string,
  problem: Problem | undefined,
  { upstreamFaults = [], ...fields }: LogFields,
): void {
  // An operator need not act on a mistake of a caller (4xx).
  const level = problem !== undefined && problem.body.status >= 500 ? 'warn' : 'info'
  const line = {
    outcome: problem?.slug ?? 'ok',
    ...fields,
    ...(upstreamFaults.length > 0 ? { faults: countKinds(upstreamFaults) } : {}),
  }
  console[level]({ route, ...redactValues(line) })
  for (const { kind, ...rest } of upstreamFaults) {
    console.info(redactValues({ fault: kind, ...rest, network: fields.network, caller: fields.caller }))
  }
}

function countKinds(faults: readonly UpstreamFault[]): Readonly<Record<string, number>> {
  const byKind = Map.groupBy(faults, ({ kind }) => kind)
  return Object.fromEntries([...byKind].map(([kind, ofKind]) => [kind, ofKind.length]))
}

function redactValues(line: object): object {
  return Object.fromEntries(Object.entries(line).map(([field, value]) => [field, redact(value)]))
}

const allowlist: ReadonlySet<string> = new Set([
  'ok',
  'deployment',
  ...Array.from({ length: maxRpcUrls }, (_, index) => toEndpointName(index)),
  ...problemSlugs,
  ...faultKinds,
  ...networks,
  ...networks.flatMap(feedsOf).map(({ symbol }) => symbol),
])

/**
 * Recursively replaces strings that are not on the allowlist with `[redacted]` (D25).
 *
 * This is a safeguard: if a mistake puts a URL, a key or an upstream's text into the fields, it is not logged.
 */
function redact(value: unknown): unknown {
  if (typeof value === 'string') return allowlist.has(value) ? value : '[redacted]'
  if (Array.isArray(value)) return value.map(redact)
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [redact(name), redact(inner)]))
  }
  return value
}
