import { AsyncLocalStorage } from 'node:async_hooks'
import { readFileSync } from 'node:fs'
import type { APIGatewayProxyResult, Context } from 'aws-lambda'
import { vi } from 'vitest'
import type { Network } from '../../api/networks.ts'
import type { ProxyEvent } from '../../lambda/handlers/parse-request.ts'
import { parseSettings, toVariables } from '../../lambda/settings.ts'
import { functionMs } from '../../lambda/timing.ts'
import { type ParameterStore, startParameterStore } from '../../local/parameter-store.ts'
import { localSettings } from '../../local/settings.ts'
import { type FaultyNode, startFaultyNode } from './chain/faulty-node.ts'
import { until } from './clock.ts'
import { expectDocumented } from './contract/documented.ts'

/** The event of a request for the list, with what the functions read. */
export const listEvent: ProxyEvent = JSON.parse(readFileSync('local/events/list-prices.json', 'utf8'))
/** The header `Link` of a response to {@link listEvent}. */
export const links =
  '<https://abcdef1234.execute-api.us-east-1.amazonaws.com/v1/openapi.json>; rel="service-desc", <https://abcdef1234.execute-api.us-east-1.amazonaws.com/v1/docs>; rel="service-doc"'
export const contextWith = (remainingMs = functionMs) => ({ getRemainingTimeInMillis: () => remainingMs }) as Context

/** Sets the functions' environment: the settings of the local run, and this Parameter Store. */
export function stubEnvironment(parameterStoreUrl: string, accessKeyId = 'test'): void {
  vi.stubEnv('AWS_ENDPOINT_URL_SSM', parameterStoreUrl)
  vi.stubEnv('AWS_ACCESS_KEY_ID', accessKeyId)
  vi.stubEnv('AWS_REGION', 'us-east-1')
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test')
  for (const [name, value] of Object.entries(toVariables(localSettings))) vi.stubEnv(name, value)
}

/** Starts the Parameter Store of the functions. `vi.unstubAllEnvs()` undoes the environment. */
export async function startStubbedStore(parameters: ReadonlyMap<string, string>): Promise<ParameterStore> {
  const store = await startParameterStore(parameters)
  stubEnvironment(store.variables.AWS_ENDPOINT_URL_SSM, store.variables.AWS_ACCESS_KEY_ID)
  return store
}

/**
 * Starts a proxy of the functions' Parameter Store, which they use from now on. It calls a function before each
 * request.
 */
export async function startStoreProxy(store: ParameterStore, before: () => Promise<unknown>): Promise<FaultyNode> {
  const proxy = await startFaultyNode(async (response, body) => {
    await before()
    const { authorization = '', 'x-amz-target': target } = response.req.headers
    const headers = { Authorization: authorization, 'X-Amz-Target': `${target}` }
    const reply = await fetch(store.variables.AWS_ENDPOINT_URL_SSM, { method: 'POST', headers, body })
    response.end(await reply.text())
  })
  vi.stubEnv('AWS_ENDPOINT_URL_SSM', proxy.url.href)
  return proxy
}

/**
 * Ends work on a stopped clock, without the random pause that Parameter Store's client makes after a failed attempt.
 */
export async function withoutPauses<Value>(work: Promise<Value>): Promise<Value> {
  using _random = vi.spyOn(Math, 'random').mockReturnValue(0)
  let isOver = false
  const ended = work.finally(() => {
    isOver = true
  })
  await until(() => {
    vi.advanceTimersByTime(0)
    return isOver
  })
  return await ended
}

/**
 * Starts both functions in this process, with the state of one container: modules of their own, and loaded RPC URLs.
 */
export async function startContainer() {
  vi.resetModules()
  const getPrice = await import('../../lambda/handlers/get-price.ts')
  const listPrices = await import('../../lambda/handlers/list-prices.ts')
  const { loadRpcUrls } = await import('../../lambda/rpc-urls/load-rpc-urls.ts')
  await loadRpcUrls('mainnet', parseSettings(process.env)).loaded
  return {
    getPrice: (network: Network, symbol: string) =>
      observe(`/price/${symbol}`, () =>
        getPrice.handler(
          { ...listEvent, pathParameters: { symbol }, queryStringParameters: { network } },
          contextWith(),
        ),
      ),
    listPrices: (network: Network) =>
      observe('/price', () => listPrices.handler({ ...listEvent, queryStringParameters: { network } }, contextWith())),
  }
}

const consoles = new AsyncLocalStorage<unknown[]>()

/**
 * Captures what is written to the console for each request.
 *
 * @returns what is written for no request
 */
export function captureConsole(): readonly unknown[] {
  const outside: unknown[] = []
  const write = (...values: unknown[]) => void (consoles.getStore() ?? outside).push(...values)
  for (const method of ['debug', 'dir', 'error', 'info', 'log', 'table', 'trace', 'warn'] as const) {
    vi.spyOn(console, method).mockImplementation(write)
  }
  process.on('warning', write)
  return outside
}

/** Makes a request, and expects a documented response. Returns what was written to the console for it, too. */
async function observe(path: string, request: () => Promise<APIGatewayProxyResult>) {
  const logged: unknown[] = []
  const response = await consoles.run(logged, request)
  const { statusCode: status, headers = {}, body: text } = response
  expectDocumented({ method: 'GET', path, status, headers, text })
  return { response, logged }
}
