import { networks, toQuery } from '../../api/networks.ts'
import { documentRoutes } from '../../api/routes.ts'
import { type Check, expectThat } from './run-checks.ts'

const documents = documentRoutes.map(({ path }) => path)
const paths = ['/price', '/price/NONE', ...documents]
const anyHeader = { 'Access-Control-Request-Method': 'GET', 'Access-Control-Request-Headers': 'x-smoke' }

interface OtherRequest {
  readonly path: string
  /** GET by default. */
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  /** The statuses that the reply may have. */
  readonly statuses: readonly number[]
}

/**
 * Other requests, with the statuses that their replies may have. No caller requests these symbols and networks, so no
 * caller gets a stored reply to one of these requests.
 */
const requests: readonly OtherRequest[] = [
  ...networks.map(network => ({ path: `/price/NONE${toQuery(network)}`, statuses: [404] })),
  { path: '/price?network=x', statuses: [400] },
  { path: '/price/NONE?network=x', statuses: [400] },
  { path: '/prices', statuses: [404] },
  { path: '/price/NONE/more', statuses: [404] },
  // API Gateway could take the header for a signature, and refuse it with another status.
  { path: '/prices', headers: { Authorization: 'x' }, statuses: [404] },
  { path: '/price', method: 'POST', statuses: [404] },
  { path: '/price/NONE', method: 'DELETE', statuses: [404] },
  { path: '/price', method: 'HEAD', statuses: [200] },
  ...documents.map(path => ({ path, method: 'HEAD', statuses: [200] })),
  ...paths.map(path => ({ path, method: 'OPTIONS', headers: anyHeader, statuses: [204] })),
  // If this were a server error, any caller could make an alarm notify the operators.
  ...paths.map(path => ({ path, method: 'OPTIONS', headers: { 'Content-Type': 'text/plain' }, statuses: [204, 415] })),
  ...documents.map(path => ({ path, headers: { Accept: 'text/html' }, statuses: [200] })),
  ...documents.map(path => ({ path, headers: { Accept: 'application/json' }, statuses: [200] })),
]

export const otherRequestsCheck: Check = {
  name: 'other requests have their status',
  async run(client) {
    for (const { path, method, headers, statuses } of requests) {
      const reply = await client.ask(path, method, headers)
      expectThat(statuses.includes(reply.status), reply, `not ${statuses.join(' or ')}`)
    }
  },
}
