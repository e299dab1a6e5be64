import { type ColdRun, startCold } from './cold.ts'
import { type Name, names, toPrograms } from './cold-programs.ts'
import { formatSpread, type Spread, toSpread } from './quantiles.ts'
import { formatRatio, formatTarget, type Section, type Table } from './report.ts'
import type { Scene } from './scene.ts'

const processes = 40

/** What all processes of one program took. */
type Spreads = Readonly<Record<keyof ColdRun, Spread>>

type Results = ReadonlyMap<Name, Spreads>

/** Rows that answer nothing, and rows that are ours, otherwise bundled. */
const silent: readonly Name[] = [names.client, names.stockClient, names.node]
const variants: readonly Name[] = [names.asModule, names.wholeChain]

/** Measures fresh processes: from nothing to the first answer, and how much of it is the import of the bundle. */
export async function measureColdStart(scene: Scene): Promise<Section> {
  const results = await runAll(scene)
  const ofLimit = ofLimitOf(results, names.record)
  const ofClient = spreadsOf(results, names.record).importMs.median / spreadsOf(results, names.client).importMs.median
  const ofSdk = spreadsOf(results, names.limit).totalMs.median - spreadsOf(results, names.floor).totalMs.median
  return {
    title: 'Cold start',
    tables: [toTable(results), toVariantTable(results)],
    notes: [
      `A record to the first 200, of its limit: ${formatRatio(ofLimit)} (${formatTarget(ofLimit, 1.25)}; ours since, ${formatTarget(ofLimit, 1.15)}).`,
      `Import, of the client's alone: ${formatRatio(ofClient)} (${formatTarget(ofClient, 1.4)}; ours since, ${formatTarget(ofClient, 1.35)}).`,
      `The SDK's price to the first 200, which is the limit without the row signed by hand: ${ofSdk.toFixed(0)} ms.`,
      `${processes} fresh processes each, in turn, loaded as Lambda loads them. Parameter Store and the node are in another process on loopback, without TLS and without delay.`,
      "All rows are bundled as the stack bundles: minified CommonJS, with credentials from the environment alone. The rows that say stock have the SDK as it comes, with its whole chain of credentials. Each limit makes the very `eth_call` that is made beside it, by `node:http`, and checks nothing; signed by hand, a record's.",
      "What it took: the record, bundled again without one of the two changes. CPU is the processor's time of all threads, from the process's start to the answer.",
    ],
  }
}

async function runAll(scene: Scene): Promise<Results> {
  const programs = await toPrograms(scene)
  const runs = new Map<Name, ColdRun[]>([...programs.keys()].map(name => [name, []]))
  // The first of each warms the disk's cache, and what the node remembers.
  for (let round = -1; round < processes; round += 1) {
    for (const [name, program] of programs) {
      const times = await startCold(program)
      if (round >= 0) runs.get(name)?.push(times)
    }
  }
  return new Map([...runs].map(([name, all]) => [name, toSpreads(all)]))
}

function toSpreads(runs: readonly ColdRun[]): Spreads {
  return {
    totalMs: toSpread(runs.map(({ totalMs }) => totalMs)),
    importMs: toSpread(runs.map(({ importMs }) => importMs)),
    firstMs: toSpread(runs.map(({ firstMs }) => firstMs)),
    cpuMs: toSpread(runs.map(({ cpuMs }) => cpuMs)),
  }
}

function toTable(results: Results): Table {
  const client = spreadsOf(results, names.client).importMs.median
  return {
    columns: ['ms: median (quartiles)', 'process to first 200', 'of limit', 'import', 'of client', 'first request'],
    rows: [...results]
      .filter(([name]) => !variants.includes(name))
      .map(([name, { totalMs, importMs, firstMs }]) => [
        name,
        formatSpread(totalMs, 1),
        silent.includes(name) ? '' : formatRatio(ofLimitOf(results, name)),
        formatSpread(importMs, 1),
        formatRatio(importMs.median / client),
        silent.includes(name) ? '' : formatSpread(firstMs, 1),
      ]),
  }
}

function toVariantTable(results: Results): Table {
  const ours = spreadsOf(results, names.record)
  return {
    columns: ['what it took', 'CPU ms', 'more', 'process to first 200', 'more'],
    rows: [names.record, ...variants].map(name => {
      const { cpuMs, totalMs } = spreadsOf(results, name)
      const more = [cpuMs.median - ours.cpuMs.median, totalMs.median - ours.totalMs.median]
      const [cpu, total] = more.map(ms => (name === names.record ? '' : `${ms.toFixed(1)} ms`))
      return [name, formatSpread(cpuMs, 1), cpu ?? '', formatSpread(totalMs, 1), total ?? '']
    }),
  }
}

/** Says how many times its own limit a program takes: the list's limit makes the list's call. */
function ofLimitOf(results: Results, name: Name): number {
  const isList = name === names.list || name === names.listLimit
  const limit = spreadsOf(results, isList ? names.listLimit : names.limit)
  return spreadsOf(results, name).totalMs.median / limit.totalMs.median
}

function spreadsOf(results: Results, name: Name): Spreads {
  const spreads = results.get(name)
  if (spreads === undefined) throw new Error(`${name} was not measured.`)
  return spreads
}
