import { secret, status } from '../../support/chain/faulty-node.ts'
import { type FaultCase, toCases } from '../../support/faults/fault-case.ts'

/** Statuses of the node, or of a gateway or content network before it. */
const statuses: FaultCase[] = toCases('status', 'http-status', [
  ['429', status(429, `limit exceeded ${secret}`), 'rate-limited'],
  ['401', status(401, `invalid key ${secret}`, { 'WWW-Authenticate': `Bearer realm="${secret}"` }), 'unauthorized'],
  ['403 "error code: 1010"', status(403, `error code: 1010 ${secret}`), 'unauthorized'],
  ['502 with HTML', status(502, `<html>Bad Gateway ${secret}</html>`)],
  ['402', status(402, `pay ${secret}`)],
  ['a key in the status text', response => response.writeHead(500, secret).end()],
  [
    // The node counts its requests, so a redirect that is followed would be one too many.
    '307 to another host',
    response => {
      const host = response.req.headers.host?.replace('127.0.0.1', 'localhost')
      return response.writeHead(307, { Location: `http://${host}/${secret}` }).end(`moved ${secret}`)
    },
  ],
])

/** Bodies of status 2xx that are no JSON. */
const pages: FaultCase[] = toCases('page', 'malformed-envelope', [
  ['HTML', status(200, `<!doctype html><title>${secret}</title>`)],
  ['nothing', status(200)],
  ['no content (204)', status(204)],
])

/** HTTP responses without a JSON-RPC reply. */
export const responses: FaultCase[] = [...statuses, ...pages]
