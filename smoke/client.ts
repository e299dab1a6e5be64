import { setTimeout } from 'node:timers/promises'
import { problems } from '../api/problems.ts'

export interface Reply {
  readonly method: string
  /** Below the base URL, with its query. */
  readonly path: string
  /** 0 without a response. */
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The fields of a body in JSON. */
  readonly fields: Fields
  readonly failure?: string
  readonly atMs: number
}

export type Fields = Readonly<Record<string, unknown>>

export interface Client {
  /** Without a slash at its end. */
  readonly baseUrl: string
  /** Sends a request to a path below the base URL. Without a response, the reply has the status 0. */
  readonly ask: (path: string, method?: string, headers?: Readonly<Record<string, string>>) => Promise<Reply>
  readonly replies: readonly Reply[]
  readonly clock: Clock
}

/** Measures and waits; its zero has no meaning. */
export interface Clock {
  readonly nowMs: () => number
  readonly sleep: (ms: number) => Promise<unknown>
}

/** Half of what the smallest deployment allows: 20 requests per second and route. */
const pauseMs = 100

const retryAfterMs = 1_000 * problems['too-many-requests'].retryAfterSeconds

/** Above the longest time limit of the API's integrations. */
const timeoutMs = 15_000

/** Bounds a body, decompressed. A list of 1,000 feeds has 0.8 MB. */
const maxBytes = 1_000_000

/** No connection is kept: Lambda freezes the probe between its runs, and the server closes the connection meanwhile. */
const commonHeaders = { Origin: 'https://smoke.example', 'User-Agent': 'price-lookup-smoke', Connection: 'close' }

export type Request = (url: string, init: RequestInit) => Promise<Response>

const systemClock: Clock = { nowMs: () => performance.now(), sleep: setTimeout }

/**
 * Creates a client for one request after another. It sends at most ten per second, and repeats one once after a 429.
 *
 * Every request has an `Origin`, like those of a web page.
 */
export function createClient(baseUrl: string, clock = systemClock, request: Request = fetch): Client {
  const replies: Reply[] = []
  let nextAtMs = clock.nowMs()

  async function send(path: string, method: string, headers: Readonly<Record<string, string>>): Promise<Reply> {
    const waitMs = nextAtMs - clock.nowMs()
    if (waitMs > 0) await clock.sleep(waitMs)
    nextAtMs = clock.nowMs() + pauseMs
    const response = await exchange(request, `${baseUrl}${path}`, { method, headers: { ...commonHeaders, ...headers } })
    const reply = { method, path, ...response, fields: fieldsOf(parseJson(response.text)), atMs: clock.nowMs() }
    replies.push(reply)
    return reply
  }

  return {
    baseUrl,
    replies,
    clock,
    async ask(path, method = 'GET', headers = {}) {
      const reply = await send(path, method, headers)
      if (reply.status !== 429) return reply
      nextAtMs = clock.nowMs() + retryAfterMs
      return await send(path, method, headers)
    },
  }
}

async function exchange(request: Request, url: string, init: RequestInit) {
  try {
    const response = await request(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) })
    return { status: response.status, headers: response.headers, text: await readText(response) }
  } catch (error) {
    return { status: 0, headers: new Headers(), text: '', failure: toFailure(error) }
  }
}

/** @throws {Error} when the body is too large, before the rest of it is read */
async function readText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength
    if (bytes > maxBytes) throw new Error('a body of more than 1 MB')
    chunks.push(chunk)
  }
  return new TextDecoder().decode(Buffer.concat(chunks))
}

/** Parses a body; undefined if it is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Names the innermost cause of a failed request: the system's code, such as `ECONNREFUSED`, or why it was not sent. */
function toFailure(error: unknown): string {
  if (!(error instanceof Error)) return `no response (${error})`
  if (error.cause instanceof Error) return toFailure(error.cause)
  return `no response (${'code' in error && typeof error.code === 'string' ? error.code : error.message})`
}

/** Returns the fields of an object, and none for any other value. */
export function fieldsOf(json: unknown): Fields {
  return typeof json === 'object' && json !== null && !Array.isArray(json) ? { ...json } : {}
}

/** Returns a text, and an empty one for any other value. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
