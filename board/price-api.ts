import { parseExactly } from './exact-json.ts'

/** An answer of the API: a value, or what there is to say instead of one. */
export type ApiAnswer<value> = Answered<value> | Failed

/** A value, and when it was read. */
export interface Answered<value> {
  readonly value: value
  /** When the chain was read, on this machine's clock, in milliseconds. */
  readonly readAtMs: number
  /** After how long the next read can be had. */
  readonly waitMs: number
}

/** A problem in the API's own words, or in ours when it has none. */
export interface Failed {
  readonly title: string
  readonly detail: string
  readonly waitMs: number
}

/** The API caches a read so long; and so long it is left alone after a failure. */
const cacheMs = 10_000

/** An answer is given up after this: the API's own deadline is 10 seconds at most. */
const timeoutMs = 12_000

/** Where the API is: below the folder of the page itself, with or without its last slash. */
export const apiUrl = location.origin + location.pathname.replace(/\/?$/, '/')

/** Asks the API for a value that has a `readAt`; never rejects. */
export async function askApi<value extends { readonly readAt: string }>(
  path: string,
  isExpected: (parsed: object) => parsed is value,
): Promise<ApiAnswer<value>> {
  try {
    const response = await fetch(apiUrl + path, { signal: AbortSignal.timeout(timeoutMs) })
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
  const theirs = Date.parse(headers.get('date') ?? '') || now
  const readAt = Date.parse(value.readAt) || theirs
  const expiresIn = (Date.parse(headers.get('expires') ?? '') || readAt + cacheMs) - theirs
  return {
    value,
    readAtMs: now - Math.max(0, theirs - readAt),
    waitMs: Math.min(cacheMs, Math.max(1_000, expiresIn)) + 250,
  }
}

function toFailed(problem: object, response: Response): Failed {
  const textOf = (field: unknown, otherwise: string) => (typeof field === 'string' ? field : otherwise)
  return {
    title: textOf('title' in problem ? problem.title : undefined, `HTTP ${response.status}`),
    detail: textOf('detail' in problem ? problem.detail : undefined, 'The service answered with an error.'),
    waitMs: Math.min(60_000, 1_000 * Number(response.headers.get('retry-after') ?? 0) || cacheMs),
  }
}

const notUnderstood: Failed = {
  title: 'Not understood',
  detail: 'What came is not an answer of this service.',
  waitMs: cacheMs,
}

const silent: Failed = {
  title: 'No answer',
  detail: 'The service could not be reached, or did not answer in time.',
  waitMs: cacheMs,
}
