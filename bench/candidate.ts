import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { setDefaultCACertificates } from 'node:tls'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { APIGatewayProxyResult } from 'aws-lambda'
import { callWithHttp, createViemReader } from './baselines.ts'
import { median } from './median.ts'
import type { Distance, Upstream } from './upstream.ts'

export type Candidate =
  /** The bundle of a function, and the file of an event. */
  | { readonly kind: 'function'; readonly bundle: string; readonly event: string }
  /** The `eth_call`s that another candidate made. */
  | { readonly kind: 'http'; readonly bodies: readonly string[] }
  /** Addresses of feeds. */
  | { readonly kind: 'viem' | 'viem with multicall'; readonly feeds: readonly string[] }

export const events = {
  record: fileURLToPath(new URL('../local/events/get-price-crwd.json', import.meta.url)),
  list: fileURLToPath(new URL('../local/events/list-prices.json', import.meta.url)),
} as const

/** Starts a candidate in a process of its own. Its node is at a distance. */
function startCandidate(candidate: Candidate, upstream: Upstream, distance: Distance) {
  const child = fork(import.meta.filename, {
    env: { ...process.env, ...upstream.variables(distance) },
    // The log of a function is discarded. Errors are shown.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  child.on('exit', code => {
    if (code !== 0) throw new Error(`The candidate "${candidate.kind}" ended with exit code ${code}.`)
  })
  child.send(candidate)
  /** Runs the candidate once, this long after its last run on its own clock. Returns how long that took. */
  const run = async (gapMs = 0): Promise<number> => {
    child.send(gapMs)
    const [tookMs] = await once(child, 'message')
    return tookMs
  }
  return { run, stop: () => child.disconnect() }
}

/** Returns the bodies of the requests that a candidate makes for one result, once it is warm. */
export async function captureRequests(candidate: Candidate, upstream: Upstream): Promise<readonly string[]> {
  const running = startCandidate(candidate, upstream, 0)
  await running.run()
  upstream.takeRequests()
  await running.run()
  running.stop()
  return upstream.takeRequests()
}

interface Turns {
  readonly toDistance: (candidate: Candidate) => Distance
  readonly measured: number
  /** How often each candidate runs before the measurement. */
  readonly warmUps: number
  /** The time between two runs, on the clock of the candidate. */
  readonly gapMs?: number
}

/** Measures candidates in turns, so that a disturbance of the machine affects all of them. Returns the medians of the milliseconds of their runs. */
export async function interleave(
  candidates: ReadonlyMap<string, Candidate>,
  upstream: Upstream,
  { toDistance, measured, warmUps, gapMs }: Turns,
): Promise<ReadonlyMap<string, number>> {
  const entries = [...candidates].map(([name, candidate]) => ({
    name,
    running: startCandidate(candidate, upstream, toDistance(candidate)),
    tookMs: Array.of<number>(),
  }))
  for (let turn = -warmUps; turn < measured; turn += 1) {
    for (const { running, tookMs } of entries) {
      const took = await running.run(gapMs)
      if (turn >= 0) tookMs.push(took)
    }
  }
  for (const { running } of entries) running.stop()
  return new Map(entries.map(({ name, tookMs }) => [name, median(tookMs)]))
}

async function createRun(candidate: Candidate, rpcUrl: string): Promise<() => Promise<unknown>> {
  switch (candidate.kind) {
    case 'function':
      return loadFunction(candidate.bundle, candidate.event)
    case 'http':
      return () => callWithHttp(rpcUrl, candidate.bodies)
    default:
      return createViemReader(rpcUrl, candidate.feeds, candidate.kind === 'viem with multicall')
  }
}

type Handler = (event: unknown, context: object) => Promise<APIGatewayProxyResult>

/** Loads a function. Returns what invokes it, and throws unless every feed of the response is a record. */
async function loadFunction(bundle: string, eventFile: string): Promise<() => Promise<string>> {
  const event: unknown = JSON.parse(await readFile(eventFile, 'utf8'))
  const { handler }: { handler: Handler } = await import(pathToFileURL(bundle).href)
  return async () => {
    const { statusCode, body } = await handler(event, { getRemainingTimeInMillis: () => 10_000 })
    if (statusCode !== 200 || body.includes('"problem":'))
      throw new Error(`The function returned ${statusCode}: ${body}`)
    return body
  }
}

// The process of a candidate. Its first message is the candidate. Each further one is a run, with the gap before it, which
// `Date.now` alone has: the functions keep the age of their connections and of the RPC URLs by it.
if (import.meta.main) {
  const { now } = Date
  let gapsMs = 0
  Date.now = () => now() + gapsMs
  const certificate = process.env['CERTIFICATE']
  if (certificate !== undefined) setDefaultCACertificates([certificate])
  const [candidate] = await once(process, 'message')
  const run = await createRun(candidate, process.env['RPC_URL'] ?? '')
  process.on('message', async (gapMs: number) => {
    gapsMs += gapMs
    const began = performance.now()
    await run()
    process.send?.(performance.now() - began)
  })
  process.on('disconnect', () => process.exit())
}
