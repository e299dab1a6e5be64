import middy from '@middy/core'
import httpCors from '@middy/http-cors'
import type { APIGatewayProxyResult, Context } from 'aws-lambda'
import { cacheControl, cors, freshSeconds, toLink, toProblemHeaders } from '../../api/headers.ts'
import { Problem } from '../../api/problems.ts'
import { parseSettings, type Settings } from '../settings.ts'
import { earlyResponseMs } from '../timing.ts'
import { describeError } from './describe-error.ts'
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
  // Middy calls `onError` of the last middleware first, so the response exists before CORS adds its headers.
  const handle = middy<GatewayRequest, APIGatewayProxyResult>({
    timeoutEarlyInMillis: earlyResponseMs,
    timeoutEarlyResponse: () => {
      throw new Problem('chain-unavailable')
    },
  })
    .use(httpCors(cors))
    .use(httpProblem(name, settings))
    .handler(async (request, _context, { signal }) => {
      const returned = await route(parseRequest(request, settings), settings)
      // If the early response was sent meanwhile, the request has its line in the log already.
      signal.throwIfAborted()
      return respond(request, returned, name, settings)
    })
  // Middy and its middleware get the parsed request in place of the event, so that they throw for no event.
  return (event: unknown, context: Context) => handle(parseEvent(event), context)
}

/**
 * Creates the middleware that turns an error into a response. One that is no `Problem` is a bug: it is logged, and is
 * `internal` to the caller.
 */
function httpProblem(name: string, settings: Settings): middy.MiddlewareObj<GatewayRequest, APIGatewayProxyResult> {
  return {
    onError: middyRequest => {
      const { error, event: request } = middyRequest
      if (error instanceof Problem) {
        const network = findNetwork(request)
        const returned = { result: error, log: network ? { network } : {} }
        middyRequest.response = respond(request, returned, name, settings)
      } else {
        console.error({ outcome: 'internal', ...describeError(error) })
        middyRequest.response = respond(request, { result: new Problem('internal'), log: {} }, name, settings)
      }
    },
  }
}

/**
 * Creates the response of a request, and writes the request's line in the log.
 *
 * @param name the method and path of the route, as the log has them
 */
function respond(
  request: GatewayRequest,
  { result, log }: RouteResult,
  name: string,
  settings: Settings,
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
