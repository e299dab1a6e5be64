import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import { about } from '../../api/about.ts'
import { preflight, toContentSecurityPolicy, toLink } from '../../api/headers.ts'
import { toProblemType } from '../../api/problems.ts'
import {
  documentHeaders,
  type Header,
  listProblems,
  type ProblemResponse,
  pageHeaders,
  preflightProblems,
  priceHeaders,
  problemsElsewhere,
} from '../../api/responses.ts'
import { type DocumentRoute, findRoute, type PriceRoute } from '../../api/routes.ts'
import { bodies } from '../../api/schemas/list.ts'
import { problemBody } from '../../api/schemas/problem-body.ts'
import { fieldsOf, formatText, formatValue, parseJson, type Reply } from './client.ts'

export type Received = Pick<Reply, 'method' | 'path' | 'status' | 'headers' | 'text'>

interface Expected {
  readonly status: number
  readonly headers: Readonly<Record<string, Pick<Header, 'value'>>>
  readonly mediaType?: string
  readonly findBodyMismatches: (text: string) => readonly string[]
}

/**
 * Finds how a reply differs from the API: in its status, headers, media type or body. A further field is a difference.
 *
 * @example
 * findContractMismatches(reply) // ['price: Invalid input: expected number, received string']
 */
export function findContractMismatches(reply: Received): readonly string[] {
  const all = listExpected(reply)
  const ofStatus = all.filter(({ status }) => status === reply.status)
  if (ofStatus.length === 0)
    return [`the expected statuses are ${[...new Set(all.map(({ status }) => status))].join(', ')}`]
  // Several problems can have one status. The reply must be one of them.
  const mismatches = ofStatus.map(expected => findMismatches(reply, expected))
  return mismatches.reduce((fewest, other) => (other.length < fewest.length ? other : fewest))
}

/** Finds signs of a stage that serves a former deployment: links or a description of another URL or version. */
export function findDeploymentMismatches(
  { method, path, headers, text }: Received,
  baseUrl: string,
): readonly string[] {
  const link = headers.get('link')
  const ofLink = link === null || link === toLink(baseUrl) ? [] : [`Link is ${formatValue(link)}`]
  if (method !== 'GET' || path !== '/openapi.json') return ofLink
  const { info, servers } = fieldsOf(parseJson(text))
  const server = fieldsOf(Array.isArray(servers) ? servers[0] : undefined)
  return [
    ...ofLink,
    ...(isDeepStrictEqual(info, about) ? [] : ['its info is of another version']),
    ...(server['url'] === baseUrl ? [] : [`its server is not ${baseUrl}`]),
  ]
}

function findMismatches({ method, headers, text }: Received, expected: Expected): readonly string[] {
  const ofHeaders = findHeaderMismatches(headers, expected.headers)
  if (method === 'HEAD') return [...ofHeaders, ...findText(text)]
  const mediaType = headers.get('content-type')?.replace(/;.*/s, '')
  const isExpectedType = expected.mediaType === undefined || mediaType === expected.mediaType
  const ofMediaType = isExpectedType ? [] : [`the media type is ${formatValue(mediaType)}`]
  return [...ofHeaders, ...ofMediaType, ...expected.findBodyMismatches(text)]
}

/** The headers that a response must not have if none is expected. */
const exclusive = ['Expires', 'Retry-After']

function findHeaderMismatches(headers: Headers, expected: Expected['headers']): readonly string[] {
  const wrong = Object.entries(expected).flatMap(([name, { value }]) => {
    const text = headers.get(name)
    if (text === null) return [`${name} is missing`]
    const isRight = value instanceof RegExp ? value.test(text) : text === String(value)
    return isRight ? [] : [`${name} is ${formatValue(text)}`]
  })
  const unexpected = exclusive.filter(name => !(name in expected) && headers.has(name))
  return [...wrong, ...unexpected.map(name => `${name} is unexpected`)]
}

function listExpected({ method, path }: Received): readonly Expected[] {
  const route = findRoute(path.replace(/\?.*$/s, ''))?.route
  if (route === undefined || !['GET', 'HEAD', 'OPTIONS'].includes(method)) return problemsElsewhere.map(toProblem)
  if (method === 'OPTIONS') {
    return [
      { status: 204, headers: toExact(preflight), findBodyMismatches: findText },
      ...preflightProblems.map(toProblem),
    ]
  }
  return [toSuccess(route), ...listProblems(route).map(toProblem)]
}

function toSuccess(route: PriceRoute | DocumentRoute): Expected {
  if ('handler' in route) {
    const findBodyMismatches = toJsonCheck(bodies[route.body])
    return { status: 200, headers: priceHeaders, mediaType: 'application/json', findBodyMismatches }
  }
  const { isPage } = route
  const mediaType = isPage ? 'text/html' : 'application/json'
  const headers = isPage
    ? { ...toExact(pageHeaders), 'Content-Security-Policy': { value: policy } }
    : toExact(documentHeaders)
  return { status: 200, headers, mediaType, findBodyMismatches: () => [] }
}

/** The policy of a page, with any hash of its script and of its style. */
const policy = new RegExp(
  `^${RegExp.escape(toContentSecurityPolicy('HASH', 'HASH')).replaceAll('HASH', "sha256-[^']+")}$`,
)

function toExact(headers: Readonly<Record<string, string>>): Expected['headers'] {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, { value }]))
}

function toProblem({ status, slug, headers, body }: ProblemResponse): Expected {
  const type = slug === 'about:blank' ? slug : toProblemType(slug)
  const isSame = (text: string) =>
    isDeepStrictEqual(withoutValues(fieldsOf(parseJson(text))), withoutValues({ ...body, type }))
  return {
    status,
    headers,
    mediaType: 'application/problem+json',
    findBodyMismatches: text => [
      ...toJsonCheck(problemBody)(text),
      ...(isSame(text) ? [] : [`the problem is not ${slug} of the status ${status}`]),
    ],
  }
}

/** Removes what depends on the request: the words of the detail, and which networks have the symbol. */
function withoutValues(problem: object): object {
  return { ...problem, detail: '', networks: 'networks' in problem }
}

function toJsonCheck(schema: z.ZodType) {
  return (text: string) => {
    const json = parseJson(text)
    const { data, error } = schema.safeParse(json)
    if (error) return error.issues.map(({ path, message }) => formatText(`${path.join('.') || 'the body'}: ${message}`))
    // The result of the schema has its fields in the schema's order (D9).
    return JSON.stringify(data) === JSON.stringify(json) ? [] : ['its fields are in another order']
  }
}

function findText(text: string): readonly string[] {
  return text === '' ? [] : ['the body is not empty']
}
