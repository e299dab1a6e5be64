import middy from '@middy/core'
import httpCors from '@middy/http-cors'
import type { APIGatewayProxyResult } from 'aws-lambda'
import { cacheControl, cors, freshSeconds, toLink, toProblemHeaders } from '../../api/headers.ts'
import { Problem } from '../../api/problems.ts'
import { parseSettings, type Settings } from '../settings.ts'
import { earlyResponseMs } from '../timing.ts'
import { findNetwork, type ProxyEvent, parseRequest, type RouteRequest, toBaseUrl } from './parse-request.ts'
import { type LogFields, logRequest } from './request-log.ts'

/** What a route returns on success: the body, and when the chain was read for it. */
export interface Success {
  readonly body: object
  readonly readAt: Date
}

export interface RouteResult {
  readonly result: Success | Problem
  readonly log: LogFields
}

type RouteHandler = (request: RouteRequest & { readonly baseUrl: string }, settings: Settings) => Promise<RouteResult>

/**
 * Wraps a route with what every response needs: JSON, cache headers, problems, links, CORS, and its line in the log.
 *
 * Middy runs `onError` last to first, so the response exists before CORS adds its header.
 *
 * @throws {Error} when an environment variable is missing or wrong, which ends the function's start (D32)
 * @example
 * export const handler = createHandler('GET /price', async ({ network }) => ({ result: { body, readAt }, log: { network } }))
 */
export function createHandler(name: string, route: RouteHandler) {
  const settings = parseSettings(process.env)
  const respond = (event: ProxyEvent, { result, log }: RouteResult): APIGatewayProxyResult => {
    const response = result instanceof Problem ? toProblemResponse(result) : toSuccessResponse(result)
    const caller: LogFields = event.caller === 'deployment' ? { caller: event.caller } : {}
    logRequest(name, result instanceof Problem ? result : undefined, { ...caller, ...log })
    const headers = { ...response.headers, Link: toLink(toBaseUrl(event, settings)) }
    return { ...response, headers, body: event.httpMethod === 'HEAD' ? '' : response.body }
  }
  return middy<ProxyEvent, APIGatewayProxyResult>({
    timeoutEarlyInMillis: earlyResponseMs,
    timeoutEarlyResponse: () => {
      throw new Problem('chain-unavailable')
    },
  })
    .use(httpCors(cors))
    .use({
      onError: request => {
        const { error, event } = request
        if (!(error instanceof Problem)) console.error({ outcome: 'internal', frames: toFrames(error) })
        const network = error instanceof Problem ? findNetwork(event) : undefined
        const result = error instanceof Problem ? error : new Problem('internal')
        request.response = respond(event, { result, log: network ? { network } : {} })
      },
    })
    .handler(async (event, _context, { signal }) => {
      const returned = await route({ ...parseRequest(event), baseUrl: toBaseUrl(event, settings) }, settings)
      // A route that ends after the early response has its line in the log already.
      signal.throwIfAborted()
      return respond(event, returned)
    })
}

function toSuccessResponse({ body, readAt }: Success): APIGatewayProxyResult {
  return {
    statusCode: 200,
    headers: {
      'Content-Type': 'application/json',
      'Cache-Control': cacheControl.price,
      // An HTTP date has whole seconds. It is rounded down.
      Expires: new Date(readAt.getTime() + 1_000 * freshSeconds).toUTCString(),
    },
    body: JSON.stringify(body),
  }
}

function toProblemResponse({ body, retryAfterSeconds }: Problem): APIGatewayProxyResult {
  return {
    statusCode: body.status,
    headers: toProblemHeaders(retryAfterSeconds),
    body: JSON.stringify(body),
  }
}

/** Takes an error's stack frames without its message, which may hold any text, even lines that look like frames. */
function toFrames(error: unknown): string[] {
  if (!(error instanceof Error)) return []
  const { message, stack = '' } = error
  if (!stack.includes(message)) return []
  const frames = stack.slice(stack.indexOf(message) + message.length)
  return frames.match(/^ {4}at [\w$#.<>[\] ]*\(?(file:|node:|\/)[\p{L}\p{M}\w./:@%() -]+:\d+:\d+\)?$/gmu) ?? []
}
