import { setTimeout as wait } from 'node:timers/promises'
import type { APIGatewayProxyEvent } from 'aws-lambda'
import { EventTooLarge, type Functions } from './functions.ts'
import { type GatewayCase, toGatewayReply } from './gateway-reply.ts'
import type { Log } from './log.ts'
import { type StagePlace, type StageRequest, toProxyEvent } from './proxy-event.ts'
import { MalformedProxyResponse, parseProxyResponse } from './proxy-response.ts'
import type { Reply } from './reply.ts'
import { findRoute } from './routing.ts'
import { createStageCache, toCacheKey } from './stage-cache.ts'
import type { FunctionIntegration } from './template/integration.ts'
import type { Route } from './template/routes.ts'
import type { Template } from './template.ts'
import { createThrottle } from './throttle.ts'
import { FunctionFailed } from './warm-container.ts'

/** The API as deployed: it answers every request. */
export type Stage = (request: StageRequest) => Promise<Reply>

/** Creates the stage of a template, with an empty cache: it routes, throttles, looks into its cache, and asks the integration. */
export function createStage(template: Template, functions: Functions, place: StagePlace, log: Log): Stage {
  const throttles = new Map(template.routes.map(route => [route, createThrottle(route.settings.throttling)]))
  const cache = createStageCache()
  const answer = (kind: GatewayCase): Reply => toGatewayReply(template.gatewayResponses, kind)

  async function integrate({ integration }: Route, event: APIGatewayProxyEvent): Promise<Reply | GatewayCase> {
    if (integration.type === 'AWS_PROXY') return invoke(functions, integration, event, log)
    const { status, headers, body, contentTypes, passesOthers } = integration
    if (contentTypes.includes(toMediaType(event))) return { status, headers: Object.entries(headers), body }
    return passesOthers ? 'API_CONFIGURATION_ERROR' : 'UNSUPPORTED_MEDIA_TYPE'
  }

  async function integrateThroughCache(route: Route, event: APIGatewayProxyEvent, ttlMs: number): Promise<Reply> {
    const key = toCacheKey(route, event)
    const kept = cache.find(key)
    if (kept !== undefined) return withMark(kept, 'hit')
    const reply = await integrate(route, event)
    if (typeof reply === 'string') return withMark(answer(reply), 'miss')
    cache.keep(key, reply, ttlMs)
    return withMark(reply, 'miss')
  }

  return async request => {
    const path = toPathBelow(template.stageName, request.path)
    const found = path === undefined ? undefined : findRoute(template.routes, request.httpMethod, path)
    if (found === undefined) return answer('MISSING_AUTHENTICATION_TOKEN')
    const { route } = found
    if (throttles.get(route)?.() !== true) return answer('THROTTLED')
    const event = toProxyEvent(request, found, place)
    const { cacheTtlMs } = route.settings
    if (template.cacheCluster && cacheTtlMs !== undefined && route.httpMethod === 'GET') {
      return integrateThroughCache(route, event, cacheTtlMs)
    }
    const reply = await integrate(route, event)
    return typeof reply === 'string' ? answer(reply) : reply
  }
}

/** Gives the type of the body that a request announces; API Gateway takes one that announces none for JSON. */
function toMediaType({ headers }: APIGatewayProxyEvent): string {
  const [, announced = ''] = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type') ?? []
  return announced.replace(/;.*/s, '').trim().toLowerCase() || 'application/json'
}

/** Gives what follows the stage's name in a path that begins with it. */
function toPathBelow(stageName: string, path: string): string | undefined {
  const stage = `/${stageName}`
  return path === stage || path.startsWith(`${stage}/`) ? path.slice(stage.length) : undefined
}

/** Asks a function; when its answer comes too late, it runs on alone. */
async function invoke(
  functions: Functions,
  { functionId, timeoutMs }: FunctionIntegration,
  event: APIGatewayProxyEvent,
  log: Log,
): Promise<Reply | GatewayCase> {
  const answered = new AbortController()
  const timedOut = wait(timeoutMs, undefined, { signal: answered.signal }).catch(() => undefined)
  try {
    const payload = await Promise.race([functions.invoke(functionId, event), timedOut])
    if (payload !== undefined) return parseProxyResponse(payload)
    log({ source: 'gateway', level: 'error', text: `${functionId} gave no answer within ${timeoutMs / 1_000} s.` })
    return 'INTEGRATION_TIMEOUT'
  } catch (error) {
    if (error instanceof EventTooLarge) return 'REQUEST_TOO_LARGE'
    // What a function's failure is about, the function itself has logged.
    if (error instanceof MalformedProxyResponse) log({ source: 'gateway', level: 'error', text: error.message })
    else if (!(error instanceof FunctionFailed)) throw error
    return 'INTEGRATION_FAILURE'
  } finally {
    answered.abort()
  }
}

/** Marks a cached method's answer with what its cache had, which AWS tells in its metrics alone. */
function withMark({ status, headers, body }: Reply, mark: 'hit' | 'miss'): Reply {
  return { status, headers: [...headers, ['X-Local-Cache', mark]], body }
}
