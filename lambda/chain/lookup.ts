import dns from 'node:dns'
import type { LookupFunction } from 'node:net'

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
  const addresses = pending.get(hostname) ?? find(hostname).finally(() => pending.delete(hostname))
  pending.set(hostname, addresses)
  addresses.then(
    found => callback(null, found),
    error => callback(error, []),
  )
}

/** Finds at least one address. Node throws within the callback when it gets none, which would end the process. */
async function find(hostname: string): Promise<dns.LookupAddress[]> {
  const addresses = await dns.promises.lookup(hostname, { all: true })
  if (addresses.length === 0) throw new Error('The name has no address')
  return addresses
}
