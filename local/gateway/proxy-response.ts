import { z } from 'zod'
import type { GatewayReply } from '../template/responses.ts'

/**
 * Parses a function's result to the response that API Gateway makes of it.
 *
 * @param payload JSON
 * @throws {MalformedProxyResponse} when it is not a proxy response, or one with more than the functions of this service use
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-lambda-proxy-integrations.html#api-gateway-simple-proxy-for-lambda-output-format
 */
export function parseProxyResponse(payload: string): GatewayReply {
  const { data, error } = proxyResponse.safeParse(JSON.parse(payload))
  if (error !== undefined) throw new MalformedProxyResponse(z.prettifyError(error))
  const { statusCode: status, headers, body } = data
  return { status, headers, body }
}

/** @see https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-known-issues.html */
const renamed = /^(connection|content-length|date|host|server|te|trailer|transfer-encoding|upgrade|www-authenticate)$/i

const headerValue = z.string().regex(/^[\x20-\x7e]*$/)

const proxyResponse = z.strictObject({
  // A status below 200 is not final: the caller would wait forever.
  statusCode: z.int().min(200).max(599),
  headers: z
    .object({ 'Content-Type': headerValue })
    .catchall(headerValue)
    .refine(
      headers => !Object.keys(headers).some(name => renamed.test(name)),
      'API Gateway would rename one of the headers',
    ),
  body: z.string(),
})

/** A function's result is not a response to API Gateway. */
export class MalformedProxyResponse extends Error {
  override readonly name = 'MalformedProxyResponse'

  constructor(reason: string) {
    super(`Malformed or unsupported Lambda proxy response: ${reason}`)
  }
}
