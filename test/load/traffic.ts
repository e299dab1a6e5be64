import { setTimeout as sleep } from 'node:timers/promises'
import { readMs } from '../../lambda/timing.ts'
import { startGateway } from '../../local/gateway/gateway.ts'
import { expectDocumented } from '../contract/documented.ts'
import { toUnthrottled } from '../fuzz/unthrottled.ts'
import { createRequests, type Deployment, type LoadRequest } from './deployment.ts'

const clients = 8
const requestsPerPhase = 2_000
/** Short, so that most requests are reads. */
const cacheTtlMs = 200

/**
 * Sends concurrent requests through the gateway, while feeds change and the endpoints that are asked first stop and restart.
 *
 * Prints the statuses and times of each phase. Each response must have its status, be documented, hold one of the known states, and not be
 * older than a read and the cache allow (D21, D24).
 */
export async function sendTraffic(deployment: Deployment, fail: (failure: string) => void): Promise<void> {
  const functions = deployment.createFunctions()
  const template = toUnthrottled(deployment.template, cacheTtlMs)
  const { baseUrl, stop } = await startGateway({ template, functions, host: '127.0.0.1', port: 0 })
  const next = createRequests()

  async function send(request: LoadRequest): Promise<readonly [outcome: string, tookMs: number]> {
    const { path } = request
    const began = performance.now()
    const response = await fetch(baseUrl + path)
    const { status, headers } = response
    const text = await response.text()
    const tookMs = performance.now() - began
    try {
      expectDocumented({ method: 'GET', path, status, headers, text })
    } catch (error) {
      fail(String(error))
    }
    if (status !== request.status) fail(`GET ${path} is ${status}: ${text}`)
    else if (status === 200) {
      if (!deployment.isCorrect(request, text, baseUrl)) fail(`GET ${path} has a false body: ${text}`)
      if (Date.now() - Date.parse(JSON.parse(text).readAt) > readMs + cacheTtlMs) fail(`GET ${path} is too old`)
    }
    return [`${status} ${headers.get('x-local-cache') ?? ''}`, tookMs]
  }

  async function run(): Promise<object> {
    const before = countRequests(deployment)
    const outcomes: (readonly [string, number])[] = []
    let sent = 0
    const call = async (): Promise<void> => {
      while (sent++ < requestsPerPhase) outcomes.push(await send(next()))
    }
    await Promise.all(Array.from({ length: clients }, call))
    const times = outcomes.map(([, tookMs]) => tookMs).toSorted((a, b) => a - b)
    const [median, longest] = [times[times.length >> 1], times.at(-1)].map(ms => ms?.toFixed(1))
    const counts = Object.entries(Object.groupBy(outcomes, ([name]) => name)).map(([name, all]) => [name, all?.length])
    const [first, second] = countRequests(deployment).map((count, index) => count - (before[index] ?? 0))
    const took = { 'median ms': median, 'longest ms': longest }
    return { ...Object.fromEntries(counts), ...took, 'to first endpoints': first, 'to second endpoints': second }
  }

  const over = new AbortController()
  const changed = (async () => {
    while (!over.signal.aborted) await deployment.changeFeeds().then(() => sleep(100))
  })()
  const [first] = deployment.endpoints
  const phases = {
    'both endpoints': () => Promise.resolve(),
    // While requests are running.
    'first endpoint stops': () => sleep(200).then(() => Promise.all(first.map(node => node.stop()))),
    'first endpoint restarts': () => sleep(200).then(() => Promise.all(first.map(node => node.restart()))),
  }
  const rows: Record<string, object> = {}
  for (const [name, change] of Object.entries(phases)) rows[name] = (await Promise.all([run(), change()]))[0]
  console.table(rows)
  over.abort()
  await changed
  await stop()
  await functions.stop()
}

/** Counts the requests to the endpoints that are asked first, and second. */
function countRequests({ endpoints }: Deployment): readonly number[] {
  return endpoints.map(nodes => nodes.reduce((sum, { requests }) => sum + requests.length, 0))
}
