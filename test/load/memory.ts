import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { attemptMs } from '../../lambda/timing.ts'
import type { Functions } from '../../local/functions/runtime.ts'
import { createRequests, type Deployment, type LoadRequest } from './deployment.ts'
import type { Measure } from './measured-function.ts'

/** The functions, and the requests to each in one window. */
const windowOf = { '/price/{symbol}': 1_200, '/price': 400 }
/** The windows before the measurement, and during it. */
const windows = { warming: 2, measured: 6 }
/** The timer of an attempt keeps its memory until it fires (D24). */
const quietMs = attemptMs + 500

/** The most that a container may keep per request: less than an error, a URL or a signal. */
const maxBytesPerRequest = 200
/** Each of two containers needs one connection to each of four endpoints. */
const maxConnections = 8

/** Measures one container of each function over windows of sequential requests. Prints the measures. */
export async function measureMemory(deployment: Deployment, fail: (failure: string) => void): Promise<void> {
  const functions = deployment.createFunctions(({ entry, handlerName, ...fn }) => ({
    ...fn,
    entry: fileURLToPath(new URL('measured-function.ts', import.meta.url)),
    handlerName: 'handler',
    environment: { ...fn.environment, LOAD_ENTRY: entry, LOAD_HANDLER: handlerName },
  }))
  const containers = Object.entries(windowOf).map(([path, perWindow]) => {
    return { ...createClient(deployment, functions, path, fail), path, perWindow, heap: Array.of<number>() }
  })
  for (let done = 1 - windows.warming; done <= windows.measured; done += 1) {
    await runWindow(deployment, (share, isDown) =>
      Promise.all(containers.map(({ send, perWindow }) => send(share * perWindow, isDown))),
    )
    if (done < 0) continue
    await sleep(quietMs)
    const connections = deployment.endpoints.flat().reduce((sum, endpoint) => sum + endpoint.countOpen(), 0)
    if (connections > maxConnections) fail(`${connections} connections are open.`)
    for (const { path, measure, heap } of containers) {
      const { bytes, resources } = await measure()
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
}

/** Sends a share of the requests after each stop and restart of the endpoints that are asked first, and second. */
async function runWindow({ endpoints }: Deployment, send: (share: number, isDown: boolean) => Promise<unknown>) {
  const [first, second] = endpoints
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

const plain: object = JSON.parse(readFileSync('local/events/list-prices.json', 'utf8'))
const baseUrl = 'https://prices.example/v1'

/** Creates a client of one container of the function behind a path. */
function createClient(deployment: Deployment, functions: Functions, path: string, fail: (failure: string) => void) {
  const integration = deployment.template.routes.find(route => route.resourcePath === path)?.integration
  if (integration?.type !== 'AWS_PROXY') throw new Error(`No function behind ${path}`)
  const invoke = async (event: object) => JSON.parse(await functions.invoke(integration.functionId, event))
  const next = createRequests()
  const send = async (request: LoadRequest, isDown: boolean): Promise<void> => {
    const { statusCode, body } = await invoke(toEvent(request))
    const expected = isDown && request.status === 200 ? 503 : request.status
    if (statusCode !== expected) fail(`${request.path} is ${statusCode}: ${body}`)
    else if (statusCode === 200 && !deployment.isCorrect(request, body, baseUrl)) fail(`A false body: ${body}`)
  }
  return {
    /** Sends requests one after another. While all endpoints are stopped, the valid ones are 503. */
    async send(count: number, isDown: boolean): Promise<void> {
      for (let sent = 0; sent < count; ) {
        const request = next()
        if ((request.symbol === undefined) !== (path === '/price')) continue
        await send(request, isDown)
        sent += 1
      }
    },
    measure: (): Promise<Measure> => invoke({ measure: true }),
  }
}

function toEvent({ path, symbol }: LoadRequest): object {
  const { pathname, searchParams } = new URL(baseUrl + path)
  return {
    ...plain,
    pathParameters: symbol === undefined ? null : { symbol: pathname.split('/').at(-1) },
    queryStringParameters: searchParams.size === 0 ? null : Object.fromEntries(searchParams),
    requestContext: { domainName: 'prices.example', path: '/v1/price' },
  }
}

/** The median growth from one window to the next. A drop, when V8 discards unused code, must not hide a leak. */
function toGrowth(bytes: readonly number[]): number {
  const steps = bytes.slice(1).map((value, index) => value - (bytes[index] ?? value))
  return steps.toSorted((a, b) => a - b)[steps.length >> 1] ?? Number.NaN
}
