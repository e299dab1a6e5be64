import { networks, toQuery } from '../api/networks.ts'
import { documentRoutes } from '../api/routes.ts'
import { type Check, expectNone, formatReply } from './check.ts'

const documents = documentRoutes.map(({ path }) => path)
const paths = ['/price', '/price/NONE', ...documents]
const anyHeader = { 'Access-Control-Request-Method': 'GET', 'Access-Control-Request-Headers': 'x-smoke' }

/** The statuses that are allowed, paths by method, and headers. Each path is requested once with each of the headers. */
type Case = readonly [
  name: string,
  statuses: readonly number[],
  requests: Readonly<Record<string, readonly string[]>>,
  headers?: readonly Readonly<Record<string, string>>[],
]

/** No caller uses these symbols and networks. */
const cases: readonly Case[] = [
  ['an unknown symbol is 404', [404], { GET: networks.map(network => `/price/NONE${toQuery(network)}`) }],
  ['an unknown network is 400', [400], { GET: ['/price?network=x', '/price/NONE?network=x'] }],
  // API Gateway could take the second header for a signature.
  ['an unknown path is 404', [404], { GET: ['/prices', '/price/NONE/more'] }, [{}, { Authorization: 'x' }]],
  ['an unknown method is 404', [404], { POST: ['/price'], DELETE: ['/price/NONE'] }],
  ['HEAD is answered like GET', [200], { HEAD: ['/price', ...documents] }],
  ['a preflight is 204', [204], { OPTIONS: paths }, [anyHeader]],
  // With a server error, any caller could raise an alarm.
  ['a preflight with a body is 204 or 415', [204, 415], { OPTIONS: paths }, [{ 'Content-Type': 'text/plain' }]],
  [
    'the documents do not depend on Accept',
    [200],
    { GET: documents },
    [{ Accept: 'text/html' }, { Accept: 'application/json' }],
  ],
]

export const requestChecks: readonly Check[] = cases.map(([name, statuses, requests, headers = [{}]]) => ({
  name,
  async run(client) {
    const mismatches: string[] = []
    const each = Object.entries(requests).flatMap(([method, paths]) =>
      paths.flatMap(path => headers.map(sent => ({ method, path, sent }))),
    )
    for (const { method, path, sent } of each) {
      const reply = await client.ask(path, method, sent)
      if (!statuses.includes(reply.status)) mismatches.push(`${formatReply(reply)}, not ${statuses.join()}`)
    }
    return expectNone(mismatches, `${each.length} replies`)
  },
}))
