import type { Context } from 'aws-lambda'
import type { Reading } from '../chain/read-call.ts'
import { createRequestBudget, type ReadResult, readFeeds } from '../chain/read-feeds.ts'
import type { Feed, Network } from '../feeds/registry.ts'
import { Problem } from '../problems.ts'
import { loadRpcUrls, reloadRpcUrls } from '../rpc-urls.ts'
import { parseSettings } from '../settings.ts'
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

  const request = { network, feeds, maxHeadAgeSeconds: parseSettings(network).maxHeadAgeSeconds }
  const deadline = performance.now() + Math.min(readMs, context.getRemainingTimeInMillis() - responseMs)
  const countRequest = createRequestBudget()
  const first = await timed(readFeeds(request, rpcUrls, deadline, countRequest))
  if (!wasRefused(first)) return toChainRead({ network, ssmMs, faults }, [first])

  const reloaded = await reloadRpcUrls(network, rpcUrls, deadline - performance.now())
  const reads = [first]
  if (reloaded.rpcUrls !== undefined) {
    reads.push(await timed(readFeeds(request, reloaded.rpcUrls, deadline, countRequest)))
  }
  return toChainRead({ network, ssmMs, faults: [...faults, ...reloaded.faults] }, reads)
}

/** Adds how many milliseconds a result took. */
async function timed<result>(work: Promise<result>): Promise<result & { readonly ms: number }> {
  const began = performance.now()
  const result = await work
  return { ...result, ms: Math.round(performance.now() - began) }
}

/** Builds the result of the last read, and the log of all. */
function toChainRead(
  loaded: Required<Pick<LogFields, 'network' | 'ssmMs' | 'faults'>>,
  reads: readonly (ReadResult & { readonly ms: number })[],
): ChainRead {
  const sum = (toNumber: (read: (typeof reads)[number]) => number) =>
    reads.reduce((total, read) => total + toNumber(read), 0)
  const last = reads.at(-1)
  const log = {
    ...loaded,
    ...last?.trace.answered,
    ...(last?.reading && toReadingFields(last.reading)),
    attempts: sum(({ trace }) => trace.attempts),
    requests: sum(({ trace }) => trace.requests),
    rpcMs: sum(({ ms }) => ms),
    faults: [...loaded.faults, ...reads.flatMap(({ trace }) => trace.faults)],
  }
  return { reading: last?.reading ?? new Problem('chain-unavailable'), log }
}

function toReadingFields({ head, blockTime, reads }: Reading) {
  return {
    block: head.block,
    headAgeSeconds: Math.round(head.readAt.getTime() / 1_000 - blockTime),
    unreadable: reads.filter(({ reading }) => 'unreadable' in reading).map(({ feed }) => feed.symbol),
  }
}

function wasRefused({ reading, trace: { faults } }: ReadResult): boolean {
  return reading === undefined && faults.every(({ kind }) => kind === 'unauthorized')
}
