/** Whether an RPC URL is of this machine. */
export function isLoopback({ hostname }: URL): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
}

/**
 * Names the host of an RPC URL, so that two URLs of one host have the same name (D29).
 *
 * Neither a port nor a trailing dot makes another host, and an IPv4 address within IPv6 is the IPv4 address. Each port
 * of this machine counts, because several nodes run here.
 *
 * @example
 * toHost(new URL('https://rpc.example.:8443/key')) // rpc.example
 */
export function toHost(rpcUrl: URL): string {
  if (isLoopback(rpcUrl)) return rpcUrl.host
  const mapped = /^\[::ffff:([0-9a-f]+):([0-9a-f]+)\]$/.exec(rpcUrl.hostname)
  if (mapped === null) return rpcUrl.hostname.replace(/\.$/, '')
  const bytes = mapped.slice(1).flatMap(group => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255])
  return bytes.join('.')
}
