import { networks } from '../api/networks.ts'
import { expiryChecks, toReplayChecks } from './cache.ts'
import { keyChecks } from './cache-keys.ts'
import type { Check } from './check.ts'
import { recentPriceCheck, toFeedsCheck, toListCheck } from './prices.ts'
import { replyChecks, servedChecks } from './replies.ts'
import { requestChecks } from './requests.ts'

/** Bounds the time of a run. */
const maxFeeds = 100

/**
 * Lists all checks, in the order in which they run.
 *
 * @param hasCache whether the stage is expected to cache
 */
export function listChecks(hasCache: boolean): readonly Check[] {
  return [
    ...networks.map(toListCheck),
    ...toReplayChecks(hasCache),
    ...keyChecks,
    ...networks.map(network => toFeedsCheck(network, maxFeeds)),
    ...requestChecks,
    ...(hasCache ? expiryChecks : []),
    ...replyChecks,
  ]
}

/** The checks of the list of each network, and of one feed of it. */
export const listAndFeedChecks: readonly Check[] = networks.flatMap(network => [
  toListCheck(network),
  toFeedsCheck(network, 1),
])

/**
 * The checks of the probe.
 *
 * It alone checks that prices are recent: a publisher of feeds that stops must not hold up a release.
 */
export const probeChecks: readonly Check[] = [...listAndFeedChecks, recentPriceCheck, ...servedChecks]
