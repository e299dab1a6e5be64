import { AsyncLocalStorage } from 'node:async_hooks'
import { readFileSync } from 'node:fs'
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda'
import { vi } from 'vitest'
import { feedsOf } from '../../lambda/feeds/registry.ts'
import { type ParameterStore, startParameterStore } from '../../local/parameter-store.ts'
import { expectDocumented } from '../contract/documented.ts'
import { stubParameterStore } from '../ssm-environment.ts'
import { symbol } from './changed-rows.ts'

/** What came of one request to a function. */
export interface Outcome {
  readonly response: APIGatewayProxyResult
  /** Everything that was written to the console for it. */
  readonly logged: unknown[]
  readonly tookMs: number
}

/** The functions as Lambda holds them: fresh from their start, with their RPC URLs loaded. */
export interface Container {
  getPrice(): Promise<Outcome>
  listPrices(): Promise<Outcome>
  /** Reads the feed at one endpoint, below all that makes a problem of what is thrown; gives what was thrown. */
  catchFault(rpcUrl: string): Promise<unknown>
}

const parameterName = '/faults'
const parameters = new Map<string, string>()

/** Starts the parameter store that every container reads, and tells the functions' environment of it. */
export async function startParameters(): Promise<ParameterStore> {
  const store = await startParameterStore(parameters)
  stubParameterStore(store.url)
  vi.stubEnv('RPC_URLS_PARAMETER_MAINNET', parameterName)
  vi.stubEnv('MAX_HEAD_AGE_SECONDS_MAINNET', '60')
  return store
}

const listEvent: APIGatewayProxyEvent = JSON.parse(readFileSync('local/events/list-prices.json', 'utf8'))
const priceEvent: APIGatewayProxyEvent = { ...listEvent, pathParameters: { symbol } }
const limits = () => ({ signal: AbortSignal.timeout(1_500), countRequest: () => {} })
const context = () => ({ getRemainingTimeInMillis: () => 10_000 }) as Context

let lastStart: Promise<unknown> = Promise.resolve()

/** Starts a container on other RPC URLs than any before; nothing that it learns is known to another. */
export async function startContainer(rpcUrls: string): Promise<Container> {
  // One after another: they share the module registry and the parameter.
  const started = lastStart.then(async () => {
    parameters.set(parameterName, rpcUrls)
    vi.resetModules()
    const { handler: getPrice } = await import('../../lambda/handlers/get-price.ts')
    const { handler: listPrices } = await import('../../lambda/handlers/list-prices.ts')
    const { readCall } = await import('../../lambda/chain/read-call.ts')
    const { loadRpcUrls } = await import('../../lambda/rpc-urls.ts')
    await loadRpcUrls('mainnet')
    const question = { network: 'mainnet', feeds: feedsOf('mainnet').slice(0, 1), maxHeadAgeSeconds: 60 } as const
    return {
      getPrice: () => observe(`/price/${symbol}`, () => getPrice(priceEvent, context())),
      listPrices: () => observe('/price', () => listPrices(listEvent, context())),
      catchFault: (rpcUrl: string) =>
        readCall(new URL(rpcUrl), question, undefined, limits()).then(
          () => undefined,
          (error: unknown) => error,
        ),
    }
  })
  lastStart = started.catch(() => {})
  return await started
}

const consoles = new AsyncLocalStorage<unknown[]>()

/** Keeps what is written to the console: with the request that it is written for, or for none. */
export function watchConsole(): readonly unknown[] {
  const unasked: unknown[] = []
  const write = (...words: unknown[]) => void (consoles.getStore() ?? unasked).push(...words)
  for (const method of ['debug', 'dir', 'error', 'info', 'log', 'table', 'trace', 'warn'] as const) {
    vi.spyOn(console, method).mockImplementation(write)
  }
  process.on('warning', write)
  return unasked
}

/** Asks, and expects an answer that openapi.yaml describes. */
async function observe(path: string, ask: () => Promise<APIGatewayProxyResult>): Promise<Outcome> {
  const logged: unknown[] = []
  const began = performance.now()
  const response = await consoles.run(logged, ask)
  const tookMs = performance.now() - began
  const { statusCode: status, headers = {}, body: text } = response
  expectDocumented({ method: 'GET', path, status, headers, text })
  return { response, logged, tookMs }
}
