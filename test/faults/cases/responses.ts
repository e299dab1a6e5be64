import { canary, status } from '../../support/chain/faulty-node.ts'
import { type FaultCase, toCases } from '../../support/faults/fault-case.ts'

/** Statuses of the node, or of a gateway or content network before it. */
const statuses: FaultCase[] = toCases('status', 'http-status', [
  ['429', status(429, `limit exceeded ${canary}`), 'rate-limited'],
  ['401', status(401, `invalid key ${canary}`, { 'WWW-Authenticate': `Bearer realm="${canary}"` }), 'unauthorized'],
  ['403 "error code: 1010"', status(403, `error code: 1010 ${canary}`), 'unauthorized'],
  ['502 with HTML', status(502, `<html>Bad Gateway ${canary}</html>`)],
  ['402', status(402, `pay ${canary}`)],
  ['a key in the status text', response => response.writeHead(500, canary).end()],
  [
    // The node counts its requests, so a redirect that is followed would be one too many.
    '307 to another host',
    response => {
      const host = response.req.headers.host?.replace('127.0.0.1', 'localhost')
      return response.writeHead(307, { Location: `http://${host}/${canary}` }).end(`moved ${canary}`)
    },
  ],
])

/** Bodies of status 2xx that are no JSON. */
const pages: FaultCase[] = toCases('page', 'malformed-envelope', [
  ['HTML', status(200, `<!doctype html><title>${canary}</title>`)],
  ['nothing', status(200)],
  ['no content (204)', status(204)],
])

/** HTTP responses without a JSON-RPC reply. */
export const responses: FaultCase[] = [...statuses, ...pages]
