import { gatewayBodies } from './gateway-bodies.ts'
import { cacheControl, cors, corsHeaders, freshSeconds, toLink } from './headers.ts'
import { formatNetworks } from './networks.ts'
import { Problem, type ProblemSlug, problemSlugs, problems } from './problems.ts'
import type { DocumentRoute, PriceRoute } from './routes.ts'

/** A header that every response of a kind has: its only value, or the form of its values. */
export interface Header {
  /** Its name as a component of the description of the API. */
  readonly component: string
  readonly description: string
  readonly value: string | number | RegExp
  readonly example?: string
}

export type Headers = Readonly<Record<string, Header>>

const anyOrigin: Headers = {
  'Access-Control-Allow-Origin': {
    component: 'AnyOrigin',
    description: 'Every origin may read the response.',
    value: cors.origin,
  },
}

const link: Headers = {
  Link: {
    component: 'Documents',
    description:
      'The URLs of the description of the API, for programs (`service-desc`), and of the reference, for people ' +
      '(`service-doc`), by RFC 8631. They are the same for every request of a deployment.',
    value: /^<https?:\/\/.+\/openapi\.json>; rel="service-desc", <https?:\/\/.+\/docs>; rel="service-doc"$/,
    example: toLink('https://prices.example/v1'),
  },
}

export const priceHeaders: Headers = {
  ...anyOrigin,
  'Cache-Control': {
    component: 'UntilExpired',
    description:
      'A cache may keep the response until `Expires`. Then it must revalidate it, and must not serve it when that ' +
      'fails. There is no `max-age`, which every cache would count from its own start.',
    value: cacheControl.price,
  },
  ...link,
  Expires: {
    component: 'Expires',
    description: `The HTTP date ${freshSeconds} seconds after \`readAt\`, rounded down to the second.`,
    value: /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
    example: 'Fri, 20 Nov 2026 21:56:43 GMT',
  },
}

/** The headers of the gateway's documents, which the description of the API does not have. */
export const documentHeaders = {
  ...corsHeaders,
  'Cache-Control': cacheControl.document,
  'X-Content-Type-Options': 'nosniff',
} as const

/** The headers of a page. Besides, each page has a content security policy of its own. */
export const pageHeaders = { ...documentHeaders, 'Referrer-Policy': 'no-referrer' } as const

const problemHeaders: Headers = {
  ...anyOrigin,
  'Cache-Control': {
    component: 'NotStored',
    description:
      "No cache may keep the response. The stage's own cache does not read this header and may repeat a problem for " +
      `its ${freshSeconds} seconds.`,
    value: cacheControl.problem,
  },
  ...link,
}

const exampleBySlug: Readonly<Record<ProblemSlug, Problem>> = {
  'unknown-network': new Problem('unknown-network', { networks: formatNetworks() }),
  'unknown-symbol': new Problem('unknown-symbol', { network: 'mainnet', list: '/price', elsewhere: '' }, []),
  'unknown-route': new Problem('unknown-route'),
  'too-many-requests': new Problem('too-many-requests'),
  'feed-unreadable': new Problem('feed-unreadable', { reason: 'latestDetail() reverted or ran out of gas' }),
  'chain-unavailable': new Problem('chain-unavailable'),
  'not-configured': new Problem('not-configured'),
  internal: new Problem('internal'),
}

/** An example of each problem, in the order of `problems`. */
export const problemExamples: readonly Problem[] = problemSlugs.map(slug => exampleBySlug[slug])

export interface ProblemResponse {
  readonly status: number
  /** The last part of the type; `about:blank` for a refusal of the gateway. */
  readonly slug: ProblemSlug | 'about:blank'
  readonly headers: Headers
  /** An example of the body. */
  readonly body: { readonly title: string; readonly detail: string }
}

const { refused, unsupportedMediaType, failed } = gatewayBodies

/** The problems that the gateway itself sends on every route. */
const problemsOfGateway: readonly ProblemResponse[] = [
  toRefusal(400, refused),
  toRefusal(403, refused),
  ...toProblemResponses(['too-many-requests']),
  { status: 500, slug: 'internal', headers: problemHeaders, body: failed },
]

/** The problems of a function that failed (502), and of one that took too long (504). */
const problemsOfFailure: readonly ProblemResponse[] = [502, 504].map(status => {
  return { status, slug: 'internal', headers: problemHeaders, body: { ...new Problem('internal').body, status } }
})

/** Lists the problems that a route can have, in order of their status if a function answers it. */
export function listProblems(route: PriceRoute | DocumentRoute): readonly ProblemResponse[] {
  if (!('handler' in route)) return preflightProblems
  const sent = problemSlugs.filter(slug => ['functions', route.handler].includes(problems[slug].sentBy))
  const all = [...toProblemResponses(sent), ...problemsOfFailure, ...problemsOfGateway]
  return all.toSorted((a, b) => a.status - b.status)
}

/** The problems of preflights, and of documents. */
export const preflightProblems: readonly ProblemResponse[] = [
  toRefusal(415, unsupportedMediaType),
  ...problemsOfGateway,
]

/** The problems of every path and method that the API does not have. */
export const problemsElsewhere: readonly ProblemResponse[] = [
  ...toProblemResponses(['unknown-route']),
  ...problemsOfGateway,
]

function toRefusal(status: number, body: ProblemResponse['body']): ProblemResponse {
  return { status, slug: 'about:blank', headers: problemHeaders, body }
}

function toProblemResponses(slugs: readonly ProblemSlug[]): readonly ProblemResponse[] {
  return problemExamples
    .filter(({ slug }) => slugs.includes(slug))
    .map(({ slug, body, retryAfterSeconds: seconds }) => ({
      status: body.status,
      slug,
      headers: { ...problemHeaders, ...(seconds !== undefined && { 'Retry-After': toRetryAfter(seconds) }) },
      body,
    }))
}

function toRetryAfter(value: number): Header {
  return { component: `RetryAfter${value}`, description: 'Seconds to wait before the next request.', value }
}
