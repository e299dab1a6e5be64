import { createHash } from 'node:crypto'
import { type Check, checkEach, formatValue } from './check.ts'
import type { Answer, Client } from './client.ts'
import type { Network } from './record.ts'

/** How long an answer may be shown after the chain was read. */
export const shownMs = 10_000

/** Accepted difference between the clocks of a function (`readAt`) and of the gateway (`Date`). */
const skewMs = 2_000

/** Whether an answer is a price or a list. */
export function isRead({ status, fields }: Answer): boolean {
  return status === 200 && 'readAt' in fields
}

/** Checks in all answers what must not be taken from the service's own description: CORS, caching, age, policies of pages. */
export function checkAnswers(answers: readonly Answer[]): readonly Check[] {
  const came = answers.filter(({ status }) => status > 0)
  const problems = came.filter(({ status }) => status >= 400)
  const pages = came.filter(({ method, path, status }) =>
    ['GET / 200', 'GET /docs 200'].includes(`${method} ${path} ${status}`),
  )
  return [
    checkEach('every request is answered, for any origin', answers, findOriginFaults),
    checkEach('a success is at most 10 s old and expires 10 s after its read', came.filter(isRead), findAgeFaults),
    checkEach('no problem is stored', problems, ({ headers }) => expectHeader(headers, 'cache-control', 'no-store')),
    checkEach('the pages run only their own script and style', pages, findPageFaults),
  ]
}

function expectHeader(headers: Headers, name: string, expected: string | null): readonly string[] {
  const value = headers.get(name)
  return value === expected ? [] : [`${name} is ${formatValue(value)}`]
}

function findOriginFaults({ headers, failure }: Answer): readonly string[] {
  if (failure !== undefined) return [failure]
  return [
    ...expectHeader(headers, 'access-control-allow-origin', '*'),
    ...expectHeader(headers, 'access-control-allow-credentials', null),
    ...(/\borigin\b/i.test(headers.get('vary') ?? '') ? ['vary has Origin'] : []),
  ]
}

/** Compares the time when an answer was sent, its expiry, and the age that a cache counted, if there is one. */
function findAgeFaults({ headers, fields }: Answer): readonly string[] {
  const readAtMs = Date.parse(String(fields['readAt']))
  const sentMs = Date.parse(headers.get('date') ?? '') - readAtMs
  const expiresMs = Date.parse(headers.get('expires') ?? '') - readAtMs
  const ageSeconds = Number(headers.get('age') ?? 0)
  return [
    ...expectHeader(headers, 'cache-control', 'public, must-revalidate, stale-if-error=0'),
    ...(sentMs > shownMs + skewMs ? [`date is ${sentMs / 1_000} s after readAt`] : []),
    ...(expiresMs > 0 && expiresMs <= shownMs ? [] : [`expires is ${expiresMs / 1_000} s after readAt`]),
    ...(ageSeconds * 1_000 > shownMs ? [`age is ${ageSeconds}`] : []),
  ]
}

/** Compares a page with its content security policy. Any change of the page in transit changes the hashes. */
function findPageFaults({ headers, text }: Answer): readonly string[] {
  const policy = (headers.get('content-security-policy') ?? '').split(/\s*;\s*/)
  const expected = ['script', 'style'].map(tag => `${tag}-src ${toSources(text, tag)}`)
  return expected.filter(directive => !policy.includes(directive)).map(directive => `its policy lacks ${directive}`)
}

/** Hashes the content of all elements with a tag, in the form of a policy. */
function toSources(text: string, tag: string): string {
  const elements = text.matchAll(new RegExp(`<${tag}\\b[^>]*>(.*?)</${tag}>`, 'gs'))
  const hashes = [...elements].map(([, content = '']) => createHash('sha256').update(content).digest('base64'))
  return hashes.map(hash => `'sha256-${hash}'`).join(' ')
}

const preflights = 'OPTIONS /price, OPTIONS /price/NONE, OPTIONS /, OPTIONS /docs, OPTIONS /openapi.json'
const anyHeader = [{ 'Access-Control-Request-Method': 'GET', 'Access-Control-Request-Headers': 'x-smoke' }]
const textBody = [{ 'Content-Type': 'text/plain' }]
const accepts = [{ Accept: 'text/html' }, { Accept: 'application/json' }]
/** API Gateway could take the second for a signature. */
const authorizations = [{}, { Authorization: 'x' }]

/** Requests, the statuses that are allowed for each, and headers of which each request is sent with each. */
type Case = readonly [name: string, statuses: readonly number[], requests: string, headers?: Record<string, string>[]]

/** No caller uses these symbols and networks. The description has the headers and the body of each status. */
const toCases = (networks: readonly Network[]): readonly Case[] => [
  ['an unknown symbol is 404', [404], networks.map(({ query }) => `GET /price/NONE${query}`).join(', ')],
  ['an unknown network is 400', [400], 'GET /price?network=x, GET /price/NONE?network=x'],
  ['an unknown path is 404', [404], 'GET /prices, GET /price/NONE/more', authorizations],
  ['an unknown method is 404', [404], 'POST /price, DELETE /price/NONE'],
  ['HEAD is answered like GET', [200], 'HEAD /price, HEAD /, HEAD /docs, HEAD /openapi.json'],
  ['a preflight is 204', [204], preflights, anyHeader],
  // With a server error, any caller could raise an alarm.
  ['a preflight with a body is 204 or 415', [204, 415], preflights, textBody],
  ['the documents do not depend on Accept', [200], 'GET /, GET /docs, GET /openapi.json', accepts],
]

/** Checks requests that are answered with a problem, preflights, and the documents. */
export async function checkRequests(client: Client, networks: readonly Network[]): Promise<readonly Check[]> {
  const checks: Check[] = []
  for (const [name, statuses, requests, headers = [{}]] of toCases(networks)) {
    const answers: Answer[] = []
    for (const request of requests.split(', ')) {
      const [method, path = ''] = request.split(' ')
      for (const one of headers) answers.push(await client.ask(path, method, one))
    }
    checks.push(checkEach(name, answers, ({ status }) => (statuses.includes(status) ? [] : [`not ${statuses.join()}`])))
  }
  return checks
}
