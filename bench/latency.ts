import type { Plugin } from 'esbuild'
import { bundleFunction } from './bundle.ts'
import { type Candidate, captureRequests, events, interleave } from './candidate.ts'
import { formatCount, formatRatio, formatSpread, formatTarget, median, type Section, type Table } from './document.ts'
import { createRegistry, delaysMs, type Upstream } from './upstream.ts'

/** How often each candidate runs, by the delay of the node. */
const runCounts = { 0: { warmUps: 60, measured: 400 }, 20: { warmUps: 60, measured: 100 } } as const

const routes = ['record', 'list'] as const
type MeasuredRoute = (typeof routes)[number]

/** Creates the candidates for one record, or for the list: the bare call, the service, and viem's two ways. */
export async function createCandidates(
  route: MeasuredRoute,
  upstream: Upstream,
): Promise<ReadonlyMap<string, Candidate>> {
  const { mainnet } = createRegistry(21)
  const feeds = mainnet.filter(({ symbol }) => route === 'list' || symbol === 'CRWD').map(({ address }) => address)
  const bundle = await bundleFunction(route === 'list' ? 'list-prices' : 'get-price', route)
  const service: Candidate = { kind: 'function', bundle, event: events[route], agreement: 1 }
  return new Map<string, Candidate>([
    [bare, { kind: 'http', bodies: await captureRequests(service, upstream) }],
    ['Price Lookup', service],
    ['Price Lookup, agreement', { ...service, agreement: 2 }],
    ['viem', { kind: 'viem', feeds }],
    ['viem with multicall', { kind: 'viem with multicall', feeds }],
  ])
}

const bare = 'bare call'

/** Measures how long a caller of a warm function waits, beside bare calls and viem. */
export async function measureLatency(upstream: Upstream): Promise<Section> {
  const measured: (readonly [Table, note: string])[] = []
  for (const route of routes) measured.push(await measureRoute(route, upstream))
  const [times, warmUps] = [
    delaysMs.map(delayMs => runCounts[delayMs].measured).join(' and '),
    delaysMs.map(delayMs => runCounts[delayMs].warmUps).join(' and '),
  ]
  return {
    title: 'Warm latency',
    tables: measured.map(([table]) => table),
    notes: [
      ...measured.map(([, note]) => note),
      `Milliseconds: median (quartiles). Each candidate has a process of its own and the same upstream. They run in turns, ${times} times each, after ${warmUps} to warm up.`,
      'The bare call is the same `eth_call` on a kept connection. It parses the JSON and checks nothing. The node responds from memory after the delay; timers add up to a millisecond to every candidate alike.',
      '"Agreement" reads at two endpoints at once and compares their rows (D29).',
    ],
  }
}

async function measureRoute(route: MeasuredRoute, upstream: Upstream): Promise<readonly [Table, note: string]> {
  const candidates = await createCandidates(route, upstream)
  const results = new Map<number, ReadonlyMap<string, readonly number[]>>()
  for (const delayMs of delaysMs) {
    results.set(delayMs, await interleave(candidates, upstream, delayMs, runCounts[delayMs]))
  }
  const timesOf = (name: string, delayMs: number) => results.get(delayMs)?.get(name) ?? []
  const toRatio = (name: string, baseline: string, delayMs: number) =>
    median(timesOf(name, delayMs)) / median(timesOf(baseline, delayMs))
  const toRow = (name: string) => [
    name,
    ...delaysMs.flatMap(delayMs => [
      formatSpread(timesOf(name, delayMs), 2),
      formatRatio(toRatio(name, bare, delayMs)),
    ]),
  ]
  const columns = [route, ...delaysMs.flatMap(delayMs => [`node at ${delayMs} ms`, 'of bare'])]
  const ofBare = toRatio('Price Lookup', bare, 20)
  const ofViem = delaysMs.map(delayMs => formatRatio(toRatio('Price Lookup', 'viem', delayMs)))
  const verdict = formatTarget(ofBare, route === 'record' ? 1.04 : 1.05)
  return [
    { columns, rows: [...candidates.keys()].map(toRow) },
    `The ${route}, of the bare call at 20 ms: ${verdict}; of viem at ${delaysMs.join(' and ')} ms: ${ofViem.join(' and ')}.`,
  ]
}

const counts = [21, 58, 100, 500, 1_000]

/** Measures the list as it grows, beside bare calls that make the same requests. */
export async function measureGrowth(upstream: Upstream): Promise<Section> {
  const rows: string[][] = []
  for (const count of counts) rows.push(await measureList(count, upstream))
  return {
    title: 'Growth',
    tables: [
      {
        columns: ['feeds', 'requests', 'ms, node at 0 ms', 'of bare', 'ms, node at 20 ms', 'of bare'],
        rows,
      },
    ],
    notes: [
      'The warm list, bundled with another registry, beside the same `eth_call`s, one after another, without checks. In turns; milliseconds: median (quartiles).',
      'One call reads up to 58 feeds. Above that, further calls are made, at most four at once, all at the block of the first.',
    ],
  }
}

async function measureList(count: number, upstream: Upstream): Promise<string[]> {
  const file = await bundleFunction('list-prices', `list-${count}`, { plugins: [replaceRegistry(count)] })
  const list: Candidate = { kind: 'function', bundle: file, event: events.list, agreement: 1 }
  const bodies = await captureRequests(list, upstream)
  const candidates = new Map<string, Candidate>([
    ['list', list],
    ['bare', { kind: 'http', bodies }],
  ])
  const cells: string[] = []
  for (const delayMs of delaysMs) {
    const results = await interleave(candidates, upstream, delayMs, { warmUps: 20, measured: 20 })
    const [listMs = [], bareMs = []] = ['list', 'bare'].map(name => results.get(name))
    cells.push(formatSpread(listMs, 1), formatRatio(median(listMs) / median(bareMs)))
  }
  return [formatCount(count), `${bodies.length}`, ...cells]
}

function replaceRegistry(count: number): Plugin {
  const contents = JSON.stringify(createRegistry(count))
  return {
    name: 'registry',
    setup: ({ onLoad }) => onLoad({ filter: /feeds\/registry\.json$/ }, () => ({ contents, loader: 'json' })),
  }
}
