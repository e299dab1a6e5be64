// Constants, not properties: a property that is read would keep these objects in the board, which needs one number.
const origin = '*'
const exposeHeaders = 'Retry-After, Date, Age, x-amzn-RequestId'

/**
 * The CORS options of every response but a preflight's and API Gateway's own 413: any origin may read it, with the
 * headers that state its age, when to ask again, and its id in the operator's log.
 */
export const cors = { origin, exposeHeaders } as const

/** These options as headers, for the responses that API Gateway itself creates. */
export const corsHeaders = {
  'Access-Control-Allow-Origin': origin,
  'Access-Control-Expose-Headers': exposeHeaders,
} as const

/** The headers of every preflight: any origin may send GET with any header but `Authorization`, for ten minutes. */
export const preflight = {
  'Access-Control-Allow-Headers': '*',
  'Access-Control-Allow-Origin': origin,
  'Access-Control-Allow-Methods': 'GET',
  'Access-Control-Max-Age': '600',
} as const

/** The values of `Cache-Control`: which caches may keep a response, and for how long (D21). */
export const cacheControl = {
  /**
   * There is no `max-age`, because every cache would count it from its own start. There is `stale-if-error=0`, because
   * CloudFront by default serves an expired response in place of an error.
   */
  price: 'public, must-revalidate, stale-if-error=0',
  problem: 'no-store',
  /** Caches may keep a document for five minutes: it changes with a deployment only. */
  document: 'public, max-age=300',
} as const

/**
 * Returns the content security policy of a page. It allows the page's own script and style, by their hashes, and
 * requests to the page's own origin.
 */
export function toContentSecurityPolicy(scriptHash: string, styleHash: string): string {
  return [
    "default-src 'none'",
    `script-src '${scriptHash}'`,
    `style-src '${styleHash}'`,
    "connect-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

export function toProblemHeaders(retryAfterSeconds: number | undefined): Readonly<Record<string, string>> {
  return {
    'Content-Type': 'application/problem+json',
    'Cache-Control': cacheControl.problem,
    ...(retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) }),
  }
}

/**
 * A success expires this many seconds after the chain was read for it. The cache of the stage keeps it for as long,
 * counted from when it stored it.
 */
export const freshSeconds = 10

/**
 * Returns the header `Link`, which leads programs to the description of the API and people to its reference.
 *
 * @see https://www.rfc-editor.org/rfc/rfc8631
 */
export function toLink(baseUrl: string): string {
  return `<${baseUrl}/openapi.json>; rel="service-desc", <${baseUrl}/docs>; rel="service-doc"`
}
