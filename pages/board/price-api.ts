import { freshSeconds } from '../../api/headers.ts'
import type { Failed, Loaded } from './latest.ts'
import { parseExactly } from './price-response.ts'

/** The API's cache keeps a response for this long after it was stored; also the delay after most failures. */
const cacheMs = 1_000 * freshSeconds

/** Longer than the API's own deadline, which is at most 10 seconds. */
const timeoutMs = 12_000

/** The URL of this page, with a slash at the end. The API's routes are below it. */
export const apiUrl = location.origin + location.pathname.replace(/\/?$/, '/')

/** Requests a value that has a `readAt`. Never rejects. */
export async function requestApi<value extends { readonly readAt: string }>(
  path: string,
  signal: AbortSignal,
): Promise<Loaded<value> | Failed> {
  try {
    const timeLimit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
    // The browser's own cache would return an old response with its old Date header, and the age would be wrong.
    const response = await fetch(apiUrl + path, { cache: 'no-store', signal: timeLimit })
    const parsed = parseOrUndefined(await response.text())
    if (!response.ok) return parseProblem(Object(parsed), response)
    return isRead<value>(parsed)
      ? toLoaded(parsed, response.headers)
      : toFailure('Unexpected response', 'The response is not from this service.')
  } catch {
    return toFailure('No response', 'The service could not be reached, or did not respond in time.')
  }
}

/** Whether a response is a price or a list: a page of a proxy has no `readAt`. */
function isRead<value extends { readonly readAt: string }>(parsed: unknown): parsed is value {
  return typeof parsed === 'object' && parsed !== null && 'readAt' in parsed
}

function parseOrUndefined(text: string): unknown {
  try {
    return parseExactly(text)
  } catch {
    return undefined
  }
}

/** Compares `readAt` with the service's own clock, so that a wrong clock on this machine changes no age. */
function toLoaded<value extends { readonly readAt: string }>(value: value, headers: Headers): Loaded<value> {
  const nowMs = Date.now()
  const serviceNowMs = toServiceNowMs(headers) ?? nowMs
  const readAtMs = Date.parse(value.readAt) || serviceNowMs
  const expiresInMs = (Date.parse(headers.get('expires') ?? '') || readAtMs + cacheMs) - serviceNowMs
  return {
    value,
    readAtMs: nowMs - Math.max(0, serviceNowMs - readAtMs),
    waitMs: Math.min(cacheMs, Math.max(1_000, expiresInMs)) + 250,
    localChains: toLocalChains(headers),
  }
}

/** Parses `mainnet=http://127.0.0.1:8545 testnet=http://127.0.0.1:8546`. */
function toLocalChains(headers: Headers): ReadonlyMap<string, string> {
  const matches = headers.get('x-local-chains')?.matchAll(/(\w+)=(http:\/\/[\w.:]+)/g) ?? []
  return new Map(Array.from(matches, ([, network = '', rpcUrl = '']) => [network, rpcUrl]))
}

/**
 * Returns the time on the service's clock: the Date header, plus the seconds that a shared cache has kept the response.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9111#section-5.1
 */
function toServiceNowMs(headers: Headers): number | undefined {
  const dateMs = Date.parse(headers.get('date') ?? '')
  const age = headers.get('age') ?? ''
  return dateMs ? dateMs + 1_000 * Number(/^\d{1,6}$/.test(age) ? age : 0) : undefined
}

/** Parses a problem of the API, or the error of something between the board and the API. */
function parseProblem(parsed: object, { status, headers }: Response): Failed {
  const fields = new Map<string, unknown>(Object.entries(parsed))
  const textOf = (name: string, otherwise: string) => {
    const field = fields.get(name)
    return typeof field === 'string' ? field : otherwise
  }
  // A 4xx from a proxy or a firewall can pass. One from the API does not, except for 429.
  const isFromApi = textOf('type', '').startsWith('urn:problem-type:price-lookup:')
  return {
    ...toFailure(textOf('title', `HTTP ${status}`), textOf('detail', 'The service responded with an error.')),
    waitMs: Math.min(60_000, Math.max(0, 1_000 * Number(headers.get('retry-after') ?? 0)) || cacheMs),
    isThrottled: status === 429,
    isPermanent: isFromApi && status >= 400 && status < 500 && status !== 429,
  }
}

/** A failure that can pass. */
function toFailure(title: string, detail: string): Failed {
  return { title, detail, waitMs: cacheMs, isThrottled: false, failedAtMs: Date.now(), isPermanent: false }
}
