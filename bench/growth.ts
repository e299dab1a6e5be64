import type { Plugin } from 'esbuild'
import { bundleFunction } from './bundle.ts'
import { type Candidate, captureRequests, events, interleave } from './candidate.ts'
import { formatCount, formatRatio, formatSpread, median, type Section } from './document.ts'
import { createRegistry, type Upstream } from './upstream.ts'

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
