import dns from 'node:dns'
import type { LookupFunction } from 'node:net'

/** At least one address. Node throws within the callback when it gets none, which would end the process. */
type Addresses = [first: dns.LookupAddress, ...others: dns.LookupAddress[]]

/** By host name: the lookups under way. */
const pending = new Map<string, Promise<Addresses>>()

/**
 * Looks up the addresses of a name, once for all requests that wait for them.
 *
 * Node asks for all addresses when it chooses between them, otherwise for one.
 *
 * An aborted request does not abort its lookup, which occupies a thread until the resolver gives up. The process runs
 * few lookups at once, so many lookups of a name that hangs would delay all others.
 *
 * @see https://nodejs.org/api/dns.html#dnslookup
 */
export const lookup: LookupFunction = (hostname, { all = false }, callback) => {
  const addresses = pending.get(hostname) ?? find(hostname).finally(() => pending.delete(hostname))
  pending.set(hostname, addresses)
  addresses.then(
    found => {
      const [{ address, family }] = found
      if (all) callback(null, found)
      else callback(null, address, family)
    },
    error => callback(error, []),
  )
}

/** The order is set, because an option of Node would change it (`--dns-result-order`). */
async function find(hostname: string): Promise<Addresses> {
  const [first, ...others] = await dns.promises.lookup(hostname, { all: true, order: 'verbatim' })
  if (first === undefined) throw new Error('The name has no address')
  return [first, ...others]
}
