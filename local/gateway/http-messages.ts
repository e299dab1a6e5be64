import type { IncomingMessage, ServerResponse } from 'node:http'
import type { GatewayReply } from '../template/responses.ts'
import type { StageRequest } from './proxy-event.ts'

/** Converts a request of Node's server. */
export function toStageRequest({ method = '', url = '', rawHeaders }: IncomingMessage): StageRequest {
  const [path = '', ...query] = url.split('?')
  const headers: [string, string][] = []
  for (let index = 0; index < rawHeaders.length; index += 2) {
    headers.push([rawHeaders[index] ?? '', rawHeaders[index + 1] ?? ''])
  }
  return {
    httpMethod: method,
    path,
    query: query.join('?'),
    headers,
  }
}

/** Sends a response. */
export function send(response: ServerResponse, { status, headers, body }: GatewayReply): void {
  response.statusCode = status
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  response.end(body)
}
