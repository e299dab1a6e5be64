import { devNull } from 'node:os'
import type { APIGatewayProxyResult, Context } from 'aws-lambda'
import { type Network, networkFacts, networks } from '../api/networks.ts'
import { type PriceRoute, priceRoutes } from '../api/routes.ts'
import { findRegistryErrors } from '../api/schemas/find-registry-errors.ts'
import registry from '../lambda/feeds/registry.json' with { type: 'json' }
import { toVariables, variables } from '../lambda/settings.ts'
import { functionMs } from '../lambda/timing.ts'
import { type Chain, startChain, toChainKind } from './chains/chains.ts'
import { toStandInFeeds } from './chains/stand-in-feeds.ts'
import { type ParameterStore, startParameterStore } from './parameter-store.ts'
import { StartFailure } from './run-command.ts'
import { localSettings } from './settings.ts'

/**
 * The source of each network: a local chain, the public RPC URL that a stack stores in its parameter, or other RPC
 * URLs, which the functions check.
 */
export type Sources = Readonly<Record<Network, 'embedded' | 'deployed' | readonly string[]>>

/** The handler of a function, as Lambda calls it. Its context has what middy reads. */
type Handler = (event: unknown, context: Pick<Context, 'getRemainingTimeInMillis'>) => Promise<APIGatewayProxyResult>

export interface Service extends AsyncDisposable {
  readonly parameterStore: ParameterStore
  /** The RPC URLs of each network in Parameter Store. Change one to rotate it. */
  readonly parameters: Map<string, string>
  readonly chains: Partial<Record<Network, Chain>>
  /** Invokes the handler of a route once. */
  readonly invoke: (route: PriceRoute, event: unknown) => Promise<APIGatewayProxyResult>
}

/**
 * Starts the chains and Parameter Store, sets the environment of the functions, and imports their handlers.
 *
 * They start one after another: when one does not start, those before it are stopped, and nothing else has started. No
 * variable of the shell that is left can make a handler send requests to another Parameter Store.
 *
 * @throws {StartFailure} when one of them does not start, or the registry has errors
 * @example
 * await using service = await startService({ mainnet: 'embedded', testnet: 'deployed' })
 */
export async function startService(sources: Sources): Promise<Service> {
  checkRegistry()
  await using started = new AsyncDisposableStack()
  const chains = await startChains(sources, started)
  const rpcUrls = networks.map(network => [network, toRpcUrls(network, sources[network], chains[network])] as const)
  const parameters = new Map<string, string>(rpcUrls)
  const parameterStore = await startParameterStore(parameters)
  started.defer(parameterStore.stop)
  setEnvironment(parameterStore)
  // The lines of the request log are discarded. Errors are printed.
  console.info = console.warn = () => {}
  const handlers = await importHandlers()
  const owned = started.move()
  return {
    parameterStore,
    parameters,
    chains,
    async invoke({ handler }, event) {
      const deadline = performance.now() + functionMs
      const invoked = handlers.get(handler)
      if (invoked === undefined) throw new RangeError(`There is no handler ${handler}.`)
      return await invoked(event, {
        getRemainingTimeInMillis: () => Math.max(0, Math.round(deadline - performance.now())),
      })
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

function checkRegistry(): void {
  const errors = findRegistryErrors(registry)
  if (errors.length > 0) throw new StartFailure(['lambda/feeds/registry.json has errors.', ...errors].join('\n  '))
}

/** Starts the chain of each network that has a local one. The stack stops those that have started. */
async function startChains(sources: Sources, started: AsyncDisposableStack): Promise<Service['chains']> {
  const chains: Partial<Record<Network, Chain>> = {}
  for (const network of networks.filter(name => sources[name] === 'embedded')) {
    const feeds = toStandInFeeds(network, registry[network], Math.floor(Date.now() / 1_000))
    const chain = await startChain({ ...toChainKind(network), feeds })
    started.defer(chain.stop)
    chains[network] = chain
  }
  return chains
}

/** Returns the RPC URLs of a network, as its parameter has them. */
function toRpcUrls(network: Network, source: Sources[Network], chain: Chain | undefined): string {
  if (chain !== undefined) return chain.rpcUrl
  return typeof source === 'string' ? networkFacts[network].rpcUrl : source.join(' ')
}

/**
 * Replaces the shell's variables that AWS's client and the handlers read. Both read them when they are loaded or first
 * used, so this comes before.
 */
function setEnvironment(parameterStore: ParameterStore): void {
  const ofShell = Object.keys(process.env).filter(name => name.startsWith('AWS_'))
  for (const name of [...ofShell, variables.publicBaseUrl]) delete process.env[name]
  Object.assign(process.env, toVariables(localSettings), parameterStore.variables, {
    AWS_REGION: 'us-east-1',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_CONFIG_FILE: devNull,
    AWS_SHARED_CREDENTIALS_FILE: devNull,
  })
}

/** Imports the handlers, which read their environment when they are loaded. */
async function importHandlers(): Promise<ReadonlyMap<string, Handler>> {
  const handlers = new Map<string, Handler>()
  for (const { handler: name } of priceRoutes) {
    const { handler }: { readonly handler: Handler } = await import(`../lambda/handlers/${name}.ts`)
    handlers.set(name, handler)
  }
  return handlers
}
