import middy from '@middy/core'
import httpCors from '@middy/http-cors'
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda'
import { type Network, networks } from '../feeds/registry.ts'
import { ChainUnavailable, Internal, Problem, UnknownNetwork } from '../problems.ts'
import { logRequest, type Notes } from './request-log.ts'

/** What a route answers: the body, and when the chain was read for it. */
export interface Answer {
  readonly body: object
  readonly readAt: Date
}

/** How long a success may be shown after the chain was read for it (D21). */
const shownMs = 10_000

/** Kept of the function's time, so that a problem is answered before Lambda would end it. */
const spareMs = 300

/** A route's own work; it notes what it learns, for the log. */
type Route = (event: APIGatewayProxyEvent, context: Context, notes: Notes) => Promise<Answer>

/**
 * Wraps a route with what every answer needs: JSON, cache headers, problems, CORS, and its line in the log.
 *
 * Middy runs `after` and `onError` last to first, so the problem exists before CORS decorates it.
 */
export function createHandler(name: string, route: Route) {
  // By the invocation's context, so that a line can be written also for a route that is given up half-way.
  const noted = new WeakMap<Context, Notes>()
  return middy<APIGatewayProxyEvent, APIGatewayProxyResult>({
    timeoutEarlyInMillis: spareMs,
    timeoutEarlyResponse: () => {
      throw new ChainUnavailable([])
    },
  })
    .use(httpCors({ origin: '*' }))
    .use({
      after: ({ context }) => logRequest(name, undefined, noted.get(context) ?? {}),
      onError: request => {
        const problem = toProblem(request.error)
        logRequest(name, problem, noted.get(request.context) ?? {})
        request.response = toProblemResponse(problem)
      },
    })
    .handler(async (event, context) => {
      const notes: Notes = {}
      noted.set(context, notes)
      return toSuccess(await route(event, context, notes))
    })
}

/**
 * Parses the network that a request asks for (D6).
 *
 * @throws {UnknownNetwork} for anything but a network's name.
 */
export function parseNetwork({ queryStringParameters }: APIGatewayProxyEvent): Network {
  const text = queryStringParameters?.['network'] || 'mainnet'
  const network = networks.find(name => name === text)
  if (network === undefined) throw new UnknownNetwork()
  return network
}

function toSuccess({ body, readAt }: Answer): APIGatewayProxyResult {
  return {
    statusCode: 200,
    headers: {
      'Content-Type': 'application/json',
      'Cache-Control': 'public, must-revalidate',
      // An HTTP date has whole seconds, rounded down: never later than it may be.
      Expires: new Date(readAt.getTime() + shownMs).toUTCString(),
    },
    body: JSON.stringify(body),
  }
}

function toProblemResponse({ document, retryAfterSeconds }: Problem): APIGatewayProxyResult {
  return {
    statusCode: document.status,
    headers: {
      'Content-Type': 'application/problem+json',
      'Cache-Control': 'no-store',
      ...(retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) }),
    },
    body: JSON.stringify(document),
  }
}

function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  console.error({ outcome: 'internal', frames: error instanceof Error ? toFrames(error) : [] })
  return new Internal()
}

/** Tells where an error happened, and nothing that it says: a message may hold anything, lines that look like a place too. */
function toFrames({ message, stack = '' }: Error): string[] {
  if (!stack.includes(message)) return []
  const places = stack.slice(stack.indexOf(message) + message.length)
  return places.match(/^ {4}at [\w$#.<>[\] ]*\(?(file:|node:|\/)[\w./:@-]+\)?$/gm) ?? []
}
