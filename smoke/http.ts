import { createHash } from 'node:crypto'
import { type Check, checkEach, formatValue } from './check.ts'
import type { Client, Reply } from './client.ts'
import type { Network } from './record.ts'

/** How long a reply may be shown after the chain was read. */
export const shownMs = 10_000

/** Accepted difference between the clocks of a function (`readAt`) and of the gateway (`Date`). */
const skewMs = 2_000

/** Whether a reply is a price or a list. */
export function isRead({ status, fields }: Reply): boolean {
  return status === 200 && 'readAt' in fields
}

/** Checks in all replies what a wrong description of the service would hide: CORS, caching, age, policies of pages. */
export function checkReplies(replies: readonly Reply[]): readonly Check[] {
  const came = replies.filter(({ status }) => status > 0)
  const problems = came.filter(({ status }) => status >= 400)
  const pages = came.filter(
    ({ method, path, status }) => method === 'GET' && ['/', '/docs'].includes(path) && status === 200,
  )
  return [
    checkEach('every request is answered, for any origin', replies, findOriginMismatches),
    checkEach('a success is at most 10 s old and expires 10 s after its read', came.filter(isRead), findAgeMismatches),
    checkEach('no problem is stored', problems, ({ headers }) => expectHeader(headers, 'cache-control', 'no-store')),
    checkEach('the pages run only their own script and style', pages, findPageMismatches),
  ]
}

function expectHeader(headers: Headers, name: string, expected: string | null): readonly string[] {
  const value = headers.get(name)
  return value === expected ? [] : [`${name} is ${formatValue(value)}`]
}

function findOriginMismatches({ headers, failure }: Reply): readonly string[] {
  if (failure !== undefined) return [failure]
  return [
    ...expectHeader(headers, 'access-control-allow-origin', '*'),
    ...expectHeader(headers, 'access-control-allow-credentials', null),
    ...(/\borigin\b/i.test(headers.get('vary') ?? '') ? ['vary has Origin'] : []),
  ]
}

/** Compares the time when a reply was sent, its expiry, and the age that a cache counted, if there is one. */
function findAgeMismatches({ headers, fields }: Reply): readonly string[] {
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
function findPageMismatches({ headers, text }: Reply): readonly string[] {
  const policy = (headers.get('content-security-policy') ?? '').split(/\s*;\s*/)
  const expected = ['script', 'style'].map(tag => `${tag}-src ${toSources(text, tag)}`)
  return expected.filter(directive => !policy.includes(directive)).map(directive => `its policy lacks ${directive}`)
}

/** Hashes the content of all elements with a tag, in the form of a policy's sources. */
function toSources(text: string, tag: string): string {
  const elements = text.matchAll(new RegExp(`<${tag}\\b[^>]*>(.*?)</${tag}>`, 'gs'))
  const hashes = [...elements].map(([, content = '']) => createHash('sha256').update(content).digest('base64'))
  return hashes.map(hash => `'sha256-${hash}'`).join(' ')
}

const documents = ['/', '/docs', '/openapi.json']
const paths = ['/price', '/price/NONE', ...documents]
const anyHeader = [{ 'Access-Control-Request-Method': 'GET', 'Access-Control-Request-Headers': 'x-smoke' }]
const textBody = [{ 'Content-Type': 'text/plain' }]
const accepts = [{ Accept: 'text/html' }, { Accept: 'application/json' }]
/** API Gateway could take the second for a signature. */
const authorizations = [{}, { Authorization: 'x' }]

/** The statuses that are allowed, paths by method, and headers. Each path is requested once with each of the headers. */
type Case = readonly [
  name: string,
  statuses: readonly number[],
  requests: Readonly<Record<string, readonly string[]>>,
  headers?: readonly Readonly<Record<string, string>>[],
]

/** No caller uses these symbols and networks. The description has the headers and the body of each status. */
const toCases = (networks: readonly Network[]): readonly Case[] => [
  ['an unknown symbol is 404', [404], { GET: networks.map(({ query }) => `/price/NONE${query}`) }],
  ['an unknown network is 400', [400], { GET: ['/price?network=x', '/price/NONE?network=x'] }],
  ['an unknown path is 404', [404], { GET: ['/prices', '/price/NONE/more'] }, authorizations],
  ['an unknown method is 404', [404], { POST: ['/price'], DELETE: ['/price/NONE'] }],
  ['HEAD is answered like GET', [200], { HEAD: ['/price', ...documents] }],
  ['a preflight is 204', [204], { OPTIONS: paths }, anyHeader],
  // With a server error, any caller could raise an alarm.
  ['a preflight with a body is 204 or 415', [204, 415], { OPTIONS: paths }, textBody],
  ['the documents do not depend on Accept', [200], { GET: documents }, accepts],
]

/** Checks requests that are answered with a problem, preflights, and the documents. */
export async function checkRequests(client: Client, networks: readonly Network[]): Promise<readonly Check[]> {
  const checks: Check[] = []
  for (const [name, statuses, requests, headers = [{}]] of toCases(networks)) {
    const replies: Reply[] = []
    for (const [method, paths] of Object.entries(requests)) {
      for (const path of paths) for (const one of headers) replies.push(await client.ask(path, method, one))
    }
    checks.push(checkEach(name, replies, ({ status }) => (statuses.includes(status) ? [] : [`not ${statuses.join()}`])))
  }
  return checks
}
