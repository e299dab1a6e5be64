import { setTimeout } from 'node:timers/promises'
import type { Answer } from './check.ts'

/** A client of one API. */
export interface Client {
  /** Without a slash at its end. */
  readonly baseUrl: string
  /** Sends a request to a path below the base URL. Without a response, the answer has the status 0. */
  readonly ask: (path: string, method?: string, headers?: Readonly<Record<string, string>>) => Promise<Answer>
  /** All answers up to now. */
  readonly answers: readonly Answer[]
  readonly clock: Clock
}

/** Measures and waits; its zero has no meaning. */
export interface Clock {
  readonly nowMs: () => number
  readonly sleep: (ms: number) => Promise<unknown>
}

/** Half of what the smallest deployment allows: 20 requests per second and route. */
const pauseMs = 100

const maxConcurrent = 4

/** Above the longest time limit of the API's integrations. */
const timeoutMs = 15_000

/** Limits what a `Retry-After` can make a run wait. */
const maxRetryAfterMs = 20_000

/** No connection is kept: Lambda freezes the probe between its runs, and the server closes the connection meanwhile. */
const commonHeaders = { Origin: 'https://smoke.example', 'User-Agent': 'price-lookup-smoke', Connection: 'close' }

const systemClock: Clock = { nowMs: () => performance.now(), sleep: setTimeout }

/**
 * Creates a client that sends at most ten requests per second, four at once, and repeats a request once after a 429.
 *
 * Every request has an `Origin`, like those of a web page.
 */
export function createClient(baseUrl: string, clock = systemClock): Client {
  const answers: Answer[] = []
  const lanes: Promise<unknown>[] = []
  let asked = 0
  let nextAtMs = 0

  async function send(path: string, init: RequestInit & { method: string }): Promise<Answer> {
    const waitMs = nextAtMs - clock.nowMs()
    nextAtMs = Math.max(nextAtMs, clock.nowMs()) + pauseMs
    if (waitMs > 0) await clock.sleep(waitMs)
    const response = await exchange(`${baseUrl}${path}`, init)
    const answer = { method: init.method, path, ...response, receivedAtMs: clock.nowMs() }
    answers.push(answer)
    return answer
  }

  async function sendOrRepeat(path: string, init: RequestInit & { method: string }): Promise<Answer> {
    const answer = await send(path, init)
    if (answer.status !== 429) return answer
    nextAtMs = Math.max(nextAtMs, clock.nowMs() + toRetryAfterMs(answer.headers))
    return await send(path, init)
  }

  return {
    baseUrl,
    answers,
    clock,
    ask(path, method = 'GET', headers = {}) {
      const lane = asked++ % maxConcurrent
      const allHeaders = { ...commonHeaders, ...headers }
      const answer = Promise.resolve(lanes[lane]).then(() => sendOrRepeat(path, { method, headers: allHeaders }))
      lanes[lane] = answer
      return answer
    },
  }
}

type Response = Omit<Answer, 'method' | 'path' | 'receivedAtMs'>

const none = { status: 0, headers: new Headers(), text: '', json: undefined, exact: undefined }

async function exchange(url: string, init: RequestInit): Promise<Response> {
  try {
    const signal = AbortSignal.timeout(timeoutMs)
    const response = await fetch(url, { ...init, redirect: 'manual', signal })
    const { status, headers } = response
    const text = await response.text()
    return { status, headers, text, json: parse(text), exact: parse(text, toSource) }
  } catch (error) {
    return { ...none, failure: `no answer${toReason(error)}` }
  }
}

function parse(text: string, reviver?: typeof toSource): unknown {
  try {
    return JSON.parse(text, reviver)
  } catch {
    return undefined
  }
}

/** Keeps a number as its text in the source, for `JSON.parse`. TypeScript's library lacks the third argument. */
function toSource(_: string, value: unknown, ...[context]: readonly { readonly source?: string }[]): unknown {
  return typeof value === 'number' ? context?.source : value
}

function toRetryAfterMs(headers: Headers): number {
  const seconds = Number(headers.get('retry-after') ?? 1)
  return Math.min(maxRetryAfterMs, Math.max(1, Number.isFinite(seconds) ? seconds : 1) * 1_000)
}

/** Names the cause of a failed request by the system's code, such as `ECONNREFUSED`. */
function toReason(error: unknown): string {
  if (error instanceof DOMException && error.name === 'TimeoutError') return ` within ${timeoutMs / 1_000} s`
  const cause = error instanceof Error ? (error.cause ?? error) : error
  return ` (${cause instanceof Error ? ('code' in cause ? cause.code : cause.message) : 'unknown'})`
}
