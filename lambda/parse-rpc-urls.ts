import { isLoopback, toHost } from './rpc-host.ts'

/**
 * Parses RPC URLs, separated by white space or commas alone (D22).
 *
 * @returns undefined when an entry is anything else than one URL that the functions accept
 */
export function parseRpcUrls(text: string): readonly URL[] | undefined {
  const entries = text.split(/[\s,]/).filter(entry => entry !== '')
  const rpcUrls = entries
    .filter(hasOneScheme)
    .map(entry => URL.parse(entry))
    .filter(isAllowed)
  return rpcUrls.length === entries.length ? rpcUrls : undefined
}

/** Finds why the functions refuse a parameter with these URLs. Returns undefined when they use it. */
export function findRefusal(rpcUrls: readonly URL[], agreement: 1 | 2): string | undefined {
  if (rpcUrls.length === 0) return 'it has no URL'
  if (rpcUrls.length > 3) return 'it has more than three URLs'
  const hosts = new Set(rpcUrls.map(toHost))
  return hosts.size < agreement ? 'its URLs are of one host, and two hosts must agree' : undefined
}

/** A second scheme is another URL, after a separator that is none. The node of the first would be sent its key. */
function hasOneScheme(entry: string): boolean {
  return entry.match(/https?(:|%3a)|(:|%3a)(\/|%2f){2}/gi)?.length === 1
}

/** Whether the functions accept an RPC URL: https, or http with a loopback host; without a user name. */
function isAllowed(rpcUrl: URL | null): rpcUrl is URL {
  if (rpcUrl === null) return false
  const { protocol, username, password } = rpcUrl
  if (username !== '' || password !== '') return false
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(rpcUrl))
}
