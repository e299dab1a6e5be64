import { freshSeconds } from '../../../api/headers.ts'
import type { ProblemDocument } from '../../../api/problems.ts'
import { momentAgo } from './clock.ts'
import type { Failed, Loaded } from './latest.ts'
import { parseExactly, UnexpectedValue } from './responses.ts'

/** The API's cache keeps a response for this long after it was stored; also the delay after most failures. */
const cacheMs = 1_000 * freshSeconds

/** The longest delay that a `Retry-After` can cause. */
const maxWaitMs = 60_000

/** Longer than the API's own deadline, which is at most 10 seconds. */
const timeoutMs = 12_000

/** The one problem that stays, whatever time passes. */
const unknownSymbol: ProblemDocument['type'] = 'urn:problem-type:price-lookup:unknown-symbol'

/** The URL of this page, with a slash at the end. The API's routes are below it. */
export const apiUrl = location.origin + location.pathname.replace(/\/?$/, '/')

/**
 * Requests a value.
 *
 * @param parse throws {@link UnexpectedValue} if the response is not the value. Every other error is a defect of ours.
 */
export async function requestApi<Value extends { readonly readAt: string }>(
  path: string,
  parse: (response: unknown) => Value,
  signal: AbortSignal,
): Promise<Loaded<Value> | Failed> {
  const received = await receive(apiUrl + path, signal)
  if (received === undefined)
    return toFailure('No response', 'The service could not be reached, or did not respond in time.')
  const { response, text } = received
  const parsed = parseOrUndefined(() => parseExactly(text))
  if (!response.ok) return parseProblem(Object(parsed), response)
  const value = parseOrUndefined(() => parse(parsed))
  if (value !== undefined) return toLoaded(value, response.headers)
  return toFailure('Unexpected response', 'The response is not what this service sends.')
}

/** Returns a response with its body, or undefined if there is none, it ends early or takes too long. */
async function receive(url: string, signal: AbortSignal): Promise<{ response: Response; text: string } | undefined> {
  const controller = new AbortController()
  const abort = () => controller.abort()
  const timer = setTimeout(abort, timeoutMs)
  signal.addEventListener('abort', abort)
  try {
    // The browser's own cache would return an old response with its old Date header, and the age would be wrong.
    const response = await fetch(url, { cache: 'no-store', signal: controller.signal })
    return { response, text: await response.text() }
  } catch {
    return undefined
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
  }
}

function parseOrUndefined<Value>(parse: () => Value): Value | undefined {
  try {
    return parse()
  } catch (error) {
    if (error instanceof UnexpectedValue || error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Compares `readAt` with the service's own clock, so that a wrong clock on this machine changes no age. */
function toLoaded<Value extends { readonly readAt: string }>(value: Value, headers: Headers): Loaded<Value> {
  const serviceNowMs = toServiceNowMs(headers) ?? Date.now()
  const readAtMs = Date.parse(value.readAt)
  const expiresInMs = (Date.parse(headers.get('expires') ?? '') || readAtMs + cacheMs) - serviceNowMs
  return {
    value,
    readMoment: momentAgo(Math.max(0, serviceNowMs - readAtMs)),
    // An `Expires` in the past or far in the future is not of the API.
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

/** Parses a problem of the API, or the error of something between the board and the API, which can pass. */
function parseProblem(problem: Readonly<Record<string, unknown>>, { status, headers }: Response): Failed {
  const textOf = (name: string, otherwise: string) => {
    const text = problem[name]
    return typeof text === 'string' && text !== '' ? text.slice(0, 500) : otherwise
  }
  const title = textOf('title', `HTTP ${status}`)
  const detail = textOf('detail', 'The service responded with an error.')
  const retryAfterMs = 1_000 * Number(headers.get('retry-after')) || cacheMs
  const waitMs = Math.min(maxWaitMs, Math.max(1_000, retryAfterMs))
  return { ...toFailure(title, detail, waitMs), isPermanent: status === 404 && problem['type'] === unknownSymbol }
}

/** A failure that can pass. */
function toFailure(title: string, detail: string, waitMs = cacheMs): Failed {
  return { title, detail, waitMs, nextAttempt: new Date(Date.now() + waitMs), isPermanent: false }
}
