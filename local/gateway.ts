import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Functions } from './functions.ts'
import { toGatewayReply } from './gateway-reply.ts'
import { type Log, reportProblems } from './log.ts'
import type { StageRequest } from './proxy-event.ts'
import type { Header, Reply } from './reply.ts'
import { createStage, type Stage } from './stage.ts'
import type { Template } from './template.ts'

/** A running API. */
export interface Gateway {
  /** Its address, `http://127.0.0.1:3000`. */
  readonly origin: string
  /** The address of its stage, below which its routes are. */
  readonly baseUrl: string
  /** Closes it at once, with all its connections. */
  readonly stop: () => Promise<void>
}

/** What a gateway needs. */
export interface GatewayOptions {
  readonly template: Template
  readonly functions: Functions
  /** The address to listen at. */
  readonly host: string
  /** The port to listen at; 0 for any that is free. */
  readonly port: number
  /** Where its own log goes; by default problems are shown. */
  readonly log?: Log
}

/** What API Gateway takes of a request's body. */
const maxBodyBytes = 10 * 1_048_576

/**
 * Starts the REST API that a template describes.
 *
 * @throws the server's own error, with its `code`, when it cannot listen there: `EADDRINUSE`, `EACCES`.
 */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { template, functions, host, port, log = reportProblems } = options
  const { apiId, stageName } = template
  const server = createServer().listen(port, host)
  await once(server, 'listening')
  const domainName = toDomainName(host, server.address())
  const stage = createStage(template, functions, { apiId, stageName, domainName }, log)
  const tooLarge = toGatewayReply(template.gatewayResponses, 'REQUEST_TOO_LARGE')
  server.on('request', (request, response) => {
    serve(request, response, stage, tooLarge).catch((error: unknown) => {
      log({ source: 'gateway', level: 'error', text: String(error) })
      response.destroy()
    })
  })
  const origin = `http://${domainName}`
  return {
    origin,
    baseUrl: `${origin}/${stageName}`,
    async stop() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

async function serve(request: IncomingMessage, response: ServerResponse, stage: Stage, tooLarge: Reply): Promise<void> {
  const body = await readBody(request)
  if (body === 'broken off') return
  const requestId = randomUUID()
  response.setHeader('x-amzn-RequestId', requestId)
  if (body !== 'too large') return send(response, await stage(toStageRequest(request, requestId, body.toString())))
  response.setHeader('Connection', 'close')
  send(response, tooLarge)
}

/** Reads a request's body, or says why there is none to be had. */
async function readBody(request: IncomingMessage): Promise<Buffer | 'too large' | 'broken off'> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      bytes += chunk.length
      if (bytes > maxBodyBytes) return 'too large'
      chunks.push(chunk)
    }
    return Buffer.concat(chunks)
  } catch {
    return 'broken off'
  }
}

function toStageRequest(request: IncomingMessage, requestId: string, body: string): StageRequest {
  const { method = '', url = '', rawHeaders, socket, httpVersion } = request
  const [path = '', ...query] = url.split('?')
  const headers: Header[] = []
  for (let index = 0; index < rawHeaders.length; index += 2) {
    headers.push([rawHeaders[index] ?? '', rawHeaders[index + 1] ?? ''])
  }
  return {
    requestId,
    httpMethod: method,
    path,
    query: query.join('?'),
    headers,
    body,
    sourceIp: (socket.remoteAddress ?? '').replace(/^::ffff:/, ''),
    protocol: `HTTP/${httpVersion}`,
  }
}

function send(response: ServerResponse, { status, headers, body }: Reply): void {
  response.statusCode = status
  for (const [name, value] of headers) response.appendHeader(name, value)
  response.end(body)
}

/** Gives the name to reach the gateway by: for a wildcard address, this machine's own. */
function toDomainName(host: string, address: AddressInfo | string | null): string {
  const port = typeof address === 'object' ? address?.port : undefined
  if (['', '0.0.0.0', '::'].includes(host)) return `localhost:${port}`
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}
