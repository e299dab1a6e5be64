import type { APIGatewayProxyEvent } from 'aws-lambda'
import type { Reply } from './reply.ts'
import type { Route } from './template/routes.ts'

/** The answers that a stage keeps for a while. */
export interface StageCache {
  /** Finds the answer under a key, unless its time is over. */
  readonly find: (key: string) => Reply | undefined
  /** Keeps an answer, unless it is too large to keep. */
  readonly keep: (key: string, reply: Reply, ttlMs: number) => void
}

/** API Gateway does not keep larger ones. */
const maxReplyBytes = 1_048_576

/** A share of the cluster's half gigabyte that a laptop can spare. */
const maxBytes = 64 * 1_048_576

/** What an entry takes beyond its texts, roughly. */
const entryBytes = 500

/** Creates an empty cache, which forgets its oldest answers when it is full. */
export function createStageCache(): StageCache {
  const entries = new Map<string, { readonly reply: Reply; readonly bytes: number; readonly endsAtMs: number }>()
  let totalBytes = 0

  function forget(key: string): void {
    totalBytes -= entries.get(key)?.bytes ?? 0
    entries.delete(key)
  }

  return {
    find(key) {
      const entry = entries.get(key)
      if (entry === undefined || performance.now() < entry.endsAtMs) return entry?.reply
      forget(key)
      return undefined
    },
    keep(key, reply, ttlMs) {
      const replyBytes = Buffer.byteLength(reply.body) + Buffer.byteLength(reply.headers.join())
      if (replyBytes > maxReplyBytes) return
      forget(key)
      const bytes = replyBytes + Buffer.byteLength(key) + entryBytes
      entries.set(key, { reply, bytes, endsAtMs: performance.now() + ttlMs })
      totalBytes += bytes
      for (const oldest of entries.keys()) {
        if (totalBytes <= maxBytes) break
        forget(oldest)
      }
    },
  }
}

/**
 * Makes the key of an answer: its method, and the request parameters that the template says, as they are handed over.
 *
 * Whatever else tells one answer from another is not in it: a template that forgets a parameter mixes answers.
 */
export function toCacheKey({ resourcePath, httpMethod, integration }: Route, event: APIGatewayProxyEvent): string {
  const parameters = integration.type === 'AWS_PROXY' ? integration.cacheKeyParameters : []
  const values = parameters.map(parameter => {
    const [, , place, name = ''] = parameter.split('.')
    const given = place === 'path' ? event.pathParameters : event.queryStringParameters
    return given !== null && Object.hasOwn(given, name) ? given[name] : null
  })
  return JSON.stringify([httpMethod, resourcePath, ...values])
}
