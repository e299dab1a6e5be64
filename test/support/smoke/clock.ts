import type { Clock } from '../../../smoke/client.ts'
import type { Alter, Altered } from './altering-proxy.ts'

/** Creates a clock that only sleeping moves, and that at once. A run takes the same time on it, however slow the machine. */
export function createClock(): Clock {
  let elapsedMs = 0
  return {
    nowMs: () => elapsedMs,
    async sleep(ms) {
      const endMs = elapsedMs + ms
      await Promise.resolve()
      elapsedMs = Math.max(elapsedMs, endMs)
    },
  }
}

/** How a cache differs from that of our stage. */
export interface CacheOptions {
  readonly ttlMs?: number
  /** @param networks an empty text, then the values of the query parameter */
  readonly toKey?: (place: string, networks: readonly string[]) => string
}

/** Creates a stage cache on a clock. It stores every response of the functions, errors too. */
export function createCache(clock: Clock, { ttlMs = 10_000, toKey = toStageKey }: CacheOptions): Alter {
  const entries = new Map<string, { readonly reply: Altered; readonly endsAtMs: number }>()
  return (reply, { method, path }) => {
    const [place = '', query] = path.split('?')
    // A 429 is the gateway's own, which does not pass the cache.
    if (method !== 'GET' || !/^\/price(\/|$)/.test(place) || reply.status === 429) return reply
    const networks = new URLSearchParams(query).getAll('network')
    const key = toKey(place.replace(/\/$/, ''), ['', ...networks])
    const entry = entries.get(key)
    if (entry !== undefined && clock.nowMs() < entry.endsAtMs) return entry.reply
    entries.set(key, { reply, endsAtMs: clock.nowMs() + ttlMs })
    return reply
  }
}

function toStageKey(place: string, networks: readonly string[]): string {
  return `${place} ${networks.at(-1)}`
}
