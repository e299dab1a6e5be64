import type { IncomingMessage, ServerResponse } from 'node:http'
import type { GatewayReply } from '../template/responses.ts'
import type { SentHeader, StageRequest } from './proxy-event.ts'

/** Converts a request of Node's server. */
export function toStageRequest(request: IncomingMessage, requestId: string): StageRequest {
  const { method = '', url = '', rawHeaders, socket, httpVersion } = request
  const [path = '', ...query] = url.split('?')
  const headers: SentHeader[] = []
  for (let index = 0; index < rawHeaders.length; index += 2) {
    headers.push([rawHeaders[index] ?? '', rawHeaders[index + 1] ?? ''])
  }
  return {
    requestId,
    httpMethod: method,
    path,
    query: query.join('?'),
    headers,
    sourceIp: (socket.remoteAddress ?? '').replace(/^::ffff:/, ''),
    protocol: `HTTP/${httpVersion}`,
  }
}

/** Sends a response. */
export function send(response: ServerResponse, { status, headers, body }: GatewayReply): void {
  response.statusCode = status
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  response.end(body)
}
