import type { Context } from 'aws-lambda'
import type { Reading } from '../chain/read-chunk.ts'
import { readFeeds } from '../chain/read-feeds.ts'
import type { Feed, Network } from '../feeds/registry.ts'
import { ChainUnavailable, type EndpointFault, FeedUnreadable } from '../problems.ts'
import { loadRpcUrls, reloadRpcUrls } from '../rpc-urls.ts'
import { parseSettings } from '../settings.ts'
import type { Notes } from './request-log.ts'

/** A read is over so long after it began (D24). */
const readMs = 3_500

/** Kept of the function's time for the answer itself. */
const spareMs = 500

/**
 * Reads feeds wherever their chain can be asked today, and notes what that took.
 *
 * When every endpoint refuses us, the URLs are loaded anew and asked once more: a rotated key needs no deploy (D22).
 *
 * @throws {ChainUnavailable} when no endpoint gave a valid answer in time.
 * @throws {NotConfigured} when there is no endpoint to ask.
 */
export async function readChain(
  network: Network,
  feeds: readonly Feed[],
  context: Context,
  notes: Notes,
): Promise<Reading> {
  notes.network = network
  const question = { network, feeds, maxHeadAgeSeconds: parseSettings(network).maxHeadAgeSeconds }
  const hear = (fault: EndpointFault) => addFaults(notes, [fault])
  const rpcUrls = await noted(loadRpcUrls(network, hear), notes, 'ssmMs')
  const deadline = performance.now() + Math.min(readMs, context.getRemainingTimeInMillis() - spareMs)
  try {
    return await read(rpcUrls)
  } catch (error) {
    const fresh = wasRefused(error)
      ? await reloadRpcUrls(network, rpcUrls, deadline - performance.now(), hear)
      : undefined
    if (fresh === undefined) throw error
    return await read(fresh)
  }

  async function read(urls: readonly URL[]): Promise<Reading> {
    const reading = await noted(readFeeds(question, urls, deadline), notes, 'rpcMs')
    note(reading, urls.length, notes)
    return reading
  }
}

/** Notes how long something took, and what went wrong with it. */
async function noted<value>(work: Promise<value>, notes: Notes, field: 'ssmMs' | 'rpcMs'): Promise<value> {
  const began = performance.now()
  try {
    return await work
  } catch (error) {
    if (error instanceof ChainUnavailable) addFaults(notes, error.faults)
    throw error
  } finally {
    notes[field] = (notes[field] ?? 0) + Math.round(performance.now() - began)
  }
}

function note(reading: Awaited<ReturnType<typeof readFeeds>>, endpoints: number, notes: Notes): void {
  const { head, headAgeSeconds, reads, course } = reading
  notes.block = head.block
  notes.headAgeSeconds = Math.round(headAgeSeconds)
  notes.endpoint = course.endpoint
  notes.lastResort = endpoints > 1 && course.endpoint === `rpc-${endpoints}`
  notes.attempts = course.attempts
  addFaults(notes, course.faults)
  notes.unreadable = reads.filter(({ reading }) => reading instanceof FeedUnreadable).map(({ feed }) => feed.symbol)
}

function addFaults(notes: Notes, faults: readonly EndpointFault[]): void {
  notes.faults = [...(notes.faults ?? []), ...faults]
}

function wasRefused(error: unknown): boolean {
  if (!(error instanceof ChainUnavailable)) return false
  return error.faults.length > 0 && error.faults.every(({ kind }) => kind === 'unauthorized')
}
