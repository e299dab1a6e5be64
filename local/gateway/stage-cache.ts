import type { GatewayReply } from '../template/responses.ts'
import type { Route } from '../template/routes.ts'
import type { ProxyEvent } from './proxy-event.ts'

/** The cached responses of a stage. */
export interface StageCache {
  readonly find: (key: string) => GatewayReply | undefined
  readonly store: (key: string, reply: GatewayReply, ttlMs: number) => void
}

/** Creates an empty cache. It keeps no response that has expired, so throttling limits its size. */
export function createStageCache(nowMs: () => number): StageCache {
  const entries = new Map<string, { readonly reply: GatewayReply; readonly expiresAtMs: number }>()
  const removeExpired = () => {
    for (const [key, { expiresAtMs }] of entries) if (expiresAtMs <= nowMs()) entries.delete(key)
  }
  return {
    find(key) {
      removeExpired()
      return entries.get(key)?.reply
    },
    store(key, reply, ttlMs) {
      entries.set(key, { reply, expiresAtMs: nowMs() + ttlMs })
    },
  }
}

/**
 * Creates the cache key of a request: its method and the parameters that the template lists.
 *
 * Nothing else is in the key. A template without a necessary parameter mixes responses, as in API Gateway.
 */
export function toCacheKey({ resourcePath, httpMethod, integration }: Route, event: ProxyEvent): string {
  const parameters = integration.type === 'AWS_PROXY' ? integration.cacheKeyParameters : []
  const values = parameters.map(parameter => {
    const [, , source, name = ''] = parameter.split('.')
    const given = source === 'path' ? event.pathParameters : event.queryStringParameters
    return given !== null && Object.hasOwn(given, name) ? given[name] : null
  })
  return JSON.stringify([httpMethod, resourcePath, ...values])
}
