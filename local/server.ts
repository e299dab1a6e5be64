import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, isIPv6 } from 'node:net'
import { networkInterfaces } from 'node:os'
import { gatewayBodies } from '../api/gateway-bodies.ts'
import { corsHeaders, preflight, toLink, toProblemHeaders } from '../api/headers.ts'
import { Problem } from '../api/problems.ts'
import { findRoute, stageName } from '../api/routes.ts'
import { exampleBaseUrl } from '../api/schemas/openapi.ts'
import { StartFailure } from './run-command.ts'
import type { Service } from './service.ts'
import { createStageCache } from './stage-cache.ts'

export interface Server {
  /** The URL above the routes: `http://127.0.0.1:3000/v1`. */
  readonly baseUrl: string
  /** Closes the server and all its connections at once. */
  readonly stop: () => Promise<void>
}

export interface ServerOptions extends Pick<Service, 'chains' | 'invoke'> {
  readonly host: string
  /** The port at which the server listens; 0 for any free port. */
  readonly port: number
  readonly logRequest?: (line: string) => void
}

interface Response {
  readonly status: number
  readonly headers: Readonly<Record<string, string | number | boolean>>
  readonly body?: string
}

/**
 * Serves the API as API Gateway does, by the same tables: prices with their cache, documents, preflights, and a problem
 * for all else below the stage.
 *
 * The documents are built before it listens: if they cannot be built, there is no server to stop.
 *
 * @throws {StartFailure} when it cannot listen: `EADDRINUSE`, `EACCES`, `ENOTFOUND`
 * @example
 * const server = await startServer({ ...service, host: '127.0.0.1', port: 0 })
 * await fetch(`${server.baseUrl}/price/CRWD`)
 */
export async function startServer({ chains, invoke, host, port, logRequest }: ServerOptions): Promise<Server> {
  const { buildDocuments } = await import('../pages/documents.ts')
  const documents = new Map(buildDocuments(`/${stageName}`).map(document => [document.path, document]))
  const server = createServer().listen(port, host)
  // Idle connections have no time limit, because AWS documents none for API Gateway. After Node's default of 5 s, a
  // client of the same blocked process sends a request on a connection that is about to close:
  // https://github.com/nodejs/node/issues/52649
  server.keepAliveTimeout = 0
  await once(server, 'listening').catch((error: unknown) => {
    if (!(error instanceof Error)) throw error
    throw new StartFailure(`${error.message}. Choose another with --host or --port; --port 0 is any free one.`)
  })
  const domainName = toDomainName(server.address())
  const baseUrl = `http://${domainName}/${stageName}`
  const invokeCached = createStageCache(invoke)
  // Every response names the local chains, because their prices are invented (D28).
  const localChains = Object.entries(chains).map(([network, { rpcUrl }]) => `${network}=${rpcUrl}`)

  async function respond({ method = '', url = '', headers: requested }: IncomingMessage): Promise<Response> {
    const { path, query } = parseTarget(url)
    if (path === '/') return { status: 307, headers: { Location: `/${stageName}/${query && `?${query}`}` } }
    if (path !== `/${stageName}` && !path.startsWith(`/${stageName}/`))
      return { status: 404, headers: { 'Content-Type': 'text/plain' }, body: `The base URL is ${baseUrl}\n` }
    const match = findRoute(path.slice(stageName.length + 1))
    if (match === undefined || !['GET', 'HEAD', 'OPTIONS'].includes(method))
      return toProblem(new Problem('unknown-route').body, baseUrl)
    const { route, pathParameters } = match
    if ('handler' in route && method !== 'OPTIONS') {
      const requestContext = { domainName, stage: stageName }
      const event = { httpMethod: method, queryStringParameters: parseQuery(query), pathParameters, requestContext }
      const { statusCode: status, headers = {}, body } = await invokeCached(route, event)
      return { status, headers, body }
    }
    if (!isJson(requested['content-type'])) return toProblem(gatewayBodies.unsupportedMediaType, baseUrl)
    if (method === 'OPTIONS') return { status: 204, headers: preflight }
    const document = documents.get(route.path)
    if (document === undefined) throw new RangeError(`There is no document ${route.path}.`)
    const body = document.body.replaceAll(exampleBaseUrl, baseUrl)
    return { status: 200, headers: document.headers, ...(method === 'GET' && { body }) }
  }

  const fail = (error: unknown) => {
    console.error(error)
    return toProblem(new Problem('internal').body, baseUrl)
  }
  server.on('request', async (request, response) => {
    const beganAt = performance.now()
    response.on('finish', () => {
      const tookMs = Math.round(performance.now() - beganAt)
      logRequest?.(`${request.method} ${request.url} ${response.statusCode}, ${tookMs} ms`)
    })
    if (localChains.length > 0) response.setHeader('X-Local-Chains', localChains.toSorted().join(' '))
    send(response, await respond(request).catch(fail))
  })
  return {
    baseUrl,
    async stop() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

/**
 * Splits a request's target. One in absolute form, `http://HOST/v1/docs`, has an authority, which is ignored (D8).
 *
 * @see https://www.rfc-editor.org/rfc/rfc9112#section-3.2.2
 */
function parseTarget(target: string): { readonly path: string; readonly query: string } {
  const [, path, query = ''] = /^(?:https?:\/\/[^/?]*)?([^?]*)\??(.*)$/is.exec(target) ?? []
  return { path: path || '/', query }
}

/** Parses a query. The last of repeated parameters counts. A semicolon separates them too, as it may in API Gateway. */
function parseQuery(query: string): Record<string, string> | null {
  // `URLSearchParams` removes the first question mark, which is not part of the query.
  const given = new URLSearchParams(`?${query.replaceAll(';', '&')}`)
  return given.size === 0 ? null : Object.fromEntries(given)
}

/** Whether a request has no media type but JSON. Without a header, API Gateway assumes JSON. */
function isJson(contentType = 'application/json'): boolean {
  return contentType.replace(/;.*/, '').trim().toLowerCase() === 'application/json'
}

function toProblem(body: { readonly status: number }, baseUrl: string): Response {
  const headers = { ...corsHeaders, ...toProblemHeaders(undefined), Link: toLink(baseUrl) }
  return { status: body.status, headers, body: JSON.stringify(body) }
}

function send(response: ServerResponse, { status, headers, body }: Response): void {
  response.setHeader('x-amzn-RequestId', randomUUID())
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, String(value))
  response.statusCode = status
  // The response has the header `Content-Length`, as at API Gateway. After `writeHead`, Node would omit it.
  response.end(body)
}

/**
 * Returns an address and port that reach the server. If it listens at every address, these are the ones that another
 * machine uses.
 *
 * The only name is `localhost`: for any other name, the functions would assume the deployed gateway, with https.
 */
function toDomainName(bound: AddressInfo | string | null): string {
  if (bound === null || typeof bound === 'string') throw new Error('The server has no port.')
  const { address, port } = bound
  if (['0.0.0.0', '::'].includes(address)) return `${findExternalAddress() ?? 'localhost'}:${port}`
  return isIPv6(address) ? `[${address}]:${port}` : `${address}:${port}`
}

function findExternalAddress(): string | undefined {
  const interfaces = Object.values(networkInterfaces()).flatMap(addresses => addresses ?? [])
  return interfaces.find(({ family, internal }) => family === 'IPv4' && !internal)?.address
}
