import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Reply } from '../template/responses.ts'
import type { Header, StageRequest } from './proxy-event.ts'

/** Lambda's limit for an event, without the few bytes of its other fields. @see https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html */
const maxBodyBytes = 6 * 1_048_576

/** API Gateway's response to a larger one, as users report it. No template can change it. */
export const tooLarge: Reply = {
  status: 413,
  headers: { 'Content-Type': 'application/json' },
  body: '{"message":"Request Too Long"}',
}

/** Reads the body of a request, up to the limit. */
export async function readBody(request: IncomingMessage): Promise<Buffer | 'too large' | 'aborted'> {
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
    return 'aborted'
  }
}

/** Converts a request of Node's server. */
export function toStageRequest(request: IncomingMessage, requestId: string, body: string): StageRequest {
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

/** Sends a response. */
export function send(response: ServerResponse, { status, headers, body }: Reply): void {
  response.statusCode = status
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  response.end(body)
}
