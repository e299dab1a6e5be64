import { captureRequests } from './candidate.ts'
import type { Section } from './document.ts'
import { createCandidates } from './latency.ts'
import type { Upstream } from './upstream.ts'

/** Counts the HTTP requests to the node for one record and for the list, beside viem's two ways. */
export async function measureRoundTrips(upstream: Upstream): Promise<Section> {
  const lists = await createCandidates('list', upstream)
  const rows: string[][] = []
  for (const [name, record] of await createCandidates('record', upstream)) {
    const forRecord = await captureRequests(record, upstream)
    const forList = await captureRequests(lists.get(name) ?? record, upstream)
    rows.push([name, formatMethods(forRecord), formatMethods(forList)])
  }
  return {
    title: 'Round trips',
    tables: [{ columns: ['HTTP requests to the node', 'one record', 'list of 21'], rows }],
    notes: [
      'Counted at the node, warm. A response of the service belongs to one block; the results of viem may belong to as many blocks as it makes requests.',
      'Without multicall, viem joins simultaneous requests for the block number: the list takes 43 requests, not 3 x 21 = 63.',
    ],
  }
}

function formatMethods(bodies: readonly string[]): string {
  const methods = bodies.map((body): string => JSON.parse(body).method)
  const byMethod = Object.entries(Object.groupBy(methods, method => method))
  return `${bodies.length} (${byMethod.map(([method, some = []]) => `${some.length} ${method}`).join(', ')})`
}
