import type { Network } from '../../api/networks.ts'
import { failingMs, isWithin, preferenceMs } from '../timing.ts'
import type { Attempt, Endpoint } from './hedge.ts'

/** By network: the RPC URL that is asked first, and since when. Its reading was served in place of others. */
const preferred = new Map<Network, { readonly href: string; readonly since: number }>()

export function prefer(network: Network, { rpcUrl }: Endpoint): void {
  preferred.set(network, { href: rpcUrl.href, since: Date.now() })
}

/** Lists the endpoints of a network: the preferred one first, if there is one, and the others in configured order. */
export function inOrderOfPreference(network: Network, rpcUrls: readonly URL[]): readonly Endpoint[] {
  const endpoints = rpcUrls.map((rpcUrl, index) => ({ rpcUrl, index }))
  const preference = preferred.get(network)
  const isPreferred = ({ rpcUrl }: Endpoint): boolean =>
    preference !== undefined && isWithin(preferenceMs, preference.since) && preference.href === rpcUrl.href
  return [...endpoints.filter(isPreferred), ...endpoints.filter(endpoint => !isPreferred(endpoint))]
}

/**
 * By network and RPC URL: the end of the latest second round in which the endpoint failed. It has returned no reading
 * since.
 *
 * A failure in a first round does not renew the time. If it did, one of two containers at a node that refuses every
 * other request could get nothing but refusals for ever.
 */
const failedAt = new Map<string, number>()

/** Whether an endpoint is asked in no second round (D24). */
export function isFailing(network: Network, endpoint: Endpoint): boolean {
  const at = failedAt.get(toKey(network, endpoint))
  return at !== undefined && isWithin(failingMs, at)
}

/** Remembers whether an endpoint is failing. An attempt that was aborted without a fault changes nothing. */
export function rememberAttempt(network: Network, round: 1 | 2, { endpoint, value, fault }: Attempt<unknown>): void {
  const key = toKey(network, endpoint)
  if (value !== undefined) failedAt.delete(key)
  if (fault !== undefined && round === 2) failedAt.set(key, Date.now())
}

function toKey(network: Network, { rpcUrl }: Endpoint): string {
  return `${network} ${rpcUrl.href}`
}
