import { canary, type FaultCase, page, redirect, replyText, rpcError, toCases } from '../fault-case.ts'

const rateLimits: FaultCase[] = toCases('rate limits', [
  ['429 with -32005', rpcError(-32_005, 'limit exceeded', { status: 429 }), 'rate-limited'],
  ['429 with -32007', rpcError(-32_007, '50/second request limit reached', { status: 429 }), 'rate-limited'],
  ['429 with error code 429', rpcError(429, 'compute units exceeded', { status: 429 }), 'rate-limited'],
  ['429 with HTML', page(429, `<html>Too Many Requests ${canary}</html>`), 'rate-limited'],
  ['429 with Retry-After: 3600', page(429, canary, { 'Retry-After': '3600' }), 'rate-limited'],
  ['200 with -32016 "over rate limit"', rpcError(-32_016, 'over rate limit'), 'rate-limited'],
  ['200 with error code 429', rpcError(429, 'Too Many Requests'), 'rate-limited'],
  ['200 with a bare code', page(200, JSON.stringify({ code: -32_007, message: canary })), 'rate-limited'],
  ['200 with a string for an error', page(200, `{"error":"rate limit exceeded ${canary}"}`), 'rpc-error'],
  ['503 with Retry-After: 3600', page(503, canary, { 'Retry-After': '3600' }), 'http-status'],
])

const unauthenticated = 'Must be authenticated!'

const refusals: FaultCase[] = toCases('refusals', [
  ['401', page(401, `invalid key ${canary}`, { 'WWW-Authenticate': `Bearer realm="${canary}"` }), 'unauthorized'],
  ['402', page(402, `payment required ${canary}`), 'http-status'],
  ['403 "error code: 1010"', page(403, `error code: 1010 ${canary}`), 'unauthorized'],
  ['405', page(405, canary, { Allow: 'GET' }), 'http-status'],
  ['407', page(407, canary, { 'Proxy-Authenticate': `Basic realm="${canary}"` }), 'http-status'],
  ['451', page(451, `unavailable for legal reasons ${canary}`), 'http-status'],
  [`-32600 "${unauthenticated}"`, rpcError(-32_600, unauthenticated), 'rpc-error'],
  [`401 with -32600 "${unauthenticated}"`, rpcError(-32_600, unauthenticated, { status: 401 }), 'unauthorized'],
  ['-32601', rpcError(-32_601, 'the method eth_call does not exist'), 'rpc-error'],
])

/** Responses of a gateway or content network before the node. */
const pages: FaultCase[] = toCases('pages', [
  ['500 with HTML', page(500, `<html>${canary}</html>`), 'http-status'],
  ['502 with HTML', page(502, `<html>Bad Gateway ${canary}</html>`), 'http-status'],
  ['502 without a body', page(502), 'http-status'],
  ['503 with HTML', page(503, `<html>${canary}</html>`), 'http-status'],
  ['503 without a body', page(503), 'http-status'],
  ['504 with HTML', page(504, `<html>Gateway Time-out ${canary}</html>`), 'http-status'],
  ['504 without a body', page(504), 'http-status'],
  ['522 of a content network', page(522, `error code: 522 ${canary}`), 'http-status'],
  ['404', page(404, `no such app ${canary}`), 'http-status'],
  ['201 without a body', page(201), 'http-status'],
  ['204', page(204), 'http-status'],
  ['304', page(304), 'http-status'],
  ['200 with HTML', page(200, `<!doctype html><title>${canary}</title>`), 'malformed-envelope'],
  ['200 without a body', page(200), 'malformed-envelope'],
  ['200 with white space', page(200, ' \n'), 'malformed-envelope'],
  ['200 with half of the reply', replyText(text => text.slice(0, text.length / 2)), 'malformed-envelope'],
  ['200 with all of the reply but a byte', replyText(text => text.trimEnd().slice(0, -1)), 'malformed-envelope'],
])

/** Redirects, none of which is followed. */
const redirects: FaultCase[] = toCases('redirects', [
  ...([301, 302, 303, 307, 308] as const).map(
    status => [`${status} to another host`, redirect(status), 'http-status'] as const,
  ),
  ['300 with a choice', redirect(300), 'http-status'],
  ['305 to a proxy', redirect(305), 'http-status'],
  ['307 without a scheme', redirect(307, ({ host }) => `//${host}/${canary}`), 'http-status'],
  ['308 to another path of its own', redirect(308, () => `/${canary}`), 'http-status'],
  ['302 to a file', redirect(302, () => 'file:///etc/passwd'), 'http-status'],
  [
    '200 with a Refresh header and page',
    ({ response, trapUrl }) => {
      response.writeHead(200, { Refresh: `0; url=${trapUrl}`, 'Content-Location': trapUrl.href })
      response.end(`<meta http-equiv="refresh" content="0; url=${trapUrl}">`)
    },
    'malformed-envelope',
  ],
  [
    'the correct reply with Alt-Svc and Link headers',
    async ({ response, trapUrl, forward }) => {
      const headers = { 'Alt-Svc': `h2="${trapUrl.host}"`, Link: `<${trapUrl}>; rel=preload`, Refresh: `0;${trapUrl}` }
      response.writeHead(200, headers).end(await forward())
    },
    { record: {} },
  ],
])

/** HTTP responses without a JSON-RPC reply. */
export const responses: FaultCase[] = [...rateLimits, ...refusals, ...pages, ...redirects]
