import { startContestant, type Way } from './contestant.ts'
import { delaysMs } from './far-side.ts'
import { captureCalls } from './own-calls.ts'
import { formatSpread, type Spread, toSpread } from './quantiles.ts'
import { formatRatio, formatTarget, type Section, type Table } from './report.ts'
import { waysOf } from './round-trips.ts'
import type { Scene } from './scene.ts'

/** How often each contestant has its turn, by how far away the node is. */
const rounds = { 0: 400, 20: 100, 100: 20 } as const

/** How often before it is measured, one contestant after the other. */
const warmUps = { 0: 60, 20: 60, 100: 30 } as const

type Delay = (typeof delaysMs)[number]

/** What every contestant took, by its name, by how far away the node is. */
type Results = ReadonlyMap<Delay, ReadonlyMap<string, Spread>>

/** Measures a warm function, as long as its caller waits, beside the limit and the usual way. */
export async function measureLatency(scene: Scene): Promise<Section> {
  const records = await toContestants(scene, 'record')
  const lists = await toContestants(scene, 'list')
  const results = new Map<Delay, ReadonlyMap<string, Spread>>()
  for (const delayMs of delaysMs) {
    results.set(delayMs, await interleave(scene, new Map([...records, ...lists]), delayMs))
  }
  return {
    title: 'Warm latency',
    tables: [toTable([...records.keys()], results), toTable([...lists.keys()], results)],
    notes: [
      ...toVerdicts(results),
      `Milliseconds: median (quartiles). Each contestant in a process of its own, the functions as deployed; one request each in turn, ${Object.values(rounds).join(', ')} rounds, after ${Object.values(warmUps).join(', ')} each to warm up.`,
      'The limit makes the very same `eth_call` on a kept connection, parses the JSON and checks nothing; `node:http` is the faster one, and what is compared with. The node, in another process, answers from memory, after the delay; timers add their millisecond to all alike.',
    ],
  }
}

function toTable(names: readonly string[], results: Results): Table {
  const [limit = ''] = names
  const rows = names.map(name => [
    name,
    ...delaysMs.flatMap(delayMs => {
      const spread = results.get(delayMs)?.get(name)
      if (spread === undefined) return ['', '']
      return [formatSpread(spread), formatRatio(spread.median / medianOf(results, delayMs, limit))]
    }),
  ])
  return { columns: ['the node is away', ...delaysMs.flatMap(delayMs => [`${delayMs} ms`, 'of limit'])], rows }
}

function toVerdicts(results: Results): string[] {
  const at20 = (name: string) => medianOf(results, 20, name)
  const [ofLimit, ofRecord] = [
    at20('record: Price Lookup') / at20('record: node:http'),
    at20('list: Price Lookup') / at20('record: Price Lookup'),
  ]
  const ofUsual = delaysMs.flatMap(delayMs =>
    ['record', 'list'].map(
      kind =>
        medianOf(results, delayMs, `${kind}: Price Lookup`) / medianOf(results, delayMs, `${kind}: usual way, viem`),
    ),
  )
  return [
    `A record, of the limit at 20 ms: ${formatRatio(ofLimit)} (${formatTarget(ofLimit, 1.1)}).`,
    `The list, of a record at 20 ms: ${formatRatio(ofRecord)} (${formatTarget(ofRecord, 1.5)}).`,
    `Of the usual way, record and list at ${delaysMs.join(', ')} ms: ${ofUsual.map(formatRatio).join(', ')} (${formatTarget(Math.max(...ofUsual), 1)}).`,
  ]
}

function medianOf(results: Results, delayMs: Delay, name: string): number {
  return results.get(delayMs)?.get(name)?.median ?? Number.NaN
}

async function toContestants(scene: Scene, kind: 'record' | 'list'): Promise<ReadonlyMap<string, Way>> {
  const ways = waysOf(scene).map(([name, record, list]): [string, Way] => [name, kind === 'record' ? record : list])
  const {
    [kind]: { call: body },
  } = await captureCalls(scene)
  return new Map<string, Way>([
    [`${kind}: node:http`, { kind: 'http', body }],
    [`${kind}: fetch`, { kind: 'fetch', body }],
    ...ways.map(([name, way]): [string, Way] => [`${kind}: ${name}`, way]),
  ])
}

interface Running {
  readonly name: string
  readonly child: ReturnType<typeof startContestant>
  readonly tookMs: number[]
}

async function interleave(
  { farSide }: Scene,
  contestants: ReadonlyMap<string, Way>,
  delayMs: Delay,
): Promise<ReadonlyMap<string, Spread>> {
  const running: readonly Running[] = [...contestants].map(([name, way]) => ({
    name,
    child: startContestant(way, farSide, delayMs),
    tookMs: [],
  }))
  for (const { child } of running) await child.ask({ times: warmUps[delayMs] })
  for (let round = 0; round < rounds[delayMs]; round += 1) {
    for (const { child, tookMs } of running) tookMs.push(...(await child.ask({ times: 1 })).tookMs)
  }
  await Promise.all(running.map(({ child }) => child.stop()))
  return new Map(running.map(({ name, tookMs }) => [name, toSpread(tookMs)]))
}
