import { setTimeout as sleep } from 'node:timers/promises'
import { problems } from '../../api/problems.ts'

export interface Reply {
  readonly method: string
  /** The path below the base URL, with its query. */
  readonly path: string
  /** The HTTP status; 0 without a response. */
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The fields of the body; none if it is no JSON object. */
  readonly fields: Fields
  /** Why there is no response. */
  readonly failure?: string
  /** When the reply arrived, on the clock of `performance.now()`. */
  readonly arrivedAt: number
}

export type Fields = Readonly<Record<string, unknown>>

/**
 * The pause before each request. So the rate is half of what the smallest deployment allows: 20 per second and route.
 */
export const pauseMs = 100

/** The time limit of a request, which is above the longest time limit of the API's integrations. */
export const timeoutMs = 15_000

/** No connection is kept: Lambda freezes the probe between its runs, and the server closes the connection meanwhile. */
const commonHeaders = { Origin: 'https://smoke.example', 'User-Agent': 'price-lookup-smoke', Connection: 'close' }

export type Send = (url: string, init: RequestInit) => Promise<Response>

export type Client = ReturnType<typeof createClient>

/**
 * Creates a client for one request after another. It sends at most ten per second, and repeats a request once after a
 * 429.
 *
 * Every request has an `Origin`, like those of a web page.
 *
 * @param baseUrl without a slash at its end
 */
export function createClient(baseUrl: string, send: Send = fetch) {
  const replies: Reply[] = []

  async function askOnce(path: string, method: string, headers: Readonly<Record<string, string>>): Promise<Reply> {
    await sleep(pauseMs)
    const response = await exchange(send, baseUrl + path, { method, headers: { ...commonHeaders, ...headers } })
    const reply = {
      method,
      path,
      ...response,
      fields: fieldsOf(parseJson(response.text)),
      arrivedAt: performance.now(),
    }
    replies.push(reply)
    return reply
  }

  /** Sends a request to a path below the base URL. Without a response, the reply has the status 0. */
  async function ask(path: string, method = 'GET', headers: Readonly<Record<string, string>> = {}): Promise<Reply> {
    const reply = await askOnce(path, method, headers)
    if (reply.status !== 429) return reply
    await sleep(1_000 * problems['too-many-requests'].retryAfterSeconds)
    return await askOnce(path, method, headers)
  }

  return { baseUrl, beganAt: performance.now(), replies, ask }
}

async function exchange(send: Send, url: string, init: RequestInit) {
  try {
    const response = await send(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) })
    return { status: response.status, headers: response.headers, text: await response.text() }
  } catch (error) {
    return { status: 0, headers: new Headers(), text: '', failure: `no response (${toReason(error)})` }
  }
}

/** Names the innermost cause of a failed request: the system's code, such as `ECONNREFUSED`, or why it was not sent. */
function toReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.cause instanceof Error) return toReason(error.cause)
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message
}

/** Parses a body; undefined if it is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns the fields of an object, and none for any other value. */
export function fieldsOf(json: unknown): Fields {
  return typeof json === 'object' && json !== null && !Array.isArray(json) ? { ...json } : {}
}

/** Formats a request, the status of its reply, and the title of a problem; or why there is no response. */
export function formatReply({ method, path, status, fields: { title }, failure }: Reply): string {
  const problem = title === undefined ? '' : ` ${formatValue(title)}`
  return `${method} ${formatText(path)}: ${failure === undefined ? `${status}${problem}` : formatText(failure)}`
}

/** Formats a value of a reply as JSON, shortened. */
export function formatValue(value: unknown): string {
  return formatText(JSON.stringify(value) ?? 'missing')
}

/** Characters that a terminal executes or does not show, and separators of lines. */
const invisible = /[\p{C}\u2028\u2029]/gu

/** Formats a text that has words of a reply: escapes invisible characters, and shortens it to 80 characters. */
export function formatText(text: string): string {
  const escaped = text.replaceAll(invisible, character => `\\u{${character.codePointAt(0)?.toString(16)}}`)
  return /^.{0,80}/su.exec(escaped)?.[0] ?? ''
}
