import type { Attempt, Endpoint } from './hedge.ts'
import { isWithoutCode, type Reading } from './read-endpoint.ts'

/**
 * Returns the place of a reading in the choice of D24 (1 to 3 of its step 3): 1 if a feed can be read, 2 if no feed can
 * be read but a feed has a contract, 3 if no feed has a contract.
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
 * @param endpoints all endpoints of the read, asked or not
 */
export function findServable(endpoints: readonly Endpoint[], attempts: readonly Attempt<Reading>[]) {
  const returned = attempts.flatMap(({ endpoint, value }) => (value === undefined ? [] : { endpoint, value }))
  const findOfStep = (step: 1 | 2) => returned.find(({ value }) => toStep(value) === step)
  // 1. The first reading in which a feed can be read.
  // 2. Otherwise the first reading in which a feed has a contract, although no feed can be read.
  const servable = findOfStep(1) ?? findOfStep(2)
  if (servable !== undefined) return servable
  // 3. Otherwise the first reading in which no feed has a contract, if every endpoint returned a reading. One endpoint
  //    alone may be a node without the chain's state, which finds no contract at any address.
  const isConfirmed = endpoints.every(endpoint => returned.some(reading => reading.endpoint === endpoint))
  return isConfirmed ? returned[0] : undefined
}
