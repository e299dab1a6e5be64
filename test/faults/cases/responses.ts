import { canary, rpcError, status } from '../../support/chain/faulty-node.ts'
import { type FaultCase, redirect, replyText, toCases } from '../../support/faults/fault-case.ts'

const rateLimits: FaultCase[] = toCases('rate limit', 'rate-limited', [
  ['429 with -32005', rpcError(-32_005, 'limit exceeded', { httpStatus: 429 })],
  ['429 with HTML', status(429, `<html>Too Many Requests ${canary}</html>`)],
  ['429 with Retry-After: 3600', status(429, canary, { 'Retry-After': '3600' })],
  ['200 with -32016 "over rate limit"', rpcError(-32_016, 'over rate limit')],
  ['503 with Retry-After: 3600', status(503, canary, { 'Retry-After': '3600' }), 'http-status'],
])

const refusals: FaultCase[] = toCases('refusal', 'http-status', [
  ['401', status(401, `invalid key ${canary}`, { 'WWW-Authenticate': `Bearer realm="${canary}"` }), 'unauthorized'],
  ['402', status(402, `payment required ${canary}`)],
  ['403 "error code: 1010"', status(403, `error code: 1010 ${canary}`), 'unauthorized'],
  ['-32601', rpcError(-32_601, 'the method eth_call does not exist'), 'rpc-error'],
])

/** Responses of a gateway or content network before the node. */
const pages: FaultCase[] = toCases('page', 'http-status', [
  ['502 with HTML', status(502, `<html>Bad Gateway ${canary}</html>`)],
  ['503 without a body', status(503)],
  ['204', status(204)],
  ['200 with HTML', status(200, `<!doctype html><title>${canary}</title>`), 'malformed-envelope'],
  ['200 without a body', status(200), 'malformed-envelope'],
  ['200 with half of the reply', replyText(text => text.slice(0, text.length / 2)), 'malformed-envelope'],
])

const toOtherHost = (host: string) => `http://${host.replace('127.0.0.1', 'localhost')}/${canary}`

/** Redirects. The node counts its requests, so a redirect that is followed would be one too many. */
const redirects: FaultCase[] = toCases('redirect', 'http-status', [
  ...[301, 302, 303, 307, 308].map(code => [`${code} to another host`, redirect(code, toOtherHost)] as const),
  ['307 without a scheme', redirect(307, host => `//${host}/${canary}`)],
])

/** Responses with texts that must not be shown. */
const leaks: FaultCase[] = toCases('leak', 'http-status', [
  ['our own request', (response, body) => response.writeHead(502, { 'X-Request': canary }).end(body + canary)],
  ['a key in the status text', response => response.writeHead(500, canary).end()],
  ['a key in a cookie', status(500, canary, { 'Set-Cookie': `session=${canary}` })],
])

/** HTTP responses without a JSON-RPC reply. */
export const responses: FaultCase[] = [...rateLimits, ...refusals, ...pages, ...redirects, ...leaks]
