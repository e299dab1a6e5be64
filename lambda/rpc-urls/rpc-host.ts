/** Whether the host of an RPC URL is certainly this machine. */
export function isLoopback({ hostname }: URL): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
}

/**
 * Names the host of an RPC URL, so that two URLs of one host have the same name (D29).
 *
 * Neither a port nor a trailing dot makes another host. All names of this machine are one host. Each of its ports counts,
 * because several nodes run here.
 *
 * @example
 * toHost(new URL('https://rpc.example.:8443/key')) // rpc.example
 */
export function toHost(rpcUrl: URL): string {
  const name = rpcUrl.hostname.replace(/\.$/, '')
  // A resolver may know subdomains of `localhost` as this machine, and the address of no interface connects to it.
  const isThisMachine = isLoopback(rpcUrl) || /(^|\.)localhost$|^0\.0\.0\.0$/.test(name)
  return isThisMachine ? `localhost:${rpcUrl.port || (rpcUrl.protocol === 'https:' ? 443 : 80)}` : name
}
