import { setTimeout as sleep } from 'node:timers/promises'
import type { APIGatewayProxyResult } from 'aws-lambda'
import { attemptMs } from '../../lambda/timing.ts'
import type { Measure } from './measured-process.ts'
import { startService, toRequest } from './service.ts'

const help = `npm run load

Sends requests to one container of each function, while endpoints stop and restart. Fails on a wrong response, and on a
function that keeps memory, connections or timers.

  --help   print this text

Exit code: 0 without a failure, 1 with one, 2 when the command is wrong.`

const args = process.argv.slice(2)
if (args.length > 0) {
  console.log(help)
  process.exit(['--help', '-h'].includes(args.join()) ? 0 : 2)
}

/** The functions, and the requests to each in one window. */
const windowOf = { '/price/{symbol}': 1_200, '/price': 400 }
/** The windows before the measurement, and during it. */
const windows = { warming: 2, measured: 6 }
/** The timer of an attempt keeps its memory until it fires. */
const quietMs = attemptMs + 500

/** The most that a container may keep per request: less than an error, a URL or a signal. */
const maxBytesPerRequest = 200
/** Each of two containers needs one connection to each of four endpoints. */
const maxConnections = 8

/** Wrong statuses, errors in the log of a function, and what a container keeps too much of. */
const failures: string[] = []
const fail = (failure: string) => void failures.push(failure)

// Measures one process of each handler over windows of sequential requests.
const service = await startService(fail)
const containers = Object.entries(windowOf).map(([path, perWindow]) => {
  return { path, perWindow, send: createClient(path), heap: Array.of<number>() }
})
for (let done = 1 - windows.warming; done <= windows.measured; done += 1) {
  await runWindow((share, isDown) =>
    Promise.all(containers.map(({ send, perWindow }) => send(share * perWindow, isDown))),
  )
  if (done < 0) continue
  await sleep(quietMs)
  const connections = service.endpoints.flat().reduce((sum, endpoint) => sum + endpoint.countOpen(), 0)
  if (connections > maxConnections) fail(`${connections} connections are open.`)
  for (const { path, heap } of containers) {
    const { bytes, resources } = await service.ask<Measure>(path, 'measure')
    heap.push(bytes)
    console.log(`GET ${path}, window ${done}: ${Math.round(bytes / 1_024)} kB, ${connections} connections`)
    if (resources.length > 0) fail(`GET ${path} is kept alive by ${resources} after its last response.`)
  }
}
for (const { path, perWindow, heap } of containers) {
  const kept = toGrowth(heap) / perWindow
  console.log(`GET ${path} keeps ${kept.toFixed(1)} bytes a request`)
  if (kept > maxBytesPerRequest) fail(`GET ${path} keeps ${kept.toFixed(1)} bytes of every request.`)
}
await service[Symbol.asyncDispose]()
console.log(failures.length === 0 ? 'No failure.' : `${failures.length} failures:\n${failures.slice(0, 10).join('\n')}`)
process.exitCode = failures.length === 0 ? 0 : 1

/** Creates a function that sends requests one after another. While all endpoints are stopped, the valid ones are 503. */
function createClient(path: string) {
  let sent = 0
  return async (count: number, isDown: boolean): Promise<void> => {
    for (const end = sent + count; sent < end; sent += 1) {
      const { event, status } = toRequest(path, sent)
      const { statusCode, body } = await service.ask<APIGatewayProxyResult>(path, event)
      if (statusCode !== (isDown && status === 200 ? 503 : status)) fail(`GET ${path} is ${statusCode}: ${body}`)
    }
  }
}

/** Sends a share of the requests after each stop and restart of the endpoints that are asked first, and second. */
async function runWindow(send: (share: number, isDown: boolean) => Promise<unknown>): Promise<void> {
  const [first, second] = service.endpoints
  await Promise.all(first.map(node => node.stop()))
  await send(0.33, false)
  // A request without an endpoint pauses before its second round, so these are few.
  await Promise.all(second.map(node => node.stop()))
  await send(0.02, true)
  await Promise.all(first.map(node => node.restart()))
  await send(0.33, false)
  await Promise.all(second.map(node => node.restart()))
  await send(0.32, false)
}

/** The median growth from one window to the next. A drop, when V8 discards unused code, must not hide a leak. */
function toGrowth(bytes: readonly number[]): number {
  const steps = bytes.slice(1).map((value, index) => value - (bytes[index] ?? value))
  return steps.toSorted((a, b) => a - b)[steps.length >> 1] ?? Number.NaN
}
