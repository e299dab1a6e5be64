import { defaultNetwork, networks } from './networks.ts'

/** The stage of the API: the first segment of its paths, and its version. */
export const stageName = 'v1'

export const parameters = {
  network: {
    in: 'query',
    required: false,
    description:
      'The network to read: `mainnet`, which is the default and the meaning of an empty value, or `testnet`. Any other ' +
      'value is 400. If it is repeated, the last value counts. The name is case-sensitive, and parameters of other ' +
      'names are ignored: `?netwrok=testnet`, `?NETWORK=testnet` and `?network[]=testnet` read the mainnet. If they ' +
      'were an error, the cache, whose key does not have them, would also return that error for a request without them.',
    schema: { type: 'string', enum: networks, default: defaultNetwork },
    example: defaultNetwork,
  },
  symbol: {
    in: 'path',
    required: true,
    description:
      "The feed's symbol, case-insensitive. One with percent-encoding is unknown (404). `GET /price` lists those of a network.",
    schema: { type: 'string', minLength: 1 },
    example: 'CRWD',
  },
} as const

type ParameterName = keyof typeof parameters

/** A route that a function answers. The stage caches GET, and its parameters are the cache key. */
export interface PriceRoute {
  readonly path: string
  readonly operationId: string
  readonly summary: string
  readonly description: string
  /** The function, and the file of its handler. */
  readonly handler: 'list-prices' | 'get-price'
  readonly parameters: readonly ParameterName[]
  readonly body: 'PriceList' | 'PriceRecord'
}

export const priceRoutes: readonly PriceRoute[] = [
  {
    path: '/price',
    operationId: 'listPrices',
    summary: 'Every feed of a network',
    description:
      'The record of every feed in order of the symbols, each with the URL of its price, all at one block. A feed that ' +
      'cannot be read is an entry with a `problem`.',
    handler: 'list-prices',
    parameters: ['network'],
    body: 'PriceList',
  },
  {
    path: '/price/{symbol}',
    operationId: 'getPrice',
    summary: 'One feed price record',
    description: 'The price record of one feed, at one block.',
    handler: 'get-price',
    parameters: ['symbol', 'network'],
    body: 'PriceRecord',
  },
]

/** A route that API Gateway answers with a document, without a function. It is not in the description. */
export interface DocumentRoute {
  readonly path: string
  readonly document: 'board' | 'description' | 'reference'
  /** Whether it is a page in HTML, with a policy of its own. Otherwise it is JSON. */
  readonly isPage: boolean
}

export const documentRoutes: readonly DocumentRoute[] = [
  { path: '/', document: 'board', isPage: true },
  { path: '/openapi.json', document: 'description', isPage: false },
  { path: '/docs', document: 'reference', isPage: true },
]

/**
 * Finds the route of a path below the stage. A slash at its end is ignored; a parameter is a segment that is not empty.
 *
 * @returns the route, and its path parameters as they were sent, percent-encoding included. As in an event of API
 *   Gateway, they are null for a route without any. Undefined if the API has no such route.
 */
export function findRoute(path: string) {
  for (const route of [...priceRoutes, ...documentRoutes]) {
    const pattern = RegExp.escape(route.path).replace(/\\\{(\w+)\\\}/, '(?<$1>[^/]+)')
    const match = new RegExp(`^${pattern}$`).exec(path.replace(/(?<=[^/])\/$/, '') || '/')
    if (match !== null) return { route, pathParameters: match.groups ? { ...match.groups } : null }
  }
  return undefined
}
