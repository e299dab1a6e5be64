import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { createRequestBudget, readFeeds } from '../lambda/chain/read-feeds.ts'
import { feedsOf } from '../lambda/feeds/registry.ts'
import { readMs } from '../lambda/timing.ts'
import { captureRequests } from './candidate.ts'
import type { Section } from './document.ts'
import { createCandidates } from './latency.ts'
import type { Upstream } from './upstream.ts'

/** Counts the HTTP requests to the node for one record and for the list, beside viem's two ways. */
export async function measureRoundTrips(upstream: Upstream): Promise<Section> {
  const lists = await createCandidates('list')
  const rows: string[][] = []
  for (const [name, record] of await createCandidates('record')) {
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

/** Answers a request at a node with a fault; `forward` returns the reply of a healthy node. */
type Answer = (response: ServerResponse, body: string, forward: () => Promise<string>) => unknown

const error =
  (code: number): Answer =>
  (response, body) =>
    response.end(JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(body).id, error: { code, message: 'no' } }))
const status =
  (code: number): Answer =>
  response =>
    response.writeHead(code).end()
const isPinned = (body: string) => JSON.parse(body).params[1] !== 'latest'
const readsSeveral = (body: string) => body.split('4d8b59fb').length > 2

/** Lasting faults, with the requests that an earlier reader made for them: at one endpoint, and at three. */
const faults: readonly (readonly [name: string, answer: Answer, before: readonly [number, number]])[] = [
  ['HTTP 429', status(429), [1, 3]],
  ['a rate limit inside HTTP 200 (-32016)', error(-32_016), [2, 6]],
  ['a JSON-RPC error (-32000)', error(-32_000), [2, 6]],
  ['HTTP 503', status(503), [1, 3]],
  ['a connection reset', response => response.socket?.resetAndDestroy(), [1, 3]],
  ['no answer', () => {}, [1, 3]],
  ['a reply of 5 MB', response => response.end('x'.repeat(5_000_000)), [2, 6]],
  [
    'a JSON-RPC error for several feeds, and for a pinned block',
    async (response, body, forward) => {
      if (isPinned(body) || readsSeveral(body)) error(-32_000)(response, body, forward)
      else response.end(await forward())
    },
    [86, 258],
  ],
]

/** Counts the requests that one list makes at nodes with a lasting fault. */
export async function measureWorstCase(upstream: Upstream): Promise<Section> {
  const rows: string[][] = []
  for (const [name, answer, before] of faults) {
    const [one, three] = [await countRequests(upstream, answer, 1), await countRequests(upstream, answer, 3)]
    rows.push([name, ...[one, before[0], three, before[1]].map(String)])
  }
  return {
    title: 'Requests at worst',
    tables: [{ columns: ['every node answers with', 'one endpoint', 'before', 'three endpoints', 'before'], rows }],
    notes: [
      'HTTP requests to RPC nodes for one `GET /price` of 21 feeds: at most 12 to one endpoint and 24 in all. The columns "before" were counted once, with this program, at commit 9547a9f.',
    ],
  }
}

async function countRequests(upstream: Upstream, answer: Answer, endpoints: number): Promise<number> {
  let requests = 0
  const server = createServer(async (request, response) => {
    requests += 1
    const body = await text(request)
    const forward = async () => await (await fetch(upstream.rpcUrl(0), { method: 'POST', body })).text()
    await answer(response, body, forward)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const rpcUrls = Array.from({ length: endpoints }, (_, index) => new URL(`http://127.0.0.1:${port}/${index}`))
  const request = {
    network: 'mainnet',
    feeds: feedsOf('mainnet'),
    maxHeadAgeSeconds: Number.POSITIVE_INFINITY,
  } as const
  await readFeeds(request, rpcUrls, performance.now() + readMs, createRequestBudget())
  server.close()
  server.closeAllConnections()
  return requests
}
