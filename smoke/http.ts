import { createHash } from 'node:crypto'
import {
  type Answer,
  type Check,
  fieldsOf,
  formatAnswer,
  formatValue,
  readAtMsOf,
  toCheck,
  toSkipped,
} from './check.ts'
import type { Client } from './client.ts'
import { findOrderFault, type Network } from './record.ts'

/** How long an answer may be shown after the chain was read. */
export const shownMs = 10_000

/** Accepted difference between the clocks of a function (`readAt`) and of the gateway (`Date`). */
const skewMs = 2_000

type Find = (answer: Answer) => readonly string[]

/** Checks the headers of all answers: CORS, caching, age. */
export function checkHeaders(answers: readonly Answer[]): readonly Check[] {
  const came = answers.filter(({ status }) => status > 0)
  const successes = came.filter(answer => readAtMsOf(answer) !== undefined)
  const problems = came.filter(({ status }) => status >= 400)
  const since = (one: Answer, header: string) => Date.parse(one.headers.get(header) ?? '') - (readAtMsOf(one) ?? 0)
  return [
    checkEach('any origin may read every answer', came, ({ headers }) => [
      ...expectHeader(headers, 'access-control-allow-origin', '*'),
      ...expectHeader(headers, 'access-control-allow-credentials', null),
      ...(/\borigin\b/i.test(headers.get('vary') ?? '') ? ['vary has Origin'] : []),
    ]),
    checkEach('a success expires 10 s after its read', successes, answer => {
      const shown = since(answer, 'expires')
      const faults = expectHeader(answer.headers, 'cache-control', 'public, must-revalidate, stale-if-error=0')
      return shown > 0 && shown <= shownMs ? faults : [...faults, `expires is ${answer.headers.get('expires')}`]
    }),
    checkEach('a problem is not stored', problems, ({ headers }) => [
      ...expectHeader(headers, 'cache-control', 'no-store'),
      ...expectHeader(headers, 'expires', null),
    ]),
    checkEach('an answer is at most 10 s old when it is sent', successes, answer => {
      const ageMs = since(answer, 'date')
      return ageMs > shownMs + skewMs ? [`date is ${ageMs / 1_000} s after readAt`] : []
    }),
  ]
}

function checkEach(name: string, answers: readonly Answer[], find: Find): Check {
  if (answers.length === 0) return toSkipped(name, 'no such answer')
  const faults = answers.flatMap(answer => find(answer).map(fault => `${formatAnswer(answer)}, ${fault}`))
  return toCheck(name, faults, `${answers.length} answers`)
}

function expectHeader(headers: Headers, name: string, expected: string | null): readonly string[] {
  const value = headers.get(name)
  return value === expected ? [] : [`${name} is ${formatValue(value)}`]
}

const unknownSymbol = expectProblem('unknown-symbol', 404)
const unknownNetwork = expectProblem('unknown-network', 400)
const unknownRoute = expectProblem('unknown-route', 404)
const preflights = 'OPTIONS /price, OPTIONS /price/NONE, OPTIONS /, OPTIONS /docs, OPTIONS /openapi.json'
const anyHeader = [{ 'Access-Control-Request-Method': 'GET', 'Access-Control-Request-Headers': 'x-smoke' }]
const textBody = [{ 'Content-Type': 'text/plain' }]
const accepts = [{ Accept: 'text/html' }, { Accept: 'application/json' }]
/** API Gateway could take the second for a signature. */
const authorizations = [{}, { Authorization: 'x' }]

/** Each request is sent with each of the headers. No caller uses these symbols and networks. */
type Case = readonly [name: string, requests: string, find: Find, headers?: Record<string, string>[]]

