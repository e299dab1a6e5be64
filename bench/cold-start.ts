import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { bundle, bundlePrograms, type Route, routes, toInputs } from './programs.ts'
import { type Column, formatTable } from './table.ts'
import type { Upstream } from './upstream.ts'

/** How many runs of each program are measured. */
const measured = 40

/**
 * Measures the time from the start of a process to its first response of 200. Each process loads a bundle as Lambda
 * does. Returns the table.
 *
 * Parameter Store and the node are in another process on loopback, without TLS and without delay.
 */
export async function measureColdStart(upstream: Upstream): Promise<string> {
  const programs = { record: await bundlePrograms('record'), list: await bundlePrograms('list') }
  const columns: Column[] = []
  for (const route of ['record', 'list'] as const) {
    columns.push({ name: `${route}, ${measured} runs`, runs: await interleave(programs[route], route, upstream) })
  }
  const sizes = await Promise.all([...programs.record].map(formatSize))
  return `${formatTable(columns)}\n\nBundles for the record, gzip: ${sizes.join('; ')}.`
}

/** Runs programs in turns, so that a disturbance of the machine affects all of them. */
async function interleave(
  programs: ReadonlyMap<string, string>,
  route: Route,
  upstream: Upstream,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const runner = await bundle('bench/cold-process.ts', 'cold-process')
  const env = { ...process.env, ...upstream.toVariables('near'), ...toInputs(route) }
  const runs = [...programs].map(([name, file]) => ({ name, file, ms: Array.of<number>() }))
  // The first run of each program fills the disk's cache, and is not counted.
  for (let turn = -1; turn < measured; turn += 1) {
    for (const { file, ms } of runs) {
      const tookMs = await runCold([runner, file, routes[route].event], env)
      if (turn >= 0) ms.push(tookMs)
    }
  }
  return new Map(runs.map(({ name, ms }) => [name, ms]))
}

/** Returns the milliseconds from before the process is spawned to its response. */
async function runCold(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const began = performance.now()
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'inherit', 'pipe'] })
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

async function formatSize([name, file]: readonly [string, string]): Promise<string> {
  const kilobytes = gzipSync(await readFile(file)).length / 1_000
  return `${name} ${kilobytes.toFixed(1)} kB`
}
