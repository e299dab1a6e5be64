import type { Answered, ApiAnswer, Failed } from './api-answer.ts'
import { parseExactly } from './exact-json.ts'

/** The API caches a read so long; and so long it is left alone after a failure. */
const cacheMs = 10_000

/** An answer is given up after this: the API's own deadline is 10 seconds at most. */
const timeoutMs = 12_000

/** Where the API is: below the folder of the page itself, with or without its last slash. */
export const apiUrl = location.origin + location.pathname.replace(/\/?$/, '/')

/**
 * Asks the API for a value that has a `readAt`; never rejects.
 *
 * @param turn tells that nobody wants the answer any more
 */
export async function askApi<value extends { readonly readAt: string }>(
  path: string,
  isExpected: (parsed: unknown) => parsed is value,
  turn: AbortSignal,
): Promise<ApiAnswer<value>> {
  try {
    const signal = AbortSignal.any([turn, AbortSignal.timeout(timeoutMs)])
    // A cache of the browser's own would answer with what it had, and with the time of then.
    const response = await fetch(apiUrl + path, { cache: 'no-store', signal })
    const parsed = parseObject(await response.text())
    if (!response.ok) return toFailed(parsed ?? {}, response)
    return parsed !== undefined && isExpected(parsed) ? toAnswered(parsed, response.headers) : notUnderstood
  } catch {
    return silent
  }
}

function parseObject(text: string): object | undefined {
  try {
    const parsed = parseExactly(text)
    return typeof parsed === 'object' && parsed !== null ? parsed : undefined
  } catch {
    return undefined
  }
}

function toAnswered<value extends { readonly readAt: string }>(value: value, headers: Headers): Answered<value> {
  const now = Date.now()
  // Between two clocks of theirs no clock of ours can be wrong.
  const theirs = toTheirNow(headers) ?? now
  const readAt = Date.parse(value.readAt) || theirs
  const expiresIn = (Date.parse(headers.get('expires') ?? '') || readAt + cacheMs) - theirs
  return {
    value,
    readAtMs: now - Math.max(0, theirs - readAt),
    waitMs: Math.min(cacheMs, Math.max(1_000, expiresIn)) + 250,
  }
}

/** Gives the time on the service's clock, in milliseconds: a cache on the way tells for how many seconds it has had an answer (RFC 9111, 5.1). */
function toTheirNow(headers: Headers): number | undefined {
  const dateMs = Date.parse(headers.get('date') ?? '')
  const age = headers.get('age') ?? ''
  return dateMs ? dateMs + 1_000 * Number(/^\d{1,6}$/.test(age) ? age : 0) : undefined
}

function toFailed(problem: object, response: Response): Failed {
  const textOf = (field: unknown, otherwise: string) => (typeof field === 'string' ? field : otherwise)
  return {
    title: textOf('title' in problem ? problem.title : undefined, `HTTP ${response.status}`),
    detail: textOf('detail' in problem ? problem.detail : undefined, 'The service answered with an error.'),
    waitMs: Math.min(60_000, 1_000 * Number(response.headers.get('retry-after') ?? 0) || cacheMs),
    isLasting: isLasting(problem, response.status),
  }
}

/** A proxy's or a firewall's 4xx may pass; one in the API's own words does not, unless it asks for patience. */
function isLasting(problem: object, status: number): boolean {
  const type = 'type' in problem ? `${problem.type}` : ''
  return type.startsWith('urn:problem-type:price-lookup:') && status >= 400 && status < 500 && status !== 429
}

const notUnderstood: Failed = {
  title: 'Not understood',
  detail: 'What came is not an answer of this service.',
  waitMs: cacheMs,
  isLasting: false,
}

const silent: Failed = {
  title: 'No answer',
  detail: 'The service could not be reached, or did not answer in time.',
  waitMs: cacheMs,
  isLasting: false,
}
