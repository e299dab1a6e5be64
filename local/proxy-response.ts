import { validateHeaderName, validateHeaderValue } from 'node:http'
import { z } from 'zod'
import { type Header, type Reply, withContentType } from './reply.ts'

/**
 * Parses a function's result to the response that API Gateway makes of it.
 *
 * @param payload JSON
 * @throws {MalformedProxyResponse} when it is not a proxy response.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-lambda-proxy-integrations.html#api-gateway-simple-proxy-for-lambda-output-format
 */
export function parseProxyResponse(payload: string): Reply {
  const { data, error } = proxyResponse.safeParse(JSON.parse(payload))
  if (error !== undefined) throw new MalformedProxyResponse(z.prettifyError(error))
  const { statusCode: status, headers, multiValueHeaders, body } = data
  return withContentType({ status, headers: mergeHeaders(headers ?? {}, multiValueHeaders ?? {}), body: body ?? '' })
}

const headerName = z.string().refine(name => isValid(() => validateHeaderName(name)))

const headerValue = z
  .union([z.string(), z.number(), z.boolean()])
  .transform(String)
  .refine(value => isValid(() => validateHeaderValue('name', value)))

const proxyResponse = z.strictObject({
  // A status below 200 is not final: the caller would wait forever.
  statusCode: z.int().min(200).max(599),
  headers: z.record(headerName, headerValue).nullish(),
  multiValueHeaders: z.record(headerName, z.union([z.array(headerValue), headerValue])).nullish(),
  body: z.string().nullish(),
  // Base64 is only decoded for an API with binary media types, which the template does not have.
  isBase64Encoded: z.boolean().optional(),
})

function isValid(validate: () => void): boolean {
  try {
    validate()
    return true
  } catch {
    return false
  }
}

/** Merges both kinds of headers. For a name in both, `multiValueHeaders` counts. */
function mergeHeaders(
  single: Readonly<Record<string, string>>,
  multiple: Readonly<Record<string, string | string[]>>,
): readonly Header[] {
  const names = new Set(Object.keys(multiple).map(name => name.toLowerCase()))
  const entries = [
    ...Object.entries(single).filter(([name]) => !names.has(name.toLowerCase())),
    ...Object.entries(multiple).flatMap(([name, values]) => [values].flat().map(value => [name, value] as const)),
  ]
  return entries.map(([name, value]) => [reserved.has(name.toLowerCase()) ? `x-amzn-Remapped-${name}` : name, value])
}

/** Headers that API Gateway renames in a function's response. @see https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-known-issues.html */
const reserved = new Set([
  ...['connection', 'content-length', 'date', 'host', 'server', 'te', 'trailer', 'transfer-encoding', 'upgrade'],
  'www-authenticate',
])

/** A function's result is not a response to API Gateway. */
export class MalformedProxyResponse extends Error {
  override readonly name = 'MalformedProxyResponse'

  constructor(reason: string) {
    super(`Malformed Lambda proxy response: ${reason}`)
  }
}
