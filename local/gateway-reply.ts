import { type Reply, withContentType } from './reply.ts'
import type { GatewayResponse } from './template/gateway-responses.ts'

/** A kind of case that the gateway answers by itself. */
export type GatewayCase = keyof typeof defaults

/** What API Gateway answers where the template says nothing, by AWS's own words for the cases. */
const defaults = {
  MISSING_AUTHENTICATION_TOKEN: { status: 403, message: 'Missing Authentication Token' },
  // Beyond the documentation, its users report it of Lambda too, when that refuses an event as too large.
  REQUEST_TOO_LARGE: { status: 413, message: 'Request Too Long' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: 'Unsupported Media Type' },
  THROTTLED: { status: 429, message: 'Too Many Requests' },
  API_CONFIGURATION_ERROR: { status: 500, message: 'Internal server error' },
  // The documentation says 504, and access logs of failed functions say 502.
  INTEGRATION_FAILURE: { status: 502, message: 'Internal server error' },
  INTEGRATION_TIMEOUT: { status: 504, message: 'Endpoint request timed out' },
} as const

/**
 * Gives the response that the template has for a case: its own, or else the one for its class of status.
 *
 * What is too large is answered by API Gateway's own words alone: no template changes them, nor adds a header.
 */
export function toGatewayReply(responses: ReadonlyMap<string, GatewayResponse>, kind: GatewayCase): Reply {
  const { status, message } = defaults[kind]
  const own = responses.get(kind) ?? responses.get(status < 500 ? 'DEFAULT_4XX' : 'DEFAULT_5XX')
  const response = kind === 'REQUEST_TOO_LARGE' ? undefined : own
  return withContentType({
    status: response?.status ?? status,
    headers: Object.entries(response?.headers ?? {}),
    body: response?.body ?? JSON.stringify({ message }),
  })
}
