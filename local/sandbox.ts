import { rm } from 'node:fs/promises'
import { type Network, networks } from '../api/networks.ts'
import registry from '../lambda/feeds/registry.json' with { type: 'json' }
import { type Chain, startChain, toChainKind } from './chains/chains.ts'
import { toStandInFeeds } from './chains/stand-in-feeds.ts'
import { type ParameterStore, startParameterStore } from './functions/parameter-store.ts'
import { createFunctions } from './functions/runtime.ts'
import type { Deployment } from './gateway/gateway.ts'
import type { Log } from './log.ts'
import { createRunFolder } from './run-folder.ts'
import { synthesise } from './synthesise.ts'
import { readTemplate, type Template } from './template/template.ts'

/** RPC URLs, and the option or environment variable that they are from. */
interface GivenRpcUrls {
  readonly name: string
  readonly rpcUrls: readonly string[]
}

/** The source of each network: a local chain, the RPC URLs of the deployed parameter, or other RPC URLs. */
export type Sources = Readonly<Record<Network, 'embedded' | 'deployed' | GivenRpcUrls>>

/** A deployment whose functions run. */
interface RunningDeployment extends Deployment {
  /** Stops the functions at once, and removes their bundles. */
  readonly stop: () => Promise<void>
}

/** A local run of the service without its gateway: template, functions, Parameter Store and chains. */
export interface Sandbox extends RunningDeployment, AsyncDisposable {
  readonly parameterStore: ParameterStore
  /** The values of Parameter Store, by name. Change one to rotate it. */
  readonly parameters: Map<string, string>
  /** The local chains, by network. */
  readonly chains: Partial<Record<Network, Chain>>
  /**
   * Synthesises the stack as it is now, above the same chains, and starts its functions.
   *
   * After an error, Parameter Store is as before, and nothing of the new deployment runs.
   */
  readonly redeploy: () => Promise<RunningDeployment>
}

/**
 * Synthesises the stack, bundles its functions, and starts the chains and a Parameter Store.
 *
 * @throws {StartFailure} when one of them does not start
 * @example
 * await using sandbox = await startSandbox({ mainnet: 'embedded', testnet: 'deployed' })
 */
export async function startSandbox(sources: Sources, log?: Log): Promise<Sandbox> {
  await using started = new AsyncDisposableStack()
  const startingChains = startChains(sources, started)
  const parameters = new Map<string, string>()
  const parameterStore = await startParameterStore(parameters)
  started.defer(parameterStore.stop)

  const stops = new Set<() => Promise<void>>()
  started.defer(async () => void (await Promise.all([...stops].map(stop => stop()))))

  async function redeploy(): Promise<RunningDeployment> {
    const { stop: stopAll, ...deployment } = await startDeployment(parameterStore, log)
    const stop = () => stopAll().then(() => void stops.delete(stop))
    stops.add(stop)
    try {
      const values = toParameters(deployment.template, sources, await startingChains)
      for (const [name, value] of values) parameters.set(name, value)
      return { ...deployment, stop }
    } catch (error) {
      await stop()
      throw error
    }
  }

  const deploying = redeploy()
  // Waits for both, so that everything that has started is stopped when the other one fails.
  await Promise.allSettled([deploying, startingChains])
  const deployment = await deploying
  const chains = await startingChains
  const owned = started.move()
  return {
    ...deployment,
    parameterStore,
    parameters,
    chains,
    redeploy,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

/** Starts the local chains at once. Disposing `started` stops each that has started, also when another one fails. */
async function startChains(sources: Sources, started: AsyncDisposableStack): Promise<Sandbox['chains']> {
  const starting = networks.map(async network => {
    if (sources[network] !== 'embedded') return []
    const startedAt = Math.floor(Date.now() / 1_000)
    const feeds = toStandInFeeds(network, registry[network], startedAt)
    const chain = await startChain({ ...toChainKind(network), feeds })
    started.defer(chain.stop)
    return [[network, chain] as const]
  })
  await Promise.allSettled(starting)
  return Object.fromEntries((await Promise.all(starting)).flat())
}

/** Synthesises the stack into a folder of its own, and creates its functions. */
async function startDeployment({ variables }: ParameterStore, log?: Log): Promise<RunningDeployment> {
  const folder = await createRunFolder()
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    const template = await readTemplate(await synthesise(folder))
    const functions = createFunctions({ functions: template.functions, variables, ...(log && { log }) })
    return { template, functions, stop: () => functions.stop().then(remove) }
  } catch (error) {
    await remove()
    throw error
  }
}

/** Returns the values of the template's parameters, with the RPC URLs of the sources. */
function toParameters(template: Template, sources: Sources, chains: Sandbox['chains']): Map<string, string> {
  const values = new Map(template.parameters)
  for (const network of networks) {
    const source = sources[network]
    const rpcUrls = typeof source === 'object' ? source.rpcUrls.join(' ') : chains[network]?.rpcUrl
    if (rpcUrls !== undefined) values.set(findParameterName(template, network), rpcUrls)
  }
  return values
}

/** Finds the name of the parameter with a network's RPC URLs in the environment variables of the functions. */
function findParameterName({ functions }: Template, network: Network): string {
  const variable = `RPC_URLS_PARAMETER_${network.toUpperCase()}`
  const names = [...functions.values()].map(({ environment }) => environment[variable])
  const name = names.find(candidate => candidate !== undefined)
  if (name === undefined) throw new Error(`No function of the template has the variable ${variable}.`)
  return name
}
