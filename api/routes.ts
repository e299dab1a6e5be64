import type { successes } from './list.ts'
import { defaultNetwork, networks } from './networks.ts'

/** Every parameter of the API. */
export const parameters = {
  network: {
    in: 'query',
    required: false,
    description:
      'The network to read. Absent or empty means the mainnet; any other value is 400. If it is repeated, the last ' +
      'value counts. The name is case-sensitive, and parameters of other names are ignored: `?netwrok=testnet`, ' +
      '`?NETWORK=testnet` and `?network[]=testnet` read the mainnet. Caches do not key on them, so they would store an ' +
      'error for all callers.',
    schema: { type: 'string', enum: networks, default: defaultNetwork },
    example: defaultNetwork,
  },
  symbol: {
    in: 'path',
    required: true,
    description: "The token's ticker, case-insensitive, without percent-encoding. `/price` lists all of them.",
    schema: { type: 'string', minLength: 1 },
    example: 'CRWD',
  },
} as const

/** The name of a parameter. */
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
  readonly success: keyof typeof successes
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
    success: 'PriceList',
  },
  {
    path: '/price/{symbol}',
    operationId: 'getPrice',
    summary: 'One feed price record',
    description: 'What one feed returns, and what a lending market would be served, at one block.',
    handler: 'get-price',
    parameters: ['symbol', 'network'],
    success: 'PriceRecord',
  },
]

/** A route that API Gateway answers with a document, without a function. It is not in the description. */
export interface DocumentRoute {
  readonly path: string
  readonly document: 'board' | 'description' | 'reference'
}

export const documentRoutes: readonly DocumentRoute[] = [
  { path: '/', document: 'board' },
  { path: '/openapi.json', document: 'description' },
  { path: '/docs', document: 'reference' },
]