const cases: readonly Case[] = [
  ['an unknown network is 400', 'GET /price?network=x, GET /price/NONE?network=x', unknownNetwork],
  ['an unknown path is 404', 'GET /prices, GET /price/NONE/more', unknownRoute, authorizations],
  ['an unknown method is 404', 'POST /price, DELETE /price/NONE', unknownRoute],
  [
    'HEAD is answered like GET',
    'HEAD /price, HEAD /, HEAD /docs, HEAD /openapi.json',
    ({ status }) => (status === 200 ? [] : ['not 200']),
  ],
  ['a preflight is 204', preflights, findPreflightFaults, anyHeader],
  ['a preflight with a body is 204 or 415', preflights, findRefusalFaults, textBody],
  ['the pages run only their own script and style', 'GET /, GET /docs', findPageFaults, accepts],
  ['openapi.json does not depend on Accept', 'GET /openapi.json', findDocumentFaults, accepts],
]

/** Checks requests that are answered with a problem, preflights, and the documents. */
export async function checkRequests(client: Client, networks: readonly Network[]): Promise<readonly Check[]> {
  const ofNetworks = networks.map(({ query }) => `GET /price/NONE${query}`).join(', ')
  const ofSymbols: Case = ['an unknown symbol is 404', ofNetworks, unknownSymbol]
  const checks = [...(networks.length === 0 ? [] : [ofSymbols]), ...cases].map(
    async ([name, requests, find, headers = [{}]]) => {
      const answers = requests.split(', ').flatMap(request => {
        const [method, path = ''] = request.split(' ')
        return headers.map(one => client.ask(path, method, one))
      })
      return checkEach(name, await Promise.all(answers), find)
    },
  )
  return await Promise.all(checks)
}

function findPreflightFaults({ status, headers }: Answer): readonly string[] {
  const methods = expectHeader(headers, 'access-control-allow-methods', 'GET')
  return status === 204 ? [...methods, ...expectHeader(headers, 'access-control-allow-headers', '*')] : ['not 204']
}

/** With a server error, any caller could raise an alarm. */
function findRefusalFaults({ status }: Answer): readonly string[] {
  return status === 204 || status === 415 ? [] : ['neither 204 nor 415']
}

function findDocumentFaults({ status, headers }: Answer): readonly string[] {
  const type = expectHeader(headers, 'content-type', 'application/json')
  return status === 200 ? [...type, ...expectHeader(headers, 'x-content-type-options', 'nosniff')] : ['not 200']
}

function expectProblem(slug: string, expected: number): Find {
  return ({ status, headers, exact }) => {
    if (status !== expected) return [`not ${expected}`]
    const faults = expectHeader(headers, 'content-type', 'application/problem+json')
    const problem = fieldsOf(exact)
    const isRight = problem['type'] === `urn:problem-type:price-lookup:${slug}` && problem['status'] === String(status)
    const type = `its type is ${formatValue(problem['type'])}, its status ${formatValue(problem['status'])}`
    return [...faults, ...(isRight ? [] : [type]), ...findOrderFault(problem, ['type', 'title', 'status', 'detail'])]
  }
}

/** Compares a page with its content security policy. Any change of the page in transit changes the hashes. */
function findPageFaults({ status, headers, text }: Answer): readonly string[] {
  if (status !== 200) return ['not 200']
  const policy = (headers.get('content-security-policy') ?? '').split(/\s*;\s*/)
  const expected = [
    "default-src 'none'",
    "frame-ancestors 'none'",
    `script-src ${toSources(text, 'script')}`,
    `style-src ${toSources(text, 'style')}`,
  ]
  // The text of a script is not an element.
  const markup = text.replaceAll(/<script>.*?<\/script>/gs, '')
  const [, address] = /<[^>]+\s(?:src|href|action)=["']?((?:https?:)?\/\/[\w.-]+)/.exec(markup) ?? []
  return [
    ...expectHeader(headers, 'x-content-type-options', 'nosniff'),
    ...expected.filter(directive => !policy.includes(directive)).map(directive => `its policy lacks ${directive}`),
    ...(address === undefined ? [] : [`it refers to ${address}`]),
  ]
}

/** Hashes the content of all elements with a tag, in the form of a policy. */
function toSources(text: string, tag: string): string {
  const elements = text.matchAll(new RegExp(`<${tag}>(.*?)</${tag}>`, 'gs'))
  const hashes = [...elements].map(([, content = '']) => createHash('sha256').update(content).digest('base64'))
  return hashes.map(hash => `'sha256-${hash}'`).join(' ')
}
