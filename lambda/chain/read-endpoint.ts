import { setTimeout as sleep } from 'node:timers/promises'
import { Fault, type FaultKind } from '../faults.ts'
import { pinnedRetryPauseMs } from '../timing.ts'
import { noContract } from './decode-feed.ts'
import type { RequestLimits } from './eth-call.ts'
import { type FeedRead, type Reading, type ReadRequest, readCall } from './read-call.ts'

/** Feeds in one call. A feed uses about 100,000 gas, and a node allows 50 million by default (Nitro's `rpc.gas-cap`). */
const maxFeedsPerCall = 100

/** How often a node is asked again for a block that it does not have yet. A URL may stand for a pool of unequal nodes. */
const maxPinnedRetries = 3

/** Failures that may be caused by one feed of a call. */
const divisibleKinds: ReadonlySet<FaultKind> = new Set(['rpc-error', 'out-of-gas', 'oversized'])

/**
 * Reads feeds at one endpoint, as a rule with one call.
 *
 * A call that fails as a whole may fail because of one feed, which exhausts the gas or returns too much. Then it is divided: half of its feeds
 * are read again, and so on down to one feed, at the block of the first call that succeeds. If a half succeeds, the cause must be in the other,
 * which is divided at once. When the divided call is read, all feeds that are left are one call again.
 *
 * @param mayDivide false where another endpoint should be tried first
 * @throws {Fault} when the endpoint fails, or a single feed cannot be read either
 */
export async function readEndpoint(
  rpcUrl: URL,
  request: ReadRequest,
  mayDivide: boolean,
  limits: RequestLimits,
): Promise<Reading> {
  const reads: FeedRead[] = []
  let first: Reading | undefined
  /** How many of the next feeds belong to a call that failed. */
  let suspects = 0
  let retries = 0
  do {
    const left = request.feeds.slice(reads.length, reads.length + maxFeedsPerCall)
    const feeds = left.slice(0, suspects > 0 ? Math.ceil(suspects / 2) : left.length)
    try {
      const reading = await readCall(rpcUrl, { ...request, feeds }, first, limits)
      first ??= reading
      reads.push(...reading.reads)
      suspects = Math.max(0, suspects - feeds.length)
      retries = 0
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      if (first !== undefined && error.kind === 'rpc-error' && retries < maxPinnedRetries) {
        retries += 1
        await sleep(pinnedRetryPauseMs, undefined, { signal: limits.signal }).catch(throwTimeout)
      } else if (mayDivide && feeds.length > 1 && divisibleKinds.has(error.kind)) suspects = feeds.length
      else throw error
    }
  } while (first === undefined || reads.length < request.feeds.length)
  if (reads.length > 1 && reads.every(isWithoutCode)) throw new Fault('no-state')
  return { ...first, reads }
}

function throwTimeout(): never {
  throw new Fault('timeout')
}

/** Whether the endpoint found no contract at the feed's address. */
export function isWithoutCode({ reading }: FeedRead): boolean {
  return 'unreadable' in reading && reading.unreadable === noContract
}
