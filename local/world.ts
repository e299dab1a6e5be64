import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import registry from '../lambda/feeds/registry.json' with { type: 'json' }
import { type Chain, chainKinds, startChain } from './chains.ts'
import { createFunctions, type Functions } from './functions.ts'
import { type ParameterStore, startParameterStore } from './parameter-store.ts'
import { toStandInFeeds } from './stand-in-feeds.ts'
import { synthesise } from './synthesise.ts'
import { readTemplate, type Template } from './template.ts'

/** A network of the registry. */
type Network = keyof typeof registry

/** Where each network is read: at a chain on this machine, where its parameter says, or at other URLs. */
export type Sources = Readonly<Record<Network, 'embedded' | 'deployed' | { readonly rpcUrls: string }>>

/** All that the service runs on, on this machine: its template, its functions, their parameters and the chains. */
export interface World extends AsyncDisposable {
  readonly template: Template
  readonly functions: Functions
  readonly parameterStore: ParameterStore
  /** What Parameter Store holds, by name: change it to rotate a value. */
  readonly parameters: Map<string, string>
  /** The chains on this machine, by network. */
  readonly chains: Partial<Record<Network, Chain>>
}

/**
 * Starts all that the service runs on: synthesises the stack, bundles its functions, starts chains and a Parameter Store.
 *
 * @throws {StartFailure} when a part of it cannot be started.
 */
export async function startWorld(sources: Sources): Promise<World> {
  await using started = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'price-lookup-'))
  started.defer(() => rm(folder, { recursive: true }))
  const synthesised = synthesise(folder)
  const chains: Partial<Record<Network, Chain>> = {}
  const starting = networks.map(async network => {
    if (sources[network] !== 'embedded') return
    const chain = await startNetwork(network)
    started.defer(chain.stop)
    chains[network] = chain
  })
  const failed = (await Promise.allSettled([synthesised, ...starting])).find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected') throw failed.reason

  const template = await readTemplate(await synthesised)
  const parameters = new Map(template.parameters)
  for (const network of networks) {
    const source = sources[network]
    const rpcUrls = typeof source === 'object' ? source.rpcUrls : chains[network]?.rpcUrl
    if (rpcUrls !== undefined) parameters.set(findParameterName(template, network), rpcUrls)
  }
  const parameterStore = await startParameterStore(parameters)
  started.defer(parameterStore.stop)
  const functions = createFunctions({
    functions: template.functions,
    variables: { AWS_ENDPOINT_URL_SSM: parameterStore.url },
  })
  started.defer(functions.stop)
  const held = started.move()
  return { template, functions, parameterStore, parameters, chains, [Symbol.asyncDispose]: () => held.disposeAsync() }
}

const networks = ['mainnet', 'testnet'] as const

function startNetwork(network: Network): Promise<Chain> {
  const startedAt = Math.floor(Date.now() / 1_000)
  return startChain({ ...chainKinds[network], feeds: toStandInFeeds(network, registry[network], startedAt) })
}

/** Finds the parameter that the functions read a network's RPC URLs from. */
function findParameterName({ functions }: Template, network: Network): string {
  const variable = `RPC_URLS_PARAMETER_${network.toUpperCase()}`
  const names = [...functions.values()].map(({ environment }) => environment[variable])
  const name = names.find(one => one !== undefined)
  if (name === undefined) throw new Error(`No function of the template has the variable ${variable}.`)
  return name
}
