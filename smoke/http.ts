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
import { findOrderFault } from './record.ts'

/** How long an answer may be shown after the chain was read. */
export const shownMs = 10_000

/** Accepted difference between the clock of a function, which sets `readAt`, and that of the gateway, which sets `Date`. */
const skewMs = 2_000

/** Checks the headers of all answers: CORS, caching, age. */
export function checkHeaders(answers: readonly Answer[]): readonly Check[] {
  const came = answers.filter(({ status }) => status > 0)
  const successes = came.filter(answer => readAtMsOf(answer) !== undefined)
  const since = (answer: Answer, header: string) =>
    Date.parse(answer.headers.get(header) ?? '') - (readAtMsOf(answer) ?? 0)
  return [
    checkEach('any origin may read every answer', came, ({ headers }) => [
      ...expectHeader(headers, 'access-control-allow-origin', '*'),
      ...expectHeader(headers, 'access-control-allow-credentials', null),
      ...(/\borigin\b/i.test(headers.get('vary') ?? '') ? ['vary has Origin'] : []),
    ]),
    checkEach('a success expires 10 s after its read', successes, answer => {
      const shown = since(answer, 'expires')
      const faults = expectHeader(answer.headers, 'cache-control', 'public, must-revalidate')
      return shown > 0 && shown <= shownMs ? faults : [...faults, `expires is ${answer.headers.get('expires')}`]
    }),
    checkEach(
      'a problem is not stored',
      came.filter(({ status }) => status >= 400),
      ({ headers }) => [
        ...expectHeader(headers, 'cache-control', 'no-store'),
        ...expectHeader(headers, 'expires', null),
      ],
    ),
    checkEach('an answer is at most 10 s old when it is sent', successes, answer => {
      const ageMs = since(answer, 'date')
      return ageMs > shownMs + skewMs ? [`date is ${ageMs / 1_000} s after readAt`] : []
    }),
  ]
}

function checkEach(name: string, answers: readonly Answer[], find: (answer: Answer) => readonly string[]): Check {
  if (answers.length === 0) return toSkipped(name, 'no such answer')
  const faults = answers.flatMap(answer => find(answer).map(fault => `${formatAnswer(answer)}, ${fault}`))
  return toCheck(name, faults, `${answers.length} answers`)
}

function expectHeader(headers: Headers, name: string, expected: string | null): readonly string[] {
  const value = headers.get(name)
  return value === expected ? [] : [`${name} is ${formatValue(value)}`]
}

/** How to find faults in the answers to some requests; each is sent with each of some headers. */
interface Case {
  readonly requests: readonly string[]
  readonly headers?: readonly Readonly<Record<string, string>>[]
  readonly find: (answer: Answer) => readonly string[]
}

const preflights = ['/price', '/price/SMOKE', '/', '/openapi.json'].map(path => `OPTIONS ${path}`)
const accepts = [{ Accept: 'text/html' }, { Accept: 'application/json' }]

const cases: Readonly<Record<string, Case>> = {
  'an unknown symbol is 404': {
    requests: ['GET /price/NO-SUCH-SYMBOL', 'GET /price/NO-SUCH-SYMBOL?network=testnet'],
    find: answer => findProblemFaults(answer, 'unknown-symbol', 404),
  },
  'an unknown network is 400': {
    // No caller uses this network, so that a mistaken cache entry reaches nobody.
    requests: ['GET /price?network=smoke-test', 'GET /price/SMOKE?network=smoke-test'],
    find: answer => findProblemFaults(answer, 'unknown-network', 400),
  },
  'an unknown path is 404': {
    requests: ['GET /prices', 'GET /price/SMOKE/more'],
    // API Gateway could take the second header for a signature.
    headers: [{}, { Authorization: 'x' }],
    find: answer => findProblemFaults(answer, 'unknown-route', 404),
  },
  'an unknown method is 404': {
    requests: ['POST /price', 'DELETE /price/SMOKE', 'HEAD /price'],
    find: answer => findProblemFaults(answer, 'unknown-route', 404),
  },
  'a preflight is 204': {
    requests: preflights,
    headers: [{ 'Access-Control-Request-Method': 'GET', 'Access-Control-Request-Headers': 'x-smoke' }],
    find: ({ status, headers }) => [
      ...(status === 204 ? [] : ['not 204']),
      ...expectHeader(headers, 'access-control-allow-methods', 'GET'),
      ...expectHeader(headers, 'access-control-allow-headers', '*'),
    ],
  },
  'a preflight with a body is 204 or 415': {
    requests: preflights,
    // With a server error here, any caller could raise an alarm.
    headers: [{ 'Content-Type': 'text/plain' }],
    find: ({ status }) => (status === 204 || status === 415 ? [] : ['neither']),
  },
  'the board runs only its own script and style': { requests: ['GET /'], headers: accepts, find: findBoardFaults },
  'openapi.json does not depend on Accept': {
    requests: ['GET /openapi.json'],
    headers: accepts,
    find: ({ status, headers }) => [
      ...(status === 200 ? [] : ['not 200']),
      ...expectHeader(headers, 'content-type', 'application/json'),
      ...expectHeader(headers, 'x-content-type-options', 'nosniff'),
    ],
  },
}

/** Checks requests that are answered with a problem, preflights, and the two documents. */
export async function checkRequests(client: Client): Promise<readonly Check[]> {
  const checks = Object.entries(cases).map(async ([name, { requests, headers = [{}], find }]) => {
    const asked = requests.flatMap(request => headers.map(one => [request.split(' '), one] as const))
    const answers = asked.map(([[method, path = ''], one]) => client.ask(path, method, one))
    return checkEach(name, await Promise.all(answers), find)
  })
  return await Promise.all(checks)
}

function findProblemFaults(answer: Answer, slug: string, expected: number): readonly string[] {
  const { method, status, headers, exact } = answer
  if (status !== expected) return [`not ${expected}`]
  const faults = expectHeader(headers, 'content-type', 'application/problem+json')
  // The response to HEAD has no body.
  if (method === 'HEAD') return faults
  const problem = fieldsOf(exact)
  const isRight = problem['type'] === `urn:problem-type:price-lookup:${slug}` && problem['status'] === String(status)
  const type = `its type is ${formatValue(problem['type'])}, its status ${formatValue(problem['status'])}`
  return [...faults, ...(isRight ? [] : [type]), ...findOrderFault(problem, ['type', 'title', 'status', 'detail'])]
}

/** Compares the page with its content security policy. Any change of the page in transit changes the hashes. */
function findBoardFaults({ status, headers, text }: Answer): readonly string[] {
  if (status !== 200) return ['not 200']
  const policy = (headers.get('content-security-policy') ?? '').split(/\s*;\s*/)
  const expected = [
    "default-src 'none'",
    "frame-ancestors 'none'",
    `script-src ${toSources(text, 'script')}`,
    `style-src ${toSources(text, 'style')}`,
  ]
  // The text of a script is not an element, and the namespace of SVG is not an address.
  const markup = text.replaceAll(/<script>.*?<\/script>/gs, '').replaceAll('http://www.w3.org/2000/svg', '')
  const [address] = /(https?:)?\/\/[\w.-]+/.exec(markup) ?? []
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
