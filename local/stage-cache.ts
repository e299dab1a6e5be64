import type { APIGatewayProxyEvent } from 'aws-lambda'
import type { Reply } from './reply.ts'
import type { Route } from './template/routes.ts'

/** The cached responses of a stage. */
export interface StageCache {
  readonly find: (key: string) => Reply | undefined
  /** Stores a response, unless it is too large. */
  readonly store: (key: string, reply: Reply, ttlMs: number) => void
}

/** @see https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-caching.html */
const maxReplyBytes = 1_048_576

/** Of the cluster's 0.5 GB, as much as a laptop can spare. */
const maxBytes = 64 * 1_048_576

/** The overhead of an entry, roughly. */
const entryBytes = 500

/** Creates an empty cache, which removes its oldest entries when it is full. */
export function createStageCache(nowMs: () => number): StageCache {
  const entries = new Map<string, { readonly reply: Reply; readonly bytes: number; readonly expiresAtMs: number }>()
  let totalBytes = 0

  function remove(key: string): void {
    totalBytes -= entries.get(key)?.bytes ?? 0
    entries.delete(key)
  }

  return {
    find(key) {
      const entry = entries.get(key)
      if (entry === undefined || nowMs() < entry.expiresAtMs) return entry?.reply
      remove(key)
      return undefined
    },
    store(key, reply, ttlMs) {
      const replyBytes = Buffer.byteLength(reply.body) + Buffer.byteLength(reply.headers.join())
      if (replyBytes > maxReplyBytes) return
      remove(key)
      const bytes = replyBytes + Buffer.byteLength(key) + entryBytes
      entries.set(key, { reply, bytes, expiresAtMs: nowMs() + ttlMs })
      totalBytes += bytes
      for (const oldest of entries.keys()) {
        if (totalBytes <= maxBytes) break
        remove(oldest)
      }
    },
  }
}

/**
 * Creates the cache key of a request: its method and the parameters that the template lists.
 *
 * Nothing else is in the key. A template without a necessary parameter mixes responses, as in API Gateway.
 */
export function toCacheKey({ resourcePath, httpMethod, integration }: Route, event: APIGatewayProxyEvent): string {
  const parameters = integration.type === 'AWS_PROXY' ? integration.cacheKeyParameters : []
  const values = parameters.map(parameter => {
    const [, , source, name = ''] = parameter.split('.')
    const given = source === 'path' ? event.pathParameters : event.queryStringParameters
    return given !== null && Object.hasOwn(given, name) ? given[name] : null
  })
  return JSON.stringify([httpMethod, resourcePath, ...values])
}
