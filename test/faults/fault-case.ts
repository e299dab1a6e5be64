import type { FaultKind } from '../../lambda/faults.ts'
import type { PriceRecord } from '../../lambda/feeds/price-record.ts'
import type { Answer } from './answers.ts'

/**
 * What the service must say of the feed that a case is about, when no other endpoint is there.
 *
 * A fault's kind is 503, and stands in the log alone. `unreadable` is 502, and why. A record is 200: the true one but for these fields.
 */
export type Expected = FaultKind | { readonly unreadable: string } | { readonly record: Partial<PriceRecord> }

/** Where an endpoint is that nobody can ask anything. */
type Unasked = 'nobody listens' | 'unknown host' | 'speaks no TLS'

interface Options {
  /** Silent for longer than an endpoint may be before the next one races it. */
  readonly slow?: boolean
  /** What the service must say in a list, where that is something else. */
  readonly inList?: Expected
  readonly unasked?: Unasked
}

/** One shape of failure, and what the service must say to it. */
export interface FaultCase extends Options {
  readonly kind: string
  readonly name: string
  readonly answer: Answer
  readonly expected: Expected
}

/** Makes the cases of one kind out of their rows. */
export function toCases(
  kind: string,
  rows: readonly (readonly [name: string, answer: Answer, expected: Expected, options?: Options])[],
): FaultCase[] {
  return rows.map(([name, answer, expected, options]) => ({ kind, name, answer, expected, ...options }))
}
