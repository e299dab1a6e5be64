import dns from 'node:dns'
import type { LookupFunction } from 'node:net'

/** Lookups without a result yet, by name. */
const pending = new Map<string, Promise<dns.LookupAddress[]>>()

/**
 * Looks up the addresses of a name, once for all requests that wait for them.
 *
 * An aborted request does not abort its lookup, which occupies a thread until the resolver gives up. The process runs
 * few lookups at once, so many lookups of a name that hangs would delay all others.
 *
 * @see https://nodejs.org/api/dns.html#dnslookup
 */
export const lookup: LookupFunction = (hostname, _options, callback) => {
  const addresses = pending.get(hostname) ?? start(hostname)
  addresses.then(
    found => callback(null, found),
    error => callback(error, []),
  )
}

function start(hostname: string): Promise<dns.LookupAddress[]> {
  const addresses = dns.promises.lookup(hostname, { all: true }).finally(() => pending.delete(hostname))
  pending.set(hostname, addresses)
  return addresses
}
