import { bundleFunction } from './bundle.ts'
import { type Candidate, captureRequests, events, interleave } from './candidate.ts'
import { formatRatio, formatSpread, formatTarget, median, type Section, type Table } from './document.ts'
import { createRegistry, delaysMs, type Upstream } from './upstream.ts'

type Kind = 'record' | 'list'
type Delay = (typeof delaysMs)[number]

/** Milliseconds of every candidate, by its name, by the node's distance. */
type Results = ReadonlyMap<Delay, ReadonlyMap<string, { readonly tookMs: readonly number[] }>>

/** Runs of each candidate. */
const rounds = { 0: 400, 20: 100, 100: 20 } as const
/** Runs of each candidate before them. */
const warmUps = { 0: 60, 20: 60, 100: 30 } as const

const ours = 'Price Lookup'
const limit = 'bare call'
const usual = 'viem'

/** Creates the service and viem's two ways, for one record or for the list. */
export async function createCandidates(kind: Kind): Promise<ReadonlyMap<string, Candidate>> {
  const { mainnet } = createRegistry(21)
  const feeds = mainnet.filter(({ symbol }) => kind === 'list' || symbol === 'CRWD').map(({ address }) => address)
  const { file } = await bundleFunction(kind === 'list' ? 'list-prices' : 'get-price', kind)
  return new Map<string, Candidate>([
    [ours, { kind: 'function', bundle: file, event: events[kind] }],
    [usual, { kind: 'viem', feeds }],
    ['viem with multicall', { kind: 'viem with multicall', feeds }],
  ])
}

/** Measures warm functions beside bare calls and viem, as long as a caller waits. */
export async function measureLatency(upstream: Upstream): Promise<Section> {
  const candidates = new Map([...(await addBareCalls('record', upstream)), ...(await addBareCalls('list', upstream))])
  const results = new Map<Delay, Awaited<ReturnType<typeof interleave>>>()
  for (const delayMs of delaysMs) {
    const options = { delayMs, warmUps: warmUps[delayMs], rounds: rounds[delayMs] }
    results.set(delayMs, await interleave(candidates, upstream, options))
  }
  const names = [...candidates.keys()]
  return {
    title: 'Warm latency',
    tables: (['record', 'list'] as const).map(kind =>
      toTable(
        names.filter(name => name.startsWith(kind)),
        results,
        `${kind}: ${limit}`,
      ),
    ),
    notes: [
      ...toVerdicts(results),
      `Milliseconds: median (quartiles). Each candidate has a process of its own and the same upstream. They run in turns: ${Object.values(rounds).join(', ')} rounds, after ${Object.values(warmUps).join(', ')} runs each to warm up.`,
      'The bare call is the same `eth_call` on a kept connection. It parses the JSON and checks nothing. The node responds from memory after the delay; timers add up to a millisecond to every candidate alike.',
    ],
  }
}

async function addBareCalls(kind: Kind, upstream: Upstream): Promise<[string, Candidate][]> {
  const candidates = await createCandidates(kind)
  const service = candidates.get(ours)
  const bodies = service === undefined ? [] : await captureRequests(service, upstream)
  const all: [string, Candidate][] = [[limit, { kind: 'http', bodies }], ...candidates]
  return all.map(([name, candidate]) => [`${kind}: ${name}`, candidate])
}

function toTable(names: readonly string[], results: Results, limitName: string): Table {
  const rows = names.map(name => [
    name,
    ...delaysMs.flatMap(delayMs => [
      formatSpread(results.get(delayMs)?.get(name)?.tookMs ?? [], 2),
      formatRatio(ratioOf(results, delayMs, name, limitName)),
    ]),
  ])
  return { columns: ['delay of the node', ...delaysMs.flatMap(delayMs => [`${delayMs} ms`, 'of bare'])], rows }
}

function toVerdicts(results: Results): string[] {
  const ofLimit = (kind: Kind) => ratioOf(results, 20, `${kind}: ${ours}`, `${kind}: ${limit}`)
  const ofUsual = delaysMs.flatMap(delayMs =>
    ['record', 'list'].map(kind => ratioOf(results, delayMs, `${kind}: ${ours}`, `${kind}: ${usual}`)),
  )
  return [
    `A record, of the bare call at 20 ms: ${formatTarget(ofLimit('record'), 1.05)}.`,
    `The list, of the bare call at 20 ms: ${formatRatio(ofLimit('list'))}.`,
    `Record and list, of viem at ${delaysMs.join(', ')} ms: ${ofUsual.map(formatRatio).join(', ')}.`,
  ]
}

function ratioOf(results: Results, delayMs: Delay, name: string, other: string): number {
  const medianOf = (key: string) => median(results.get(delayMs)?.get(key)?.tookMs ?? [])
  return medianOf(name) / medianOf(other)
}
