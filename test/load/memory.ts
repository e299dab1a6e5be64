import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { attemptMs } from '../../lambda/timing.ts'
import type { Functions } from '../../local/runtime.ts'
import { type Deployment, setEndpoints } from './deployment.ts'
import type { Measure } from './measured-function.ts'
import { createRequests, type LoadRequest } from './requests.ts'

/** The measures of the containers: one when they are warm, and one after each window of requests. */
export interface Memory {
  readonly points: readonly { readonly path: string; readonly requests: number; readonly measure: Measure }[]
  /** The number of open connections to endpoints at those times. */
  readonly connections: readonly number[]
}

/** The requests of a window. */
const windowOf = { '/price/{symbol}': 1_200, '/price': 400 }
/** The windows before the measurement, and during it. */
const windows = { warming: 2, measured: 6 }
/** The timer of an attempt keeps its memory until it fires (D24). */
const quietMs = attemptMs + 500

type Path = keyof typeof windowOf

/**
 * Measures one container of each function over windows of sequential requests.
 *
 * In every window the first endpoint stops, then the second, then the first restarts, then the second.
 */
export async function runMemory(deployment: Deployment, fail: (failure: string) => void): Promise<Memory> {
  const functions = deployment.createFunctions(({ entry, handlerName, ...fn }) => ({
    ...fn,
    entry: fileURLToPath(new URL('measured-function.ts', import.meta.url)),
    handlerName: 'handler',
    environment: { ...fn.environment, LOAD_ENTRY: entry, LOAD_HANDLER: handlerName },
  }))
  const containers = (['/price/{symbol}', '/price'] as const).map(path => ({
    path,
    ...createClient(deployment, functions, path, fail),
  }))
  const points: Memory['points'][number][] = []
  const connections: number[] = []
  for (let done = 1 - windows.warming; done <= windows.measured; done += 1) {
    await runWindow(deployment, (share, isDown) =>
      Promise.all(containers.map(({ path, send }) => send(share * windowOf[path], isDown))),
    )
    if (done < 0) continue
    await sleep(quietMs)
    connections.push(countConnections(deployment))
    for (const { path, measure } of containers) {
      points.push({ path, requests: done * windowOf[path], measure: await measure() })
    }
  }
  await functions.stop()
  return { points, connections }
}

/** Sends a share of the requests after each stop and restart. */
async function runWindow(
  deployment: Deployment,
  send: (share: number, isDown: boolean) => Promise<unknown>,
): Promise<void> {
  await setEndpoints(deployment, 0, 'stop')
  await send(0.33, false)
  // A request without an endpoint pauses before its second round, so these are few.
  await setEndpoints(deployment, 1, 'stop')
  await send(0.02, true)
  await setEndpoints(deployment, 0, 'restart')
  await send(0.33, false)
  await setEndpoints(deployment, 1, 'restart')
  await send(0.32, false)
}

function countConnections({ endpoints }: Deployment): number {
  return Object.values(endpoints)
    .flat()
    .reduce((sum, endpoint) => sum + endpoint.countOpen(), 0)
}

const plain: object = JSON.parse(readFileSync('local/events/list-prices.json', 'utf8'))

/** Creates a client of one container of the function behind a path. */
function createClient(
  { template, known }: Deployment,
  functions: Functions,
  path: Path,
  fail: (failure: string) => void,
) {
  const integration = template.routes.find(route => route.resourcePath === path)?.integration
  if (integration?.type !== 'AWS_PROXY') throw new Error(`No function behind ${path}`)
  const { functionId } = integration
  const next = createRequests()
  const nextOfPath = (): LoadRequest => {
    for (;;) {
      const request = next()
      if ((request.symbol === undefined) === (path === '/price')) return request
    }
  }
  return {
    /** Sends requests one after another. While both endpoints are stopped, the valid ones are 503. */
    async send(count: number, isDown: boolean): Promise<void> {
      for (let sent = 0; sent < count; sent += 1) {
        const request = nextOfPath()
        const { statusCode, body } = JSON.parse(await functions.invoke(functionId, toEvent(request)))
        const expected = isDown && request.status === 200 ? 503 : request.status
        if (statusCode !== expected) fail(`${request.path} is ${statusCode}: ${body}`)
        else if (statusCode === 200 && !known[request.network].isCorrect(body, request.symbol, baseUrl)) {
          fail(`${request.path} has a false body: ${body}`)
        }
      }
    },
    measure: async (): Promise<Measure> => JSON.parse(await functions.invoke(functionId, { measure: true })),
  }
}

const baseUrl = 'https://prices.example/v1'

function toEvent({ path, symbol }: LoadRequest): object {
  const { pathname, searchParams } = new URL(baseUrl + path)
  return {
    ...plain,
    pathParameters: symbol === undefined ? null : { symbol: pathname.split('/').at(-1) },
    queryStringParameters: searchParams.size === 0 ? null : Object.fromEntries(searchParams),
    requestContext: { domainName: 'prices.example', path: '/v1/price' },
  }
}
