import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer } from './answer.ts'
import { parseJson } from './json.ts'

/** Asks one API, politely. */
export interface Client {
  /** Where the API is, without a slash at its end. */
  readonly baseUrl: string
  /** Asks for a path below the base URL; a request that gets no answer is an answer with the status 0. */
  readonly ask: (path: string, method?: string, headers?: Readonly<Record<string, string>>) => Promise<Answer>
  /** Every answer that came so far. */
  readonly answers: readonly Answer[]
}

/** Half of what the smallest deployment lets through: 20 requests per second of each route. */
const pauseMs = 100

const maxAtOnce = 4

/** Far more than a run needs, and few enough for a run that went wrong. */
const maxRequests = 300

/** Longer than the gateway gives a function. */
const timeoutMs = 15_000

/** The longest that a 429 can make us wait. */
const maxRetryAfterMs = 20_000

/**
 * Creates a client: at most ten requests per second and four at once, each asked again once after a 429.
 *
 * Every request has an `Origin`, as a browser's has.
 */
export function createClient(baseUrl: string): Client {
  const answers: Answer[] = []
  const lanes: Promise<unknown>[] = Array.from({ length: maxAtOnce }, () => Promise.resolve())
  let asked = 0
  let sent = 0
  let nextAtMs = 0

  async function send(path: string, init: RequestInit): Promise<Answer> {
    const waitMs = nextAtMs - performance.now()
    nextAtMs = Math.max(nextAtMs, performance.now()) + pauseMs
    if (waitMs > 0) await sleep(waitMs)
    sent += 1
    const answer = await capture(baseUrl, path, init)
    answers.push(answer)
    return answer
  }

  async function sendPatiently(path: string, init: RequestInit): Promise<Answer> {
    if (sent >= maxRequests) return toUnanswered(path, init, `not asked: ${maxRequests} requests are enough`)
    const answer = await send(path, init)
    if (answer.status !== 429) return answer
    // Nobody else asks meanwhile.
    nextAtMs = Math.max(nextAtMs, performance.now() + toRetryAfterMs(answer.headers))
    return await send(path, init)
  }

  return {
    baseUrl,
    answers,
    ask(path, method = 'GET', headers = {}) {
      const lane = asked++ % maxAtOnce
      const given = { Origin: 'https://smoke.example', 'User-Agent': 'price-lookup-smoke', ...headers }
      const answer = (lanes[lane] ?? Promise.resolve()).then(() => sendPatiently(path, { method, headers: given }))
      lanes[lane] = answer
      return answer
    },
  }
}

async function capture(baseUrl: string, path: string, init: RequestInit): Promise<Answer> {
  const began = performance.now()
  const times = () => ({ receivedAtMs: performance.now(), tookMs: performance.now() - began })
  try {
    const signal = AbortSignal.timeout(timeoutMs)
    const response = await fetch(`${baseUrl}${path}`, { ...init, redirect: 'manual', signal })
    const text = await response.text()
    const { status, headers } = response
    return { method: init.method ?? 'GET', path, status, headers, text, body: parseJson(text), ...times() }
  } catch (error) {
    return { ...toUnanswered(path, init, toReason(error)), ...times() }
  }
}

function toUnanswered(path: string, init: RequestInit, failure: string): Answer {
  const nothing = { status: 0, headers: new Headers(), text: '', body: undefined, tookMs: 0 }
  return { ...nothing, method: init.method ?? 'GET', path, failure, receivedAtMs: performance.now() }
}

function toRetryAfterMs(headers: Headers): number {
  const seconds = Number(headers.get('retry-after') ?? 1)
  return Math.min(maxRetryAfterMs, Math.max(1, Number.isFinite(seconds) ? seconds : 1) * 1_000)
}

/** Says why no answer came: the system's own code, as `ECONNREFUSED`. */
function toReason(error: unknown): string {
  if (error instanceof DOMException && error.name === 'TimeoutError') return `no answer within ${timeoutMs / 1_000} s`
  const cause = error instanceof Error ? (error.cause ?? error) : error
  if (cause instanceof Error && 'code' in cause) return `no answer (${String(cause.code)})`
  return `no answer (${cause instanceof Error ? cause.message : 'unknown'})`
}
