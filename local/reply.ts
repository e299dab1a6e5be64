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
export function withContentType({ status, headers, body }: Reply): Reply {
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
