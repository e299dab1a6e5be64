import { AsyncLocalStorage } from 'node:async_hooks'
import { readFileSync } from 'node:fs'
import type { APIGatewayProxyEvent, Context } from 'aws-lambda'
import { vi } from 'vitest'
import { type Feed, type Network, networks } from '../../lambda/feeds/registry.ts'
import { startParameterStore } from '../../local/parameter-store.ts'
import { expectDocumented } from '../contract/documented.ts'
import { stubParameterStore } from '../ssm-environment.ts'

/** A response, and what was logged for it. */
export interface Answered {
  readonly status: number
  readonly body: string
  /** Headers and log lines, as one text. */
  readonly said: string
}

/** The two functions in this process, in front of their own RPC URLs. */
export interface Service {
  readonly getPrice: (network: Network, feed: Feed) => Promise<Answered>
  readonly listPrices: (network: Network) => Promise<Answered>
}

/** Services that read from one parameter store. */
export interface Services extends AsyncDisposable {
  readonly services: readonly Service[]
}

/** Where the API says that it is. */
export const baseUrl = 'https://prices.example/v1'

const context = { getRemainingTimeInMillis: () => 10_000 } as Context
const plain: APIGatewayProxyEvent = JSON.parse(readFileSync('local/events/list-prices.json', 'utf8'))
const requestContext = { ...plain.requestContext, domainName: 'prices.example', path: '/v1/price' }

const logStore = new AsyncLocalStorage<unknown[]>()

/** Starts services, each as a container of its own that has loaded its RPC URLs; the mainnet's blocks are bounded as in production. */
export async function startServices(rpcUrls: readonly Readonly<Record<Network, string>>[]): Promise<Services> {
  const parameters = rpcUrls.flatMap((urls, lane) =>
    networks.map(network => [`${network}-${lane}`, urls[network]] as const),
  )
  const store = await startParameterStore(new Map(parameters))
  for (const level of ['log', 'info', 'warn', 'error'] as const) {
    vi.spyOn(console, level).mockImplementation((...line: unknown[]) => void logStore.getStore()?.push(line))
  }
  stubParameterStore(store.url)
  vi.stubEnv('MAX_HEAD_AGE_SECONDS_MAINNET', '60')
  const services: Service[] = []
  for (const lane of rpcUrls.keys()) services.push(await startService(lane))
  return {
    services,
    async [Symbol.asyncDispose]() {
      vi.unstubAllEnvs()
      vi.restoreAllMocks()
      await store.stop()
    },
  }
}

async function startService(lane: number): Promise<Service> {
  for (const network of networks) vi.stubEnv(`RPC_URLS_PARAMETER_${network.toUpperCase()}`, `${network}-${lane}`)
  vi.resetModules()
  const getPrice = await import('../../lambda/handlers/get-price.ts')
  const listPrices = await import('../../lambda/handlers/list-prices.ts')
  const { loadRpcUrls } = await import('../../lambda/rpc-urls.ts')
  await loadRpcUrls('mainnet')

  async function ask(
    path: string,
    handler: typeof getPrice.handler,
    event: Partial<APIGatewayProxyEvent>,
  ): Promise<Answered> {
    const lines: unknown[] = []
    const {
      statusCode,
      headers = {},
      body,
    } = await logStore.run(lines, () => handler({ ...plain, requestContext, ...event }, context))
    expectDocumented({ method: 'GET', path, status: statusCode, headers, text: body })
    return { status: statusCode, body, said: JSON.stringify([headers, lines]) }
  }
  return {
    getPrice: (network, { symbol }) =>
      ask(`/price/${symbol}`, getPrice.handler, { pathParameters: { symbol }, queryStringParameters: { network } }),
    listPrices: network => ask('/price', listPrices.handler, { queryStringParameters: { network } }),
  }
}
