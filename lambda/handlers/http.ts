import middy from '@middy/core'
import httpCors from '@middy/http-cors'
import type { APIGatewayProxyResult, Context } from 'aws-lambda'
import { cacheControl, cors, freshSeconds, toLink, toProblemHeaders } from '../../api/headers.ts'
import { Problem } from '../../api/problems.ts'
import { parseSettings, type Settings } from '../settings.ts'
import { earlyResponseMs } from '../timing.ts'
import {
  findNetwork,
  type GatewayRequest,
  parseEvent,
  parseRequest,
  type RouteRequest,
  toBaseUrl,
} from './parse-request.ts'
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

type RouteHandler = (request: RouteRequest, settings: Settings) => Promise<RouteResult>

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
  const handle = middy<GatewayRequest, APIGatewayProxyResult>({
    timeoutEarlyInMillis: earlyResponseMs,
    timeoutEarlyResponse: () => {
      throw new Problem('chain-unavailable')
    },
  })
    .use(httpCors(cors))
    .use(httpProblem(options))
    .handler(async (request, _context, { signal }) => {
      const returned = await route(parseRequest(request, settings), settings)
      // If the early response was sent meanwhile, the request has its line in the log already.
      signal.throwIfAborted()
      return respond(request, returned, options)
    })
  // Middy and its middleware get the parsed request in place of the event, so that they throw for no event.
  return (event: unknown, context: Context) => handle(parseEvent(event), context)
}

/**
 * Creates the middleware that turns an error into a response. One that is no `Problem` is logged, and is `internal`.
 */
function httpProblem(options: RouteOptions): middy.MiddlewareObj<GatewayRequest, APIGatewayProxyResult> {
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
  request: GatewayRequest,
  { result, log }: RouteResult,
  { name, settings }: RouteOptions,
): APIGatewayProxyResult {
  const isProblem = result instanceof Problem
  const response = isProblem ? toProblemResponse(result) : toSuccessResponse(result)
  const caller: LogFields = request.isOfDeployment ? { caller: 'deployment' } : {}
  logRequest(name, isProblem ? result : undefined, { ...caller, ...log })
  const headers = { ...response.headers, Link: toLink(toBaseUrl(request, settings)) }
  return { ...response, headers, body: request.method === 'HEAD' ? '' : response.body }
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
 * Returns the name of an error's class if JavaScript itself has that class, else `Error`; or the type of another value
 * that was thrown.
 *
 * The names of other classes are minified, and could be any text. So could the error's own `name`, which AWS's client
 * takes from a reply (D25).
 */
function toErrorType(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  const { constructor: errorClass } = Object.getPrototypeOf(error)
  const name = errorClass?.name
  return typeof name === 'string' && Reflect.get(globalThis, name) === errorClass ? name : 'Error'
}

/** Takes an error's stack frames without its message, which may hold any text, even lines that look like frames. */
function toFrames(error: unknown): string[] {
  if (!(error instanceof Error)) return []
  const { message, stack = '' } = error
  if (!stack.includes(message)) return []
  const frames = stack.slice(stack.indexOf(message) + message.length)
  return frames.match(/^ {4}at [\w$#.<>[\] ]*\(?(file:|node:|\/)[\p{L}\p{M}\w./:@%() -]+:\d+:\d+\)?$/gmu) ?? []
}
