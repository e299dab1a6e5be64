import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { bundle, bundleCode, bundleFunction, stock } from './bundle.ts'
import { captureRequests, events } from './candidate.ts'
import type { ColdTimes } from './cold-process.ts'
import { formatRatio, formatSpread, formatTarget, median, type Section } from './document.ts'
import { createRegistry, type Upstream } from './upstream.ts'

const processes = 40

const limit = 'limit: client-ssm and node:http'
const record = 'Price Lookup: record'
const list = 'Price Lookup: list'

/** Bundles every program. Returns their files by name. */
async function bundlePrograms(): Promise<Readonly<Record<string, string>>> {
  const bundleBaseline = (name: string, changes = {}) =>
    bundleCode(`export { ${name} as handler } from './bench/baselines.ts'`, name, changes)
  return {
    [limit]: await bundleBaseline('clientAndHttp'),
    [record]: await bundleFunction('get-price', 'record'),
    [list]: await bundleFunction('list-prices', 'list'),
    "record, with the SDK's chain of credentials": await bundleFunction('get-price', 'stock-record', stock),
    'stock client-ssm and viem': await bundleBaseline('clientAndViem', stock),
  }
}

/** Measures fresh processes: from the start to the first 200, and in it the import of the bundle and the first request. */
export async function measureColdStart(upstream: Upstream): Promise<Section> {
  const runs = await runInTurns(await bundlePrograms(), upstream)
  const timesOf = (name: string, time: keyof ColdRun) => runs.get(name)?.map(run => run[time]) ?? []
  const toRatio = (name: string) => median(timesOf(name, 'totalMs')) / median(timesOf(limit, 'totalMs'))
  const rows = [...runs.keys()].map(name => {
    const [total = '', ...parts] = (['totalMs', 'importMs', 'firstMs'] as const).map(time =>
      formatSpread(timesOf(name, time), 1),
    )
    return [name, total, formatRatio(toRatio(name)), ...parts]
  })
  return {
    title: 'Cold start',
    tables: [
      { columns: ['ms: median (quartiles)', 'start to first 200', 'of limit', 'import', 'first request'], rows },
    ],
    notes: [
      `A record to the first 200, of the limit: ${formatTarget(toRatio(record), 1.1)}.`,
      `${processes} fresh processes of each, in turns, loaded as Lambda loads them. Parameter Store and the node are in another process on loopback, without TLS and without delay.`,
      'All are bundled as the stack bundles: minified CommonJS, credentials from the environment alone. Programs named "stock" contain the SDK unchanged. The limit makes the same `eth_call` as the record, and checks nothing.',
    ],
  }
}

interface ColdRun extends ColdTimes {
  /** From before the process exists to its result. */
  readonly totalMs: number
}

async function runInTurns(
  programs: Readonly<Record<string, string>>,
  upstream: Upstream,
): Promise<ReadonlyMap<string, readonly ColdRun[]>> {
  const runner = await bundle('cold-process', { entryPoints: ['bench/cold-process.ts'] })
  const service = { kind: 'function', bundle: programs[record] ?? '', event: events.record, agreement: 1 } as const
  const [call = ''] = await captureRequests(service, upstream)
  const env = { ...upstream.variables(0, 1), FEED: createRegistry(1).mainnet[0]?.address ?? '', ETH_CALL: call }
  const runs = new Map<string, ColdRun[]>(Object.keys(programs).map(name => [name, []]))
  // The first run of each fills the disk's cache.
  for (let turn = -1; turn < processes; turn += 1) {
    for (const [name, file] of Object.entries(programs)) {
      const run = await runCold([runner, file, name === list ? events.list : events.record], env)
      if (turn >= 0) runs.get(name)?.push(run)
    }
  }
  return runs
}

async function runCold(args: readonly string[], env: Readonly<Record<string, string>>): Promise<ColdRun> {
  const began = performance.now()
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
  })
  const exited = once(child, 'exit')
  const pipe = child.stdio[3]
  if (!pipe || !('read' in pipe)) throw new Error('The process has no pipe.')
  let totalMs = Number.NaN
  pipe.once('readable', () => {
    totalMs = performance.now() - began
  })
  const times: ColdTimes = JSON.parse(await text(pipe))
  await exited
  return { ...times, totalMs }
}
