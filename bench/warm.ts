import { fork } from 'node:child_process'
import { once } from 'node:events'
import { bundlePrograms, type Route, routes, toInputs, viemBatch } from './programs.ts'
import { type Column, formatTable } from './table.ts'
import type { Distance, Upstream } from './upstream.ts'

/**
 * The columns of the table. The gap before each run passes on the program's own clock, so that nothing waits for it.
 */
const columns = [
  { name: 'on loopback', distance: 'near', gapMs: 0, warmUps: 60, measured: 400 },
  { name: 'far, every 0.1 s', distance: 'far', gapMs: 100, warmUps: 10, measured: 100 },
  { name: 'far, every 10 s', distance: 'far', gapMs: 10_000, warmUps: 10, measured: 100 },
  { name: 'far, every 70 s', distance: 'far', gapMs: 70_000, warmUps: 10, measured: 100 },
] as const

/** Measures how long a caller of a warm function waits, beside the baselines. Returns the table. */
export async function measureWarm(route: Route, upstream: Upstream): Promise<string> {
  const programs = await bundlePrograms(route)
  const measured: Column[] = []
  for (const column of columns) {
    const runs = await interleave(programs, route, column, upstream)
    measured.push({ name: `${column.name}, ${column.measured} runs`, runs })
  }
  return formatTable(measured)
}

/** Runs programs in turns, so that a disturbance of the machine affects all of them. */
async function interleave(
  programs: ReadonlyMap<string, string>,
  route: Route,
  { distance, gapMs, warmUps, measured }: (typeof columns)[number],
  upstream: Upstream,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const running = [...programs].map(([name, file]) => {
    // viem's `fetch` would close its connections after 4 s. No such time passes here, so the node closes them.
    const place = name === viemBatch && gapMs > 4_000 ? 'far-closing' : distance
    return { name, ms: Array.of<number>(), ...startProgram(file, route, place, upstream) }
  })
  upstream.takeRequestCount()
  for (let turn = -warmUps; turn < measured; turn += 1) {
    for (const { run, ms } of running) {
      const tookMs = await run(gapMs)
      if (turn >= 0) ms.push(tookMs)
    }
  }
  for (const { stop } of running) stop()
  if (upstream.takeRequestCount() !== (warmUps + measured) * running.length)
    throw new Error('A program did not make one request for each read.')
  return new Map(running.map(({ name, ms }) => [name, ms]))
}

/** Starts a program in a process of its own. */
function startProgram(file: string, route: Route, distance: Distance, upstream: Upstream) {
  const child = fork(new URL('warm-process.ts', import.meta.url), [file, routes[route].event], {
    env: { ...process.env, ...upstream.toVariables(distance), ...toInputs(route) },
    // The log of a function is discarded. Errors are shown.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  child.on('exit', code => {
    if (code !== 0) throw new Error(`The process of ${file} ended with exit code ${code}.`)
  })
  /** Returns the milliseconds of one run, this long after the last one. */
  const run = async (gapMs: number): Promise<number> => {
    child.send(gapMs)
    const [tookMs] = await once(child, 'message')
    return tookMs
  }
  return { run, stop: () => child.disconnect() }
}
