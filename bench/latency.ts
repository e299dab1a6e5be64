import type { Plugin } from 'esbuild'
import { bundleFunction } from './bundle.ts'
import { type Candidate, captureRequests, events, interleave } from './candidate.ts'
import { formatCount, formatRatio, formatSpread, formatTarget, median, type Section, type Table } from './document.ts'
import { createRegistry, delaysMs, type Upstream } from './upstream.ts'

/** Runs of each candidate, and runs before them, by the delay of the node. */
const runs = {
  0: { warmUps: 60, rounds: 400 },
  20: { warmUps: 60, rounds: 100 },
  100: { warmUps: 30, rounds: 20 },
} as const

const routes = ['record', 'list'] as const
type Route = (typeof routes)[number]

/** Creates the service and viem's two ways, for one record or for the list. */
export async function createCandidates(route: Route): Promise<ReadonlyMap<string, Candidate>> {
  const { mainnet } = createRegistry(21)
  const feeds = mainnet.filter(({ symbol }) => route === 'list' || symbol === 'CRWD').map(({ address }) => address)
  const { file } = await bundleFunction(route === 'list' ? 'list-prices' : 'get-price', route)
  return new Map<string, Candidate>([
    ['Price Lookup', { kind: 'function', bundle: file, event: events[route] }],
    ['viem', { kind: 'viem', feeds }],
    ['viem with multicall', { kind: 'viem with multicall', feeds }],
  ])
}

/** Measures warm functions beside bare calls and viem, as long as a caller waits. */
export async function measureLatency(upstream: Upstream): Promise<Section> {
  const candidates = new Map<string, Candidate>()
  for (const route of routes) {
    for (const [name, candidate] of await createCandidates(route)) {
      if (candidate.kind === 'function') {
        candidates.set(`${route}: bare call`, { kind: 'http', bodies: await captureRequests(candidate, upstream) })
      }
      candidates.set(`${route}: ${name}`, candidate)
    }
  }
  const results: Results = new Map()
  for (const delayMs of delaysMs) {
    results.set(delayMs, await interleave(candidates, upstream, { delayMs, ...runs[delayMs] }))
  }
  return {
    title: 'Warm latency',
    tables: routes.map(route => toTable([...candidates.keys()], results, route)),
    notes: [
      ...toVerdicts(results),
      `Milliseconds: median (quartiles). Each candidate has a process of its own and the same upstream. They run in turns: ${delaysMs.map(delayMs => runs[delayMs].rounds).join(', ')} rounds, after ${delaysMs.map(delayMs => runs[delayMs].warmUps).join(', ')} runs each to warm up.`,
      'The bare call is the same `eth_call` on a kept connection. It parses the JSON and checks nothing. The node responds from memory after the delay; timers add up to a millisecond to every candidate alike.',
    ],
  }
}

/** The result of every candidate by its name, by the delay of the node. */
type Results = Map<number, Awaited<ReturnType<typeof interleave>>>

function toTable(names: readonly string[], results: Results, route: Route): Table {
  const toCells = (name: string) =>
    delaysMs.flatMap(delayMs => [
      formatSpread(results.get(delayMs)?.get(name)?.tookMs ?? [], 2),
      formatRatio(toRatio(results, delayMs, name, `${route}: bare call`)),
    ])
  return {
    columns: ['delay of the node', ...delaysMs.flatMap(delayMs => [`${delayMs} ms`, 'of bare'])],
    rows: names.filter(name => name.startsWith(route)).map(name => [name, ...toCells(name)]),
  }
}

function toVerdicts(results: Results): string[] {
  const toRatioOf = (route: Route, other: string, delayMs: number) =>
    toRatio(results, delayMs, `${route}: Price Lookup`, `${route}: ${other}`)
  const ofViem = delaysMs.flatMap(delayMs => routes.map(route => formatRatio(toRatioOf(route, 'viem', delayMs))))
  return [
    `A record, of the bare call at 20 ms: ${formatTarget(toRatioOf('record', 'bare call', 20), 1.05)}.`,
    `The list, of the bare call at 20 ms: ${formatRatio(toRatioOf('list', 'bare call', 20))}.`,
    `Record and list, of viem at ${delaysMs.join(', ')} ms: ${ofViem.join(', ')}.`,
  ]
}

function toRatio(results: Results, delayMs: number, name: string, other: string): number {
  const [one, two] = [name, other].map(key => median(results.get(delayMs)?.get(key)?.tookMs ?? []))
  return (one ?? Number.NaN) / (two ?? Number.NaN)
}

const counts = [21, 100, 200, 500, 1_000]

/** Measures the list as it grows, beside bare calls that make the same requests. */
export async function measureGrowth(upstream: Upstream): Promise<Section> {
  const rows: string[][] = []
  for (const count of counts) rows.push(await measureList(count, upstream))
  return {
    title: 'Growth',
    tables: [
      {
        columns: ['feeds', 'requests', 'ms, node at 0 ms', 'of bare', 'ms, node at 20 ms', 'of bare', 'bytes'],
        rows,
      },
    ],
    notes: [
      'The warm list, bundled with another registry, beside the same `eth_call`s, one after another, without checks. In turns; milliseconds: median (quartiles). Bytes of the body.',
      'One call reads up to 100 feeds. Above that, the calls are made one after another, all at the block of the first: each costs a round trip. A read makes at most 12 requests to one endpoint.',
    ],
  }
}

async function measureList(count: number, upstream: Upstream): Promise<string[]> {
  const { file } = await bundleFunction('list-prices', `list-${count}`, { plugins: [replaceRegistry(count)] })
  const list: Candidate = { kind: 'function', bundle: file, event: events.list }
  const bodies = await captureRequests(list, upstream)
  const candidates = new Map<string, Candidate>([
    ['list', list],
    ['bare', { kind: 'http', bodies }],
  ])
  const near = await interleave(candidates, upstream, { delayMs: 0, warmUps: 30, rounds: 30 })
  const far = await interleave(candidates, upstream, { delayMs: 20, warmUps: 10, rounds: 15 })
  const cells = [near, far].flatMap(results => {
    const [listMs, bareMs] = ['list', 'bare'].map(name => results.get(name)?.tookMs ?? [])
    return [formatSpread(listMs ?? [], 1), formatRatio(median(listMs ?? []) / median(bareMs ?? []))]
  })
  return [formatCount(count), `${bodies.length}`, ...cells, formatCount(near.get('list')?.bytes ?? 0)]
}

function replaceRegistry(count: number): Plugin {
  const contents = JSON.stringify(createRegistry(count))
  return {
    name: 'registry',
    setup: ({ onLoad }) => onLoad({ filter: /feeds\/registry\.json$/ }, () => ({ contents, loader: 'json' })),
  }
}
