/** What a caller is told when there is no record: RFC 9457, `application/problem+json`. */
export interface ProblemDocument {
  readonly type: `urn:problem-type:price-lookup:${ProblemSlug}`
  readonly title: string
  readonly status: number
  readonly detail: string
}

/** Every problem's own word, with which its type ends. */
export const problemSlugs = [
  'unknown-network',
  'unknown-symbol',
  'unknown-route',
  'too-many-requests',
  'feed-unreadable',
  'chain-unavailable',
  'not-configured',
  'internal',
] as const

/** One of those words. */
export type ProblemSlug = (typeof problemSlugs)[number]

/**
 * A failure that a caller can tell apart from the others.
 *
 * Its words are ours alone: never a caller's, never an upstream's. Thrown anywhere, answered by `handlers/http`.
 */
export abstract class Problem extends Error {
  readonly slug: ProblemSlug
  readonly document: ProblemDocument
  /** Whole seconds after which asking again may help. */
  readonly retryAfterSeconds: number | undefined

  constructor(slug: ProblemSlug, status: number, title: string, detail: string, retryAfterSeconds?: number) {
    super(slug)
    this.slug = slug
    this.document = { type: `urn:problem-type:price-lookup:${slug}`, title, status, detail }
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** The query parameter `network` names no network that we serve. */
export class UnknownNetwork extends Problem {
  constructor() {
    super(
      'unknown-network',
      400,
      'Unknown network',
      'The query parameter "network" takes "mainnet", which is the default, or "testnet".',
    )
  }
}

/** No feed of the network has the symbol. */
export class UnknownSymbol extends Problem {
  /** @param list where the symbols of the network that was asked for are listed, as a path with its query */
  constructor(list: '/price' | '/price?network=testnet') {
    super(
      'unknown-symbol',
      404,
      'Unknown symbol',
      `This network has no feed of that symbol. GET ${list} lists its feeds.`,
    )
  }
}

/** The API has no such path, or the path no such method. Answered by the gateway itself. */
export class UnknownRoute extends Problem {
  constructor() {
    super(
      'unknown-route',
      404,
      'Unknown route',
      'Prices are at GET /price and GET /price/{SYMBOL}; GET /openapi.json describes the whole API.',
    )
  }
}

/** More requests came than the deployment allows. Answered by the gateway itself. */
export class TooManyRequests extends Problem {
  constructor() {
    super(
      'too-many-requests',
      429,
      'Too many requests',
      'Requests come faster than this service answers. Slow down.',
      1,
    )
  }
}

/** The chain answered, and the feed did not answer `latestDetail()` as a feed does. */
export class FeedUnreadable extends Problem {
  /** @param reason what the feed did instead, in our own words */
  constructor(reason: string) {
    super('feed-unreadable', 502, 'Feed unreadable', `The chain answered, but this feed cannot be read: ${reason}.`)
  }
}

/** Every way in which what we read from can fail us: a log learns this word, and never the endpoint's own (D25). */
export const faultKinds = [
  /** No whole answer in time. */
  'timeout',
  /** No connection, or one that broke. */
  'unreachable',
  /** HTTP 401 or 403: the key is not, or no longer, good. */
  'unauthorized',
  /** HTTP 429. */
  'rate-limited',
  /** Any other HTTP status than 200, redirects included. */
  'http-status',
  /** A body larger than any true answer. */
  'oversized',
  /** A body that is no JSON-RPC answer to our request. */
  'malformed-envelope',
  /** A JSON-RPC error. Reverts of feeds come as rows, so that no error of a node is a word about a feed. */
  'rpc-error',
  /** A result that is not exactly what Multicall3 answers to our calls. */
  'malformed-result',
  /** Another chain than the network's. */
  'wrong-chain',
  /** A head older than the network's limit. */
  'old-head',
  /** A head from the future. */
  'future-head',
  /** Another block than the one asked for. */
  'wrong-block',
  /** Parameter Store did not answer; or, where there are older URLs to go on with, answered with none that can be used. */
  'parameter-store',
] as const

/** One of those ways. */
export type FaultKind = (typeof faultKinds)[number]

/** How one endpoint failed; the endpoint by its place, as in `rpc-1`. */
export interface EndpointFault {
  readonly endpoint: string
  readonly kind: FaultKind
}

/** No RPC endpoint gave a valid answer in time, which says nothing about any feed. */
export class ChainUnavailable extends Problem {
  readonly faults: readonly EndpointFault[]

  constructor(faults: readonly EndpointFault[]) {
    super(
      'chain-unavailable',
      503,
      'Chain unavailable',
      'No valid answer came from the chain in time. This says nothing about any feed.',
      10,
    )
    this.faults = faults
  }
}

/** The parameter with the network's RPC URLs is missing or unusable. */
export class NotConfigured extends Problem {
  constructor() {
    super('not-configured', 500, 'Not configured', 'This deployment has no usable RPC URLs for the network.')
  }
}

/** Anything else. */
export class Internal extends Problem {
  constructor() {
    super('internal', 500, 'Internal error', 'Something went wrong on our side.')
  }
}
