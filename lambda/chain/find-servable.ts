import type { Attempt, Endpoint } from './hedge.ts'
import { isWithoutCode, type Reading } from './read-endpoint.ts'

/**
 * Returns the step of D24 at which a reading may be served: 1 if a feed can be read, 2 if no feed can be read but a feed
 * has a contract, 3 if no feed has a contract.
 */
export function toStep({ feeds }: Reading): 1 | 2 | 3 {
  if (feeds.some(feed => !('unreadable' in feed))) return 1
  return feeds.every(isWithoutCode) ? 3 : 2
}

/** Whether a reading ends its round: at least one feed can be read. */
export function isEnough(reading: Reading): boolean {
  return toStep(reading) === 1
}

/**
 * Finds the attempt whose reading may be served, among those of all rounds that are over (D24).
 *
 * @param endpoints all that could be asked
 */
export function findServable(endpoints: readonly Endpoint[], attempts: readonly Attempt<Reading>[]) {
  const returned = attempts.flatMap(({ endpoint, value }) => (value === undefined ? [] : { endpoint, value }))
  const findOfStep = (step: 1 | 2) => returned.find(({ value }) => toStep(value) === step)
  // Without a contract, a reading needs one of every endpoint: a node without the chain's state finds no contract either.
  const isConfirmed = endpoints.every(endpoint => returned.some(reading => reading.endpoint === endpoint))
  return findOfStep(1) ?? findOfStep(2) ?? (isConfirmed ? returned[0] : undefined)
}
