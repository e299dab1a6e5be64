import { validateHeaderName, validateHeaderValue } from 'node:http'
import { type Header, type Reply, withContentType } from './reply.ts'

/**
 * Parses what a function returned, as JSON, to the response that API Gateway makes of it.
 *
 * @throws {MalformedProxyResponse} when it is anything but a proxy response.
 */
export function parseProxyResponse(payload: string): Reply {
  const response: unknown = JSON.parse(payload)
  if (!isRecord(response)) throw new MalformedProxyResponse('it is no object')
  const { statusCode, headers, multiValueHeaders, body, isBase64Encoded, ...others } = response
  const [other] = Object.keys(others)
  if (other !== undefined) throw new MalformedProxyResponse(`it has a field ${JSON.stringify(other)}`)
  // A status below 200 is no final one: the caller would wait for ever.
  if (typeof statusCode !== 'number' || !Number.isInteger(statusCode) || statusCode < 200 || statusCode > 599) {
    throw new MalformedProxyResponse('its statusCode is no final HTTP status')
  }
  // Base64 is only decoded for an API with binary media types, which none here is.
  if (!['boolean', 'undefined'].includes(typeof isBase64Encoded)) {
    throw new MalformedProxyResponse('its isBase64Encoded is no boolean')
  }
  if (typeof (body ?? '') !== 'string') throw new MalformedProxyResponse('its body is no text')
  return withContentType({
    status: statusCode,
    headers: parseHeaders(headers ?? {}, multiValueHeaders ?? {}),
    body: typeof body === 'string' ? body : '',
  })
}

/** Merges both kinds of headers: where one name is in both, its several values count. */
function parseHeaders(single: unknown, multiple: unknown): readonly Header[] {
  if (!isRecord(single) || !isRecord(multiple)) throw new MalformedProxyResponse('its headers are no object')
  const names = new Set(Object.keys(multiple).map(name => name.toLowerCase()))
  const entries = [
    ...Object.entries(single).filter(([name]) => !names.has(name.toLowerCase())),
    ...Object.entries(multiple).flatMap(([name, values]) => toList(values).map(value => [name, value] as const)),
  ]
  return entries.map(([name, value]) => parseHeader(name, value))
}

function parseHeader(name: string, value: unknown): Header {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') {
    throw new MalformedProxyResponse(`its header ${JSON.stringify(name)} is no text`)
  }
  try {
    validateHeaderName(name)
    validateHeaderValue(name, String(value))
  } catch {
    throw new MalformedProxyResponse(`its header ${JSON.stringify(name)} cannot be sent`)
  }
  return [remapped.includes(name.toLowerCase()) ? `x-amzn-Remapped-${name}` : name, String(value)]
}

function toList(values: unknown): readonly unknown[] {
  return Array.isArray(values) ? values : [values]
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Headers that API Gateway writes itself: a function's own come out under another name. */
const remapped = [
  'connection',
  'content-length',
  'date',
  'host',
  'server',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'www-authenticate',
]

/** Says why API Gateway would not take what a function returned. */
export class MalformedProxyResponse extends Error {
  override readonly name = 'MalformedProxyResponse'

  constructor(why: string) {
    super(`Malformed Lambda proxy response: ${why}.`)
  }
}
