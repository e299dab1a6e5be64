import { freshSeconds } from '../../../api/headers.ts'
import { type Network, toQuery } from '../../../api/networks.ts'
import { momentAgo } from './clock.ts'
import type { Failed, Loaded } from './latest.ts'
import { isListOf, parseExactly } from './responses.ts'

/** The API's cache keeps a response for this long after it was stored; also the delay after most failures. */
const cacheMs = 1_000 * freshSeconds

/** The shortest delay. A `Date` that is some seconds ahead may not multiply the requests. */
export const minWaitMs = 5_000

/**
 * The longest delay that a `Retry-After` can cause. The shortest is `cacheMs`: an address above its limit is served
 * again only after it has sent fewer requests.
 */
const maxWaitMs = 60_000

/** The longest time of a request: more than the timeout of the API's functions. */
export const timeoutMs = 12_000

/** The URL of this page, with a slash at the end. The API's routes are below it. */
export const apiUrl = location.origin + location.pathname.replace(/\/?$/, '/')

/** The result of a request, and the delay until the next one can have a newer result. */
interface Requested {
  readonly result: Loaded | Failed
  readonly waitMs: number
}

/** Requests the list. Throws only by a defect of ours, which is no failure of the service. */
export async function requestList(network: Network): Promise<Requested> {
  const received = await receive(`${apiUrl}price${toQuery(network)}`)
  if (received === undefined)
    return toFailure('No response', 'The service could not be reached, or did not respond in time.')
  const { response, text } = received
  const body = parseExactly(text)
  if (!response.ok) return parseProblem(Object(body), response)
  if (!isListOf(network, body)) return toFailure('Unexpected response', 'The response is not what this service sends.')
  // A wrong clock on this machine changes no age.
  const serviceNow = toServiceNow(response.headers) ?? Date.now()
  const sinceReadMs = Math.max(0, serviceNow - Date.parse(body.readAt))
  const localRpcUrl = toLocalRpcUrl(response.headers, network)
  const result = { list: body, readMoment: momentAgo(sinceReadMs), localRpcUrl }
  return { result, waitMs: toWaitMs(sinceReadMs) + 250 }
}

/**
 * Returns the delay until the cache has expired. A response that expired already is of another cache or of a wrong
 * clock: the next one may be too, so it is not requested sooner.
 */
function toWaitMs(sinceReadMs: number): number {
  return sinceReadMs < cacheMs ? Math.max(minWaitMs, cacheMs - sinceReadMs) : cacheMs
}

/** Returns a response with its body, or undefined if there is none, it ends early or takes too long. */
async function receive(url: string): Promise<{ response: Response; text: string } | undefined> {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(), timeoutMs)
  try {
    // The browser's own cache would return an old response with its old Date header, and the age would be wrong.
    const response = await fetch(url, { cache: 'no-store', signal: controller.signal })
    return { response, text: await response.text() }
  } catch {
    return undefined
  } finally {
    clearTimeout(timer)
  }
}

/** Finds the URL of a network in `mainnet=http://127.0.0.1:8545 testnet=http://127.0.0.1:8546`. */
function toLocalRpcUrl(headers: Headers, network: Network): string | undefined {
  const chain = headers
    .get('x-local-chains')
    ?.split(' ')
    .find(chain => chain.startsWith(`${network}=http://`))
  return chain?.slice(network.length + 1)
}

/**
 * Returns the time on the service's clock: the Date header, plus the seconds that a shared cache has kept the response.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9111#section-5.1
 */
function toServiceNow(headers: Headers): number | undefined {
  const date = Date.parse(headers.get('date') ?? '')
  const age = headers.get('age') ?? ''
  return date ? date + 1_000 * Number(/^\d{1,6}$/.test(age) ? age : 0) : undefined
}

/** Parses a problem of the API, or the error of a server between the board and the API, which may be temporary. */
function parseProblem(problem: Readonly<Record<string, unknown>>, { status, headers }: Response): Requested {
  const textOf = (name: string, otherwise: string) => {
    const text = problem[name]
    return typeof text === 'string' && text !== '' ? text.slice(0, 500) : otherwise
  }
  const title = textOf('title', `HTTP ${status}`)
  const detail = textOf('detail', 'The service responded with an error.')
  const retryAfterMs = 1_000 * Number(headers.get('retry-after')) || cacheMs
  return toFailure(title, detail, Math.min(maxWaitMs, Math.max(cacheMs, retryAfterMs)))
}

function toFailure(title: string, detail: string, waitMs = cacheMs): Requested {
  return { result: { title, detail }, waitMs }
}
