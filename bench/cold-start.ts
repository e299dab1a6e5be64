import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import registry from '../lambda/feeds/registry.json' with { type: 'json' }
import { bundle, bundleFunction, stock } from './bundle.ts'
import { captureRequests, events } from './candidate.ts'
import { median, round } from './median.ts'
import type { Upstream } from './upstream.ts'

const processes = 40

const limit = 'limit: client-ssm and node:http'
const record = 'Price Lookup: record'
const list = 'Price Lookup: list'

async function bundlePrograms(): Promise<Readonly<Record<string, string>>> {
  const bundleBaseline = (name: string, changes = {}) => {
    const contents = `export { ${name} as handler } from './bench/baselines.ts'`
    return bundle(name, { stdin: { contents, resolveDir: fileURLToPath(new URL('..', import.meta.url)) }, ...changes })
  }
  return {
    [limit]: await bundleBaseline('clientAndHttp'),
    [record]: await bundleFunction('get-price', 'record'),
    [list]: await bundleFunction('list-prices', 'list'),
    "record, with the SDK's chain of credentials": await bundleFunction('get-price', 'stock-record', stock),
    'stock client-ssm and viem': await bundleBaseline('clientAndViem', stock),
  }
}

/**
 * Measures fresh processes, loaded as Lambda loads them: from the start to the first 200.
 *
 * Parameter Store and the node are in another process on loopback, without TLS and without delay.
 */
export async function measureColdStart(upstream: Upstream) {
  const programs = await bundlePrograms()
  const runner = await bundle('cold-process', { entryPoints: ['bench/cold-process.ts'] })
  const service = { kind: 'function', bundle: programs[record] ?? '', event: events.record } as const
  const [call = ''] = await captureRequests(service, upstream)
  const env = { ...upstream.variables(0), FEED: registry.mainnet[0]?.address ?? '', ETH_CALL: call }
  const runs = new Map<string, number[]>(Object.keys(programs).map(name => [name, []]))
  // The first run of each fills the disk's cache.
  for (let turn = -1; turn < processes; turn += 1) {
    for (const [name, file] of Object.entries(programs)) {
      const tookMs = await runCold([runner, file, name === list ? events.list : events.record], env)
      if (turn >= 0) runs.get(name)?.push(tookMs)
    }
  }
  const limitMs = median(runs.get(limit) ?? [])
  const rows: Record<string, Record<string, number>> = {}
  for (const [name, file] of Object.entries(programs)) {
    const ms = median(runs.get(name) ?? [])
    const bytes = gzipSync(await readFile(file)).length
    rows[name] = { 'ms to the first 200': round(ms), 'of limit': round(ms / limitMs), 'bytes, gzip': bytes }
  }
  return rows
}

/** Returns the milliseconds from before the process exists to its response. */
async function runCold(args: readonly string[], env: Readonly<Record<string, string>>): Promise<number> {
  const began = performance.now()
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
  })
  const exited = once(child, 'exit')
  const pipe = child.stdio[3]
  if (!pipe || !('read' in pipe)) throw new Error('The process has no pipe.')
  await once(pipe, 'readable')
  const tookMs = performance.now() - began
  const status = `${pipe.read()}`
  await exited
  if (status !== '200') throw new Error(`The response of the process is ${status}.`)
  return tookMs
}
