import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import registry from '../lambda/feeds/registry.json' with { type: 'json' }
import { type Network, networks } from '../lambda/networks.ts'
import { type Chain, startChain, toChainKind } from './chains.ts'
import { type ParameterStore, startParameterStore } from './parameter-store.ts'
import { createFunctions, type Functions } from './runtime.ts'
import { toStandInFeeds } from './stand-in-feeds.ts'
import { synthesise } from './synthesise.ts'
import { readTemplate, type Template } from './template.ts'

/** The source of each network: a local chain, the RPC URLs of the deployed parameter, or other RPC URLs. */
export type Sources = Readonly<Record<Network, 'embedded' | 'deployed' | { readonly rpcUrls: string }>>

/** A local run of the service without its gateway: template, functions, Parameter Store and chains. */
export interface Sandbox extends AsyncDisposable {
  readonly template: Template
  readonly functions: Functions
  readonly parameterStore: ParameterStore
  /** The values of Parameter Store, by name. Change one to rotate it. */
  readonly parameters: Map<string, string>
  /** The local chains, by network. */
  readonly chains: Partial<Record<Network, Chain>>
}

/**
 * Synthesises the stack, bundles its functions, and starts the chains and a Parameter Store.
 *
 * @param hasEdge whether CloudFront is played before the API
 * @throws {StartFailure} when one of them does not start.
 * @example
 * await using sandbox = await startSandbox({ mainnet: 'embedded', testnet: 'deployed' })
 */
export async function startSandbox(sources: Sources, hasEdge = false): Promise<Sandbox> {
  await using started = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'price-lookup-'))
  started.defer(() => rm(folder, { recursive: true }))
  const chains: Partial<Record<Network, Chain>> = {}
  const starting = networks.map(async network => {
    if (sources[network] !== 'embedded') return
    const startedAt = Math.floor(Date.now() / 1_000)
    const feeds = toStandInFeeds(network, registry[network], startedAt)
    const chain = await startChain({ ...toChainKind(network), feeds })
    started.defer(chain.stop)
    chains[network] = chain
  })
  const synthesised = synthesise(folder, hasEdge)
  // Waits for all of them, so that whatever has started is stopped when another one fails.
  await Promise.allSettled([synthesised, ...starting])
  // The synthesis has the better sentence about a fault of the registry.
  const template = await readTemplate(await synthesised)
  await Promise.all(starting)

  const parameters = new Map(template.parameters)
  for (const network of networks) {
    const source = sources[network]
    const rpcUrls = typeof source === 'object' ? source.rpcUrls : chains[network]?.rpcUrl
    if (rpcUrls !== undefined) parameters.set(findParameterName(template, network), rpcUrls)
  }
  const parameterStore = await startParameterStore(parameters)
  started.defer(parameterStore.stop)
  // The API is at the local gateway's URL, not at a domain of the environment.
  const variables = { AWS_ENDPOINT_URL_SSM: parameterStore.url, PUBLIC_BASE_URL: '' }
  const functions = createFunctions({ functions: template.functions, variables })
  started.defer(functions.stop)
  const owned = started.move()
  return { template, functions, parameterStore, parameters, chains, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

/** Finds the name of the parameter with a network's RPC URLs in the environment variables of the functions. */
function findParameterName({ functions }: Template, network: Network): string {
  const variable = `RPC_URLS_PARAMETER_${network.toUpperCase()}`
  const names = [...functions.values()].map(({ environment }) => environment[variable])
  const name = names.find(one => one !== undefined)
  if (name === undefined) throw new Error(`No function of the template has the variable ${variable}.`)
  return name
}
