import { keysOf } from './keys-of.ts'
import type { Network } from './networks.ts'

/**
 * Every problem of the API, by its slug: sender, HTTP status, title, fixed detail, and `Retry-After` in seconds.
 *
 * Names in braces in a detail are placeholders, but for `{SYMBOL}`. They are replaced by values of our own, never by a
 * caller's or an upstream's words.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9457
 */
export const problems = {
  'unknown-network': {
    sentBy: 'functions',
    status: 400,
    title: 'Unknown network',
    detail: 'The query parameter "network" takes {networks}.',
  },
  'unknown-symbol': {
    sentBy: 'get-price',
    status: 404,
    title: 'Unknown symbol',
    detail: 'This service has no feed of that symbol on the {network}. GET {list} lists its feeds.{elsewhere}',
  },
  'unknown-route': {
    sentBy: 'gateway',
    status: 404,
    title: 'Unknown route',
    detail: 'Prices are at GET /price and GET /price/{SYMBOL}; GET /openapi.json describes the whole API.',
  },
  'too-many-requests': {
    sentBy: 'gateway',
    status: 429,
    title: 'Too many requests',
    detail: 'Requests come faster than this deployment allows. Slow down.',
    retryAfterSeconds: 1,
  },
  /** The chain was read, but this contract's `latestDetail()` does not behave as a feed's. */
  'feed-unreadable': {
    sentBy: 'get-price',
    status: 502,
    title: 'Feed unreadable',
    detail: 'The chain answered, but this feed cannot be read: {reason}.',
  },
  /** No reading of the chain could be served, for example because no endpoint returned one in time. */
  'chain-unavailable': {
    sentBy: 'functions',
    status: 503,
    title: 'Chain unavailable',
    detail: 'No reading of the chain could be served. The state of its feeds is unknown.',
    retryAfterSeconds: 10,
  },
  'not-configured': {
    sentBy: 'functions',
    status: 500,
    title: 'Not configured',
    detail: 'This deployment has no usable RPC URLs for the network.',
  },
  /** The gateway sends this problem too, for a function that failed. */
  internal: {
    sentBy: 'functions',
    status: 500,
    title: 'Internal error',
    detail: 'Something went wrong on our side.',
  },
} as const satisfies Record<string, ProblemRow>

interface ProblemRow {
  /** Every function, that of one route, or API Gateway itself. */
  readonly sentBy: 'functions' | 'get-price' | 'gateway'
  readonly status: number
  readonly title: string
  readonly detail: string
  readonly retryAfterSeconds?: number
}

/** The last part of a problem's type. */
export type ProblemSlug = keyof typeof problems

export const problemSlugs: readonly ProblemSlug[] = keysOf(problems)

const typePrefix = 'urn:problem-type:price-lookup:'

export function toProblemType(slug: ProblemSlug): `${typeof typePrefix}${ProblemSlug}` {
  return `${typePrefix}${slug}`
}

/** The body of a problem response that a function sends, `application/problem+json`. */
export interface ProblemBody {
  readonly type: ReturnType<typeof toProblemType>
  readonly title: string
  readonly status: number
  readonly detail: string
  /** Only `unknown-symbol` has it, and always: the other networks that have a feed of the symbol. */
  readonly networks?: readonly Network[]
}

/**
 * The names in braces in a detail. `{SYMBOL}` is not one of them: it is part of a path, which `unknown-route` names.
 */
type Placeholder<Detail extends string> = Detail extends `${string}{${infer Name}}${infer Rest}`
  ? Exclude<Name, 'SYMBOL'> | Placeholder<Rest>
  : never

/** A value for each placeholder in the detail of a problem. */
type Values<Slug extends ProblemSlug> = Readonly<Record<Placeholder<(typeof problems)[Slug]['detail']>, string>>

/** What a problem is created from. Values are required if its detail has placeholders, and not accepted otherwise. */
type ProblemParameters = {
  [Slug in ProblemSlug]: Slug extends 'unknown-symbol'
    ? [slug: Slug, values: Values<Slug>, networks: readonly Network[]]
    : keyof Values<Slug> extends never
      ? [slug: Slug]
      : [slug: Slug, values: Values<Slug>]
}[ProblemSlug]

/**
 * A failure that a caller can distinguish from others. The parser of a request throws it; a read and a route return it;
 * `handlers/http` sends it.
 */
export class Problem extends Error {
  readonly slug: ProblemSlug
  readonly body: ProblemBody
  readonly retryAfterSeconds: number | undefined

  constructor(...[slug, values, networks]: ProblemParameters) {
    super(slug)
    const texts: Readonly<Record<string, string>> = values ?? {}
    const { status, title, detail, retryAfterSeconds }: ProblemRow = problems[slug]
    this.slug = slug
    this.body = {
      type: toProblemType(slug),
      title,
      status,
      detail: detail.replace(/\{(\w+)\}/g, (placeholder, name) => texts[name] ?? placeholder),
      ...(networks && { networks }),
    }
    this.retryAfterSeconds = retryAfterSeconds
  }
}
