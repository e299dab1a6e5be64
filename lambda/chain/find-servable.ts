import type { Attempt, Endpoint } from './hedge.ts'
import { isWithoutCode, type Reading } from './read-endpoint.ts'

/** Whether a reading ends its round: at least one feed can be read. */
export function isEnough({ feeds }: Reading): boolean {
  return feeds.some(feed => !('unreadable' in feed))
}

/**
 * Finds the attempt whose reading may be served, among those of all rounds that are over (D24).
 *
 * @param endpoints all that could be asked
 */
export function findServable(endpoints: readonly Endpoint[], attempts: readonly Attempt<Reading>[]) {
  const returned = attempts.flatMap(({ endpoint, value }) => (value === undefined ? [] : { endpoint, value }))
  // 1. The first reading that ends its round.
  const enough = returned.find(({ value }) => isEnough(value))
  // 2. The first without a readable feed, in which a feed has a contract.
  const unreadable = returned.find(({ value }) => !value.feeds.every(isWithoutCode))
  // 3. A feed without a contract, if every endpoint returned a reading: a node without the chain's state has no contract.
  const isConfirmed = endpoints.every(endpoint => returned.some(reading => reading.endpoint === endpoint))
  return enough ?? unreadable ?? (isConfirmed ? returned[0] : undefined)
}
