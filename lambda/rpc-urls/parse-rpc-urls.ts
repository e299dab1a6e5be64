import { maxRpcUrls } from '../endpoints.ts'

/**
 * The longest beginning of a text that can be the URL of a node: scheme, host, port, path and query.
 *
 * Providers' keys are letters, digits and `-._~`. Another character is a mistake, or separates a second URL, whose key
 * would be sent to the first host. The expression has no flag `u`, with which `i` would also match letters beyond
 * ASCII, such as the long s (U+017F).
 */
const beginning = /^https?:\/\/(([a-z\d.-]+|\[::1\])(:\d+)?(\/[\w.~-]+)*\/?(\?[\w.~=&-]*)?)?/i

/** For people: why a URL is refused, without any part of the URL. */
interface Refusal {
  readonly refusal: string
}

/**
 * Parses RPC URLs, separated by white space or commas alone (D22).
 *
 * @returns the URLs, or why the first invalid one is refused
 */
export function parseRpcUrls(text: string): { readonly rpcUrls: readonly URL[] } | Refusal {
  const entries = text.split(/[\s,]/).filter(entry => entry !== '')
  const parsed = entries.map((entry, index) => parseRpcUrl(entry, `URL ${index + 1}`))
  const rpcUrls = parsed.filter(result => result instanceof URL)
  return parsed.find(result => 'refusal' in result) ?? { rpcUrls }
}

/** @param name the URL's name in the text that states why it is refused */
function parseRpcUrl(entry: string, name: string): URL | Refusal {
  const accepted = beginning.exec(entry)?.[0].length
  if (accepted === undefined)
    return { refusal: `${name} must begin with https://, or with http:// and a loopback host` }
  if (accepted < entry.length) return { refusal: `character ${accepted + 1} of ${name} is not allowed` }
  const rpcUrl = URL.parse(entry)
  if (rpcUrl === null) return { refusal: `${name} has no valid host and port` }
  const isAllowed = rpcUrl.protocol === 'https:' || isLoopback(rpcUrl)
  return isAllowed ? rpcUrl : { refusal: `${name} is http, and its host is not loopback` }
}

/** Whether the host is certainly this machine. */
export function isLoopback({ hostname }: URL): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
}

/** Finds why the functions do not accept this number of URLs in a parameter. Returns undefined if they accept it. */
export function findWrongCount(rpcUrls: readonly URL[]): string | undefined {
  if (rpcUrls.length === 0) return 'it has no URL'
  return rpcUrls.length > maxRpcUrls ? `it has more than ${maxRpcUrls} URLs` : undefined
}
