import { validateHeaderName, validateHeaderValue } from 'node:http'
import { z } from 'zod'
import type { GatewayResponse } from './template/responses.ts'

/** An HTTP response. */
export interface Reply {
  readonly status: number
  /** A name may occur several times. */
  readonly headers: readonly Header[]
  readonly body: string
}

export type Header = readonly [name: string, value: string]

/** Adds the content type that API Gateway gives to a response without one. */
function withContentType({ status, headers, body }: Reply): Reply {
  if (headers.some(([name]) => name.toLowerCase() === 'content-type')) return { status, headers, body }
  return { status, headers: [...headers, ['Content-Type', 'application/json']], body }
}

/** A type of gateway response: a case in which the gateway answers without the integration. */
export type ResponseType = keyof typeof defaults

/**
 * API Gateway's responses where the template has none.
 *
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/supported-gateway-response-types.html
 */
const defaults = {
  MISSING_AUTHENTICATION_TOKEN: { status: 403, message: 'Missing Authentication Token' },
  // Not documented, but reported by users: also when Lambda rejects an event as too large.
  REQUEST_TOO_LARGE: { status: 413, message: 'Request Too Long' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: 'Unsupported Media Type' },
  THROTTLED: { status: 429, message: 'Too Many Requests' },
  API_CONFIGURATION_ERROR: { status: 500, message: 'Internal server error' },
  // 504 in the documentation, 502 in the access logs of failed functions.
  INTEGRATION_FAILURE: { status: 502, message: 'Internal server error' },
  INTEGRATION_TIMEOUT: { status: 504, message: 'Endpoint request timed out' },
} as const

/** Finds the template's response of a type, or its default response for the class of status (4xx, 5xx). */
export function toGatewayReply(responses: ReadonlyMap<string, GatewayResponse>, type: ResponseType): Reply {
  const { status, message } = defaults[type]
  const configured = responses.get(type) ?? responses.get(status < 500 ? 'DEFAULT_4XX' : 'DEFAULT_5XX')
  // No template can change this one.
  const response = type === 'REQUEST_TOO_LARGE' ? undefined : configured
  return withContentType({
    status: response?.status ?? status,
    headers: Object.entries(response?.headers ?? {}),
    body: response?.body ?? JSON.stringify({ message }),
  })
}

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
