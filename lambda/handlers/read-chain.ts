import type { Context } from 'aws-lambda'
import type { Reading } from '../chain/read-call.ts'
import { createRequestBudget, type ReadResult, readFeeds } from '../chain/read-feeds.ts'
import type { Feed } from '../feeds/registry.ts'
import type { Network } from '../networks.ts'
import { Problem } from '../problems.ts'
import { loadRpcUrls, reloadRpcUrls } from '../rpc-urls.ts'
import { readMs, responseMs } from '../timing.ts'
import type { LogFields } from './request-log.ts'

/** A reading, or the problem in its place; and what the log holds of it. */
export interface ChainRead {
  readonly reading: Reading | Problem
  readonly log: LogFields
}

/**
 * Loads a network's RPC URLs and reads feeds there.
 *
 * When every endpoint refuses its key, the URLs are loaded again and asked once more, so that a rotated key needs no deploy (D22).
 */
export async function readChain(network: Network, feeds: readonly Feed[], context: Context): Promise<ChainRead> {
  const { rpcUrls, faults, ms: ssmMs } = await timed(loadRpcUrls(network))
  if (rpcUrls instanceof Problem) return { reading: rpcUrls, log: { network, ssmMs, faults } }

  const request = { network, feeds }
  const deadline = performance.now() + Math.min(readMs, context.getRemainingTimeInMillis() - responseMs)
  const budget = createRequestBudget()
  const first = await timed(readFeeds(request, rpcUrls, deadline, budget))
  const reloaded = wasRefused(first) ? await reloadRpcUrls(network, rpcUrls, deadline - performance.now()) : nothing
  const second = reloaded.rpcUrls && (await timed(readFeeds(request, reloaded.rpcUrls, deadline, budget)))

  const { reading, trace } = second ?? first
  const log = {
    network,
    ssmMs,
    ...trace,
    ...(reading && toReadingFields(reading)),
    attempts: first.trace.attempts + (second?.trace.attempts ?? 0),
    requests: budget.countTaken(),
    rpcMs: first.ms + (second?.ms ?? 0),
    faults: [...faults, ...first.trace.faults, ...reloaded.faults, ...(second?.trace.faults ?? [])],
  }
  return { reading: reading ?? new Problem('chain-unavailable'), log }
}

const nothing = { rpcUrls: undefined, faults: [] }

function wasRefused({ reading, trace: { faults } }: ReadResult): boolean {
  return reading === undefined && faults.every(({ kind }) => kind === 'unauthorized')
}

/** Adds how many milliseconds a result took. */
async function timed<result>(work: Promise<result>): Promise<result & { readonly ms: number }> {
  const began = performance.now()
  const result = await work
  return { ...result, ms: Math.round(performance.now() - began) }
}

function toReadingFields({ head, blockTime, reads }: Reading) {
  return {
    block: head.block,
    headAgeSeconds: Math.round(head.readAt.getTime() / 1_000 - blockTime),
    unreadable: reads.filter(({ reading }) => 'unreadable' in reading).map(({ feed }) => feed.symbol),
  }
}
