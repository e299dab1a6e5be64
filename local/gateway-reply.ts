import { type Reply, withContentType } from './reply.ts'
import type { GatewayResponse } from './template/gateway-responses.ts'

/** A kind of case that the gateway answers by itself. */
export type GatewayCase = keyof typeof defaults

/** What API Gateway answers where the template says nothing, by AWS's own words for the cases. */
const defaults = {
  MISSING_AUTHENTICATION_TOKEN: { status: 403, message: 'Missing Authentication Token' },
  REQUEST_TOO_LARGE: { status: 413, message: 'Request Too Long' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: 'Unsupported Media Type' },
  THROTTLED: { status: 429, message: 'Too Many Requests' },
  // The documentation says 504, and access logs of failed functions say 502.
  INTEGRATION_FAILURE: { status: 502, message: 'Internal server error' },
  INTEGRATION_TIMEOUT: { status: 504, message: 'Endpoint request timed out' },
} as const

/** Gives the response that the template has for a case: its own, or else the one for its class of status. */
export function toGatewayReply(responses: ReadonlyMap<string, GatewayResponse>, kind: GatewayCase): Reply {
  const { status, message } = defaults[kind]
  const response = responses.get(kind) ?? responses.get(status < 500 ? 'DEFAULT_4XX' : 'DEFAULT_5XX')
  return withContentType({
    status: response?.status ?? status,
    headers: Object.entries(response?.headers ?? {}),
    body: response?.body ?? JSON.stringify({ message }),
  })
}
