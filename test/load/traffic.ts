import { setTimeout as sleep } from 'node:timers/promises'
import { networks } from '../../lambda/networks.ts'
import { readMs } from '../../lambda/timing.ts'
import { startGateway } from '../../local/gateway.ts'
import { expectDocumented } from '../contract/documented.ts'
import { toUnthrottled } from '../fuzz/unthrottled.ts'
import { type Deployment, setEndpoints } from './deployment.ts'
import { createRequests, type LoadRequest } from './requests.ts'

/** The results of one third of the requests. */
interface Third {
  readonly name: string
  readonly rssMb: number[]
  readonly tookMs: number[]
  /** The requests to each endpoint, by network. */
  requests: readonly (readonly number[])[]
}

/** The results of all requests. */
export interface Traffic {
  readonly clients: number
  readonly tookMs: number
  readonly counts: ReadonlyMap<string, number>
  readonly thirds: readonly Third[]
}

const clients = 8
/** Short, so that most requests are reads. */
const cacheTtlMs = 200
/** A read takes at most `readMs`, and its response may then be cached (D21, D24). */
const maxAgeMs = readMs + cacheTtlMs

/**
 * Sends concurrent requests through the gateway while feeds change and an endpoint stops and restarts.
 *
 * Half as many requests before them warm the containers up.
 */
export async function runTraffic(
  deployment: Deployment,
  requests: number,
  fail: (failure: string) => void,
): Promise<Traffic> {
  const template = toUnthrottled(deployment.template, cacheTtlMs)
  const functions = deployment.createFunctions()
  const { baseUrl, stop } = await startGateway({ template, functions, host: '127.0.0.1', port: 0 })
  const counts = new Map<string, number>()
  const count = (name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1)

  async function send({ path, network, symbol, status }: LoadRequest): Promise<number> {
    const began = performance.now()
    const response = await fetch(baseUrl + path)
    const body = await response.text()
    const tookMs = performance.now() - began
    count(`status ${response.status}`)
    count(`cache ${response.headers.get('x-local-cache')}`)
    try {
      expectDocumented({ method: 'GET', path, status: response.status, headers: response.headers, text: body })
    } catch (error) {
      fail(String(error))
    }
    if (response.status !== status) fail(`GET ${path} is ${response.status}: ${body}`)
    if (response.status === 200) {
      if (!deployment.known[network].isCorrect(body, symbol, baseUrl)) fail(`GET ${path} has a false body: ${body}`)
      if (Date.now() - Date.parse(JSON.parse(body).readAt) > maxAgeMs) fail(`GET ${path} is too old`)
    }
    return tookMs
  }

  const over = new AbortController()
  const changed = changeUntil(deployment, over.signal)
  await run(send, requests / 2, () => {})
  counts.clear()
  const began = performance.now()
  const thirds = await runThirds(deployment, send, Math.floor(requests / 3), fail)
  const tookMs = performance.now() - began
  over.abort()
  await changed
  await stop()
  await functions.stop()
  return { clients, tookMs, counts, thirds }
}

type Send = (request: LoadRequest) => Promise<number>

/** Sends requests from several clients. Calls back after each response. */
async function run(send: Send, total: number, onAnswer: (answered: number, tookMs: number) => void): Promise<void> {
  const next = createRequests()
  let sent = 0
  let answered = 0
  const call = async (): Promise<void> => {
    while (sent < total) {
      sent += 1
      const tookMs = await send(next())
      answered += 1
      onAnswer(answered, tookMs)
    }
  }
  await Promise.all(Array.from({ length: clients }, call))
}

/** Stops the first endpoint after a third of the requests, while others are running, and restarts it after the next third. */
async function runThirds(
  deployment: Deployment,
  send: Send,
  requests: number,
  fail: (failure: string) => void,
): Promise<readonly Third[]> {
  const tally = () => networks.map(network => deployment.endpoints[network].map(endpoint => endpoint.requests.length))
  const names = ['both endpoints', 'first endpoint stopped', 'first endpoint restarted']
  const thirds = names.map((name): Third => ({ name, rssMb: [], tookMs: [], requests: [] }))
  let before = tally()
  const close = (third: number): void => {
    const now = tally()
    const closed = thirds[third]
    if (closed) {
      closed.requests = now.map((pair, at) => pair.map((total, place) => total - (before[at]?.[place] ?? 0)))
    }
    before = now
  }
  await run(send, 3 * requests, (answered, tookMs) => {
    const third = thirds[Math.min(2, Math.floor(answered / requests))]
    third?.tookMs.push(tookMs)
    if (answered % 50 === 0) third?.rssMb.push(process.memoryUsage.rss() / 2 ** 20)
    if (answered !== requests && answered !== 2 * requests) return
    close(answered / requests - 1)
    setEndpoints(deployment, 0, answered === requests ? 'stop' : 'restart').catch(error => fail(String(error)))
  })
  close(2)
  return thirds
}

async function changeUntil({ known }: Deployment, over: AbortSignal): Promise<void> {
  while (!over.aborted) {
    await Promise.all(networks.map(network => known[network].change()))
    await sleep(100)
  }
}
