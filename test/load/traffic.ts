import { setTimeout as sleep } from 'node:timers/promises'
import { networks } from '../../lambda/feeds/registry.ts'
import { startGateway } from '../../local/gateway.ts'
import { expectDocumented } from '../contract/documented.ts'
import { toPatient } from '../fuzz/patient-template.ts'
import { type Deployment, setEndpoints } from './deployment.ts'
import { createQuestions, type Question } from './questions.ts'

/** What was seen of one third of the requests. */
interface Third {
  readonly name: string
  readonly rssMb: number[]
  readonly tookMs: number[]
  /** How many requests came to each endpoint, by network. */
  requests: readonly (readonly number[])[]
}

/** What was seen of all requests. */
export interface Traffic {
  readonly callers: number
  readonly tookMs: number
  readonly counts: ReadonlyMap<string, number>
  readonly thirds: readonly Third[]
}

const callers = 8
/** Short, so that most requests are reads. */
const cacheTtlMs = 200
/** A read may take 3.5 s (D24), and the cache keeps what it found. */
const maxAgeMs = 3_500 + cacheTtlMs

/**
 * Sends so many requests through the gateway, several at once, while feeds change and an endpoint dies and comes back.
 *
 * Half as many before them make the containers warm.
 */
export async function runTraffic(
  deployment: Deployment,
  requests: number,
  complain: (what: string) => void,
): Promise<Traffic> {
  const template = toPatient(deployment.template, cacheTtlMs)
  const functions = deployment.createFunctions()
  const { baseUrl, stop } = await startGateway({ template, functions, host: '127.0.0.1', port: 0 })
  const counts = new Map<string, number>()
  const count = (what: string): void => void counts.set(what, (counts.get(what) ?? 0) + 1)

  async function ask({ path, network, symbol, status }: Question): Promise<number> {
    const began = performance.now()
    const response = await fetch(baseUrl + path)
    const body = await response.text()
    const tookMs = performance.now() - began
    count(`status ${response.status}`)
    count(`cache ${response.headers.get('x-local-cache')}`)
    try {
      expectDocumented({ method: 'GET', path, status: response.status, headers: response.headers, text: body })
    } catch (error) {
      complain(String(error))
    }
    if (response.status !== status) complain(`GET ${path} is ${response.status}: ${body}`)
    if (response.status === 200) {
      if (!deployment.known[network].isTrue(body, symbol, baseUrl))
        complain(`GET ${path} says what no feed said: ${body}`)
      if (Date.now() - Date.parse(JSON.parse(body).readAt) > maxAgeMs) complain(`GET ${path} is too old`)
    }
    return tookMs
  }

  const over = new AbortController()
  const flipped = flipUntil(deployment, over.signal)
  await run(ask, requests / 2, () => {})
  counts.clear()
  const began = performance.now()
  const thirds = await runThirds(deployment, ask, Math.floor(requests / 3), complain)
  const tookMs = performance.now() - began
  over.abort()
  await flipped
  await stop()
  await functions.stop()
  return { callers, tookMs, counts, thirds }
}

type Ask = (question: Question) => Promise<number>

/** Runs so many questions, several at once; tells how far it is after each. */
async function run(ask: Ask, wanted: number, onAnswer: (answered: number, tookMs: number) => void): Promise<void> {
  const next = createQuestions()
  let asked = 0
  let answered = 0
  const call = async (): Promise<void> => {
    while (asked < wanted) {
      asked += 1
      const tookMs = await ask(next())
      answered += 1
      onAnswer(answered, tookMs)
    }
  }
  await Promise.all(Array.from({ length: callers }, call))
}

/** The first endpoint dies after a third of the requests, while others are under way, and comes back after the next. */
async function runThirds(
  deployment: Deployment,
  ask: Ask,
  requests: number,
  complain: (what: string) => void,
): Promise<readonly Third[]> {
  const tally = () => networks.map(network => deployment.endpoints[network].map(endpoint => endpoint.requests()))
  const names = ['both endpoints', 'first endpoint dead', 'first endpoint back']
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
  await run(ask, 3 * requests, (answered, tookMs) => {
    const third = thirds[Math.min(2, Math.floor(answered / requests))]
    third?.tookMs.push(tookMs)
    if (answered % 50 === 0) third?.rssMb.push(process.memoryUsage.rss() / 2 ** 20)
    if (answered !== requests && answered !== 2 * requests) return
    close(answered / requests - 1)
    setEndpoints(deployment, 0, answered === requests ? 'die' : 'comeBack').catch(error => complain(String(error)))
  })
  close(2)
  return thirds
}

async function flipUntil({ known }: Deployment, over: AbortSignal): Promise<void> {
  while (!over.aborted) {
    await Promise.all(networks.map(network => known[network].flip()))
    await sleep(100)
  }
}
