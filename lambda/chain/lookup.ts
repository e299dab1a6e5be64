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
  const addresses = find(hostname).finally(() => pending.delete(hostname))
  pending.set(hostname, addresses)
  return addresses
}

/** Finds at least one address. Node throws within the callback when it gets none, which would end the process. */
async function find(hostname: string): Promise<dns.LookupAddress[]> {
  const addresses = await dns.promises.lookup(hostname, { all: true })
  if (addresses.length === 0) throw new Error('The name has no address')
  return addresses
}
