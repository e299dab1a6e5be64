import type { APIGatewayProxyResult } from 'aws-lambda'
import { freshSeconds } from '../api/headers.ts'
import { type PriceRoute, parameters } from '../api/routes.ts'
import type { ProxyEvent } from '../lambda/handlers/parse-request.ts'
import type { Service } from './service.ts'

/**
 * Invokes handlers through a cache like that of the stage: it stores responses to GET alone, and its key is the
 * parameters of the route (D8, D21).
 */
export function createStageCache(invoke: Service['invoke']) {
  const entries = new Map<string, { readonly result: APIGatewayProxyResult; readonly storedAt: number }>()
  const isFresh = ({ storedAt }: { readonly storedAt: number }) => performance.now() - storedAt < 1_000 * freshSeconds
  return async (route: PriceRoute, event: ProxyEvent): Promise<APIGatewayProxyResult> => {
    if (event.httpMethod !== 'GET') return invoke(route, event)
    for (const [key, entry] of entries) {
      if (!isFresh(entry)) entries.delete(key)
    }
    const key = toCacheKey(route, event)
    const cached = entries.get(key)
    if (cached !== undefined) return cached.result
    const result = await invoke(route, event)
    entries.set(key, { result, storedAt: performance.now() })
    return result
  }
}

function toCacheKey(route: PriceRoute, { queryStringParameters, pathParameters }: ProxyEvent): string {
  const values = route.parameters.map(name => {
    const given = parameters[name].in === 'path' ? pathParameters : queryStringParameters
    return given?.[name] ?? null
  })
  return JSON.stringify([route.path, ...values])
}
