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

/** What the responses of a route need besides the route's result. */
interface RouteOptions {
  /** The method and path of the route, as the log has them. */
  readonly name: string
  readonly settings: Settings
}

/**
 * Wraps a route with what every response needs: JSON, cache headers, problems, links, CORS, and its line in the log.
 *
 * @param name the method and path of the route, as the log has them
 * @throws {Error} when an environment variable is missing or wrong, which ends the function's start (D32)
 * @example
 * export const handler = createHandler('GET /price', async ({ network }) => {
 *   return { result: { body, readAt }, log: { network } }
 * })
 */
export function createHandler(name: string, route: RouteHandler) {
  const settings = parseSettings(process.env)
  const options = { name, settings }
  // Middy calls `onError` of the last middleware first, so the response exists before CORS adds its headers.
  return middy<ProxyEvent, APIGatewayProxyResult>({
    timeoutEarlyInMillis: earlyResponseMs,
    timeoutEarlyResponse: () => {
      throw new Problem('chain-unavailable')
    },
  })
    .use(httpCors(cors))
    .use(httpProblem(options))
    .handler(async (event, _context, { signal }) => {
      const returned = await route({ ...parseRequest(event), baseUrl: toBaseUrl(event, settings) }, settings)
      // If the early response was sent meanwhile, the request has its line in the log already.
      signal.throwIfAborted()
      return respond(event, returned, options)
    })
}

/**
 * Creates the middleware that turns an error into a response. One that is no `Problem` is logged, and is `internal`.
 */
function httpProblem(options: RouteOptions): middy.MiddlewareObj<ProxyEvent, APIGatewayProxyResult> {
  return {
    onError: request => {
      const { error, event } = request
      if (error instanceof Problem) {
        const network = findNetwork(event)
        request.response = respond(event, { result: error, log: network ? { network } : {} }, options)
      } else {
        console.error({ outcome: 'internal', error: toErrorType(error), frames: toFrames(error) })
        request.response = respond(event, { result: new Problem('internal'), log: {} }, options)
      }
    },
  }
}

/** Creates the response of a request, and writes the request's line in the log. */
function respond(
  event: ProxyEvent,
  { result, log }: RouteResult,
  { name, settings }: RouteOptions,
): APIGatewayProxyResult {
  const isProblem = result instanceof Problem
  const response = isProblem ? toProblemResponse(result) : toSuccessResponse(result)
  const caller: LogFields = event.caller === 'deployment' ? { caller: event.caller } : {}
  logRequest(name, isProblem ? result : undefined, { ...caller, ...log })
  const headers = { ...response.headers, Link: toLink(toBaseUrl(event, settings)) }
  return { ...response, headers, body: event.httpMethod === 'HEAD' ? '' : response.body }
}

function toSuccessResponse({ body, readAt }: Success): APIGatewayProxyResult {
  return {
    statusCode: 200,
    headers: {
      'Content-Type': 'application/json',
      'Cache-Control': cacheControl.price,
      // An HTTP date has whole seconds: this one is rounded down.
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

/**
 * Returns the name of an error's class, or the type of another value that was thrown.
 *
 * Not the error's own `name`, which AWS's client takes from a reply: it may be any text (D25).
 */
function toErrorType(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  const { name } = Object(Object.getPrototypeOf(error).constructor)
  return typeof name === 'string' && /^[A-Z]\w{0,59}$/.test(name) ? name : 'Error'
}

/** Takes an error's stack frames without its message, which may hold any text, even lines that look like frames. */
function toFrames(error: unknown): string[] {
  if (!(error instanceof Error)) return []
  const { message, stack = '' } = error
  if (!stack.includes(message)) return []
  const frames = stack.slice(stack.indexOf(message) + message.length)
  return frames.match(/^ {4}at [\w$#.<>[\] ]*\(?(file:|node:|\/)[\p{L}\p{M}\w./:@%() -]+:\d+:\d+\)?$/gmu) ?? []
}
