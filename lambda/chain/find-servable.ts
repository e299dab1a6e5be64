import type { FaultKind } from '../faults.ts'
import { type ChainReading, isWithoutCode } from '../feeds/reading.ts'
import type { Attempt, Endpoint } from './hedge.ts'

/** Returns the rank of a reading: the number of feeds that it reads, or -1 if no feed has a contract (D24). */
export function toRank({ feeds }: ChainReading): number {
  return feeds.every(isWithoutCode) ? -1 : feeds.filter(feed => !('unreadable' in feed)).length
}

/** Whether a reading ends its round: it reads at least half of the feeds, and so at least one. */
export function isEnough(reading: ChainReading): boolean {
  return toRank(reading) >= reading.feeds.length / 2
}

/**
 * Finds the attempt whose reading may be served, among those of all rounds that are over: the first one of the highest
 * rank (D24).
 *
 * @param endpoints all endpoints of the read, asked or not
 */
export function findServable(endpoints: readonly Endpoint[], attempts: readonly Attempt<ChainReading>[]) {
  const returned = attempts.flatMap(({ endpoint, value }) => (value === undefined ? [] : { endpoint, value }))
  // The order of readings of the same rank stays.
  const [best] = returned.toSorted((one, other) => toRank(other.value) - toRank(one.value))
  if (best === undefined || toRank(best.value) >= 0) return best
  // No feed has a contract in any reading. That is served only if every endpoint returned a reading: one endpoint alone
  // may be a node without the chain's state, which finds no contract at any address.
  const isConfirmed = endpoints.every(endpoint => returned.some(reading => reading.endpoint === endpoint))
  return isConfirmed ? best : undefined
}

/**
 * Finds the fault of an endpoint whose reading was passed over: the served reading has a higher rank, or no reading is
 * served. A reading of the same rank is no fault: a feed that no endpoint can read is not the fault of an endpoint.
 */
export function findPassedOverFault(reading: ChainReading, served: ChainReading | undefined): FaultKind | undefined {
  const rank = toRank(reading)
  if (served !== undefined && rank >= toRank(served)) return undefined
  return rank < 0 ? 'no-state' : 'fewer-feeds'
}
