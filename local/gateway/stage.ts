import { setTimeout as sleep } from 'node:timers/promises'
import { FunctionFailed } from '../functions/container.ts'
import type { Functions } from '../functions/runtime.ts'
import type { Log } from '../log.ts'
import type { GatewayReply, GatewayResponses } from '../template/responses.ts'
import type { FunctionIntegration, Route } from '../template/routes.ts'
import type { Template } from '../template/template.ts'
import { type ProxyEvent, type StageAddress, type StageRequest, toProxyEvent } from './proxy-event.ts'
import { MalformedProxyResponse, parseProxyResponse } from './proxy-response.ts'
import { findRoute } from './routing.ts'
import { createStageCache, toCacheKey } from './stage-cache.ts'

/** Responds to a request as the deployed API does. */
export type Stage = (request: StageRequest) => Promise<GatewayReply>

/** A response to a request that was routed, and whether the cache may store it: not if it is the gateway's own. */
interface Integrated {
  readonly reply: GatewayReply
  readonly isCacheable: boolean
}

interface StageOptions {
  readonly template: Template
  readonly functions: Functions
  readonly address: StageAddress
  readonly log: Log
  /** The clock of the cache and of throttling. */
  readonly nowMs: () => number
}

/** Creates the stage of a template: routing, throttling, an empty cache, and integrations. */
export function createStage({ template, functions, address, log, nowMs }: StageOptions): Stage {
  const throttles = new Map(template.routes.map(route => [route, createThrottle(route.settings.throttling, nowMs)]))
  const cache = createStageCache(nowMs)
  const baseUrl = `http://${address.domainName}/${address.stageName}`
  const toLocal = (reply: GatewayReply) => replaceUrl(reply, template.baseUrl, baseUrl)
  const respond = (type: keyof GatewayResponses) => toLocal(template.gatewayResponses[type])

  async function integrate({ integration }: Route, event: ProxyEvent): Promise<Integrated> {
    if (integration.type === 'AWS_PROXY') return invoke(integration, event, { functions, log, respond })
    if (toMediaType(event) === 'application/json') return { reply: toLocal(integration.reply), isCacheable: true }
    return { reply: respond('UNSUPPORTED_MEDIA_TYPE'), isCacheable: false }
  }

  async function integrateThroughCache(route: Route, event: ProxyEvent, ttlMs: number): Promise<GatewayReply> {
    const key = toCacheKey(route, event)
    const cached = cache.find(key)
    if (cached !== undefined) return addCacheHeader(cached, 'hit')
    const { reply, isCacheable } = await integrate(route, event)
    if (isCacheable) cache.store(key, reply, ttlMs)
    return addCacheHeader(reply, 'miss')
  }

  return async request => {
    const path = toPathBelow(template.stageName, request.path)
    const match = path === undefined ? undefined : findRoute(template.routes, request.httpMethod, path)
    if (match === undefined) return respond('MISSING_AUTHENTICATION_TOKEN')
    const { route } = match
    if (throttles.get(route)?.() !== true) return respond('THROTTLED')
    const event = toProxyEvent(request, match, address)
    const { cacheTtlMs } = route.settings
    if (template.cacheCluster && cacheTtlMs !== undefined) return integrateThroughCache(route, event, cacheTtlMs)
    return (await integrate(route, event)).reply
  }
}

/** Replaces the URL of the deployment in a response of the template. */
function replaceUrl({ status, headers, body }: GatewayReply, deployed: string, local: string): GatewayReply {
  return {
    status,
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, value.replaceAll(deployed, local)]),
    ),
    body: body.replaceAll(deployed, local),
  }
}

/** Returns the request's content type without parameters. API Gateway assumes JSON when there is none. */
function toMediaType({ headers }: ProxyEvent): string {
  const [, value = ''] = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type') ?? []
  return value.replace(/;.*/s, '').trim().toLowerCase() || 'application/json'
}

/** Returns the path below the stage, or undefined for a path outside of it. */
function toPathBelow(stageName: string, path: string): string | undefined {
  const stage = `/${stageName}`
  return path === stage || path.startsWith(`${stage}/`) ? path.slice(stage.length) : undefined
}

/**
 * Invokes a function. After the integration's timeout, the function continues, but its result is not used.
 *
 * @param respond returns the gateway's own response, for a function that failed or timed out
 */
async function invoke(
  { functionId, timeoutMs }: FunctionIntegration,
  event: ProxyEvent,
  {
    functions,
    log,
    respond,
  }: Pick<StageOptions, 'functions' | 'log'> & { respond(type: keyof GatewayResponses): GatewayReply },
): Promise<Integrated> {
  const finished = new AbortController()
  const timedOut = sleep(timeoutMs, undefined, { signal: finished.signal }).catch(() => undefined)
  try {
    const payload = await Promise.race([functions.invoke(functionId, event), timedOut])
    if (payload !== undefined) return { reply: parseProxyResponse(payload), isCacheable: true }
    log({ source: 'gateway', level: 'error', text: `${functionId} did not return within ${timeoutMs / 1_000} s.` })
    return { reply: respond('INTEGRATION_TIMEOUT'), isCacheable: false }
  } catch (error) {
    // The runtime has already logged a FunctionFailed.
    if (error instanceof MalformedProxyResponse) log({ source: 'gateway', level: 'error', text: error.message })
    else if (!(error instanceof FunctionFailed)) throw error
    return { reply: respond('INTEGRATION_FAILURE'), isCacheable: false }
  } finally {
    finished.abort()
  }
}

/** Adds a header with what AWS reports in its metrics only. */
function addCacheHeader({ status, headers, body }: GatewayReply, result: 'hit' | 'miss'): GatewayReply {
  return { status, headers: { ...headers, 'X-Local-Cache': result }, body }
}

/**
 * Creates a token bucket, full at first. Each request takes one token; time adds tokens up to the burst.
 *
 * @returns a function that takes a token, or returns false when there is none
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-request-throttling.html
 */
function createThrottle(
  { requestsPerSecond, burst }: { readonly requestsPerSecond: number; readonly burst: number },
  nowMs: () => number,
): () => boolean {
  let tokens = burst
  let countedAtMs = nowMs()
  return () => {
    const atMs = nowMs()
    tokens = Math.min(burst, tokens + ((atMs - countedAtMs) / 1_000) * requestsPerSecond)
    countedAtMs = atMs
    if (tokens < 1) return false
    tokens -= 1
    return true
  }
}
