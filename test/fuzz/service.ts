import { readFileSync } from 'node:fs'
import type { APIGatewayProxyEvent, Context } from 'aws-lambda'
import { vi } from 'vitest'
import type { Feed, Network } from '../../lambda/feeds/registry.ts'
import { startParameterStore } from '../../local/parameter-store.ts'
import { expectDocumented } from '../contract/documented.ts'
import { stubParameterStore } from '../ssm-environment.ts'

/** A response, and everything that was logged for it. */
export interface Answered {
  readonly status: number
  readonly body: string
  /** Headers and log lines, as one text. */
  readonly said: string
}

/** The two functions in this process, in front of their RPC URLs. */
export interface Service extends AsyncDisposable {
  readonly getPrice: (network: Network, feed: Feed) => Promise<Answered>
  readonly listPrices: (network: Network) => Promise<Answered>
}

/** The API's public address. */
export const baseUrl = 'https://prices.example/v1'

const context = { getRemainingTimeInMillis: () => 10_000 } as Context
const plain: APIGatewayProxyEvent = JSON.parse(readFileSync('local/events/list-prices.json', 'utf8'))
const requestContext = { ...plain.requestContext, domainName: 'prices.example', path: '/v1/price' }

/** Starts the service as a container would. The age of the mainnet's blocks is bounded as in production. */
export async function startService(rpcUrls: Record<Network, string>): Promise<Service> {
  const store = await startParameterStore(new Map(Object.entries(rpcUrls)))
  const lines: unknown[] = []
  for (const level of ['log', 'info', 'warn', 'error'] as const) {
    vi.spyOn(console, level).mockImplementation((...line: unknown[]) => void lines.push(line))
  }
  stubParameterStore(store.url)
  vi.stubEnv('RPC_URLS_PARAMETER_MAINNET', 'mainnet')
  vi.stubEnv('RPC_URLS_PARAMETER_TESTNET', 'testnet')
  vi.stubEnv('MAX_HEAD_AGE_SECONDS_MAINNET', '60')
  const getPrice = await import('../../lambda/handlers/get-price.ts')
  const listPrices = await import('../../lambda/handlers/list-prices.ts')

  async function ask(
    path: string,
    handler: typeof getPrice.handler,
    event: Partial<APIGatewayProxyEvent>,
  ): Promise<Answered> {
    lines.length = 0
    const { statusCode, headers = {}, body } = await handler({ ...plain, requestContext, ...event }, context)
    expectDocumented({ method: 'GET', path, status: statusCode, headers, text: body })
    return { status: statusCode, body, said: JSON.stringify([headers, lines]) }
  }
  return {
    getPrice: (network, { symbol }) =>
      ask(`/price/${symbol}`, getPrice.handler, { pathParameters: { symbol }, queryStringParameters: { network } }),
    listPrices: network => ask('/price', listPrices.handler, { queryStringParameters: { network } }),
    async [Symbol.asyncDispose]() {
      vi.unstubAllEnvs()
      vi.restoreAllMocks()
      await store.stop()
    },
  }
}
