import { rm } from 'node:fs/promises'
import { type Network, networks } from '../api/networks.ts'
import registry from '../lambda/feeds/registry.json' with { type: 'json' }
import { type Chain, startChain, toChainKind } from './chains/chains.ts'
import { toStandInFeeds } from './chains/stand-in-feeds.ts'
import { type ParameterStore, startParameterStore } from './functions/parameter-store.ts'
import { createFunctions } from './functions/runtime.ts'
import type { Deployment } from './gateway/gateway.ts'
import { type Log, reportProblems } from './log.ts'
import { createRunFolder } from './run-folder.ts'
import { synthesise } from './synthesise.ts'
import { readTemplate, type Template } from './template/template.ts'

/** The source of each network: a local chain, the RPC URLs of the deployed parameter, or others, which the functions check. */
export type Sources = Readonly<Record<Network, 'embedded' | 'deployed' | readonly string[]>>

/** A local run of the service without its gateway: template, functions, Parameter Store and chains. */
export interface Sandbox extends Deployment, AsyncDisposable {
  readonly parameterStore: ParameterStore
  /** The values of Parameter Store, by name. Change one to rotate it. */
  readonly parameters: Map<string, string>
  /** The local chains, by network. */
  readonly chains: Partial<Record<Network, Chain>>
}

/**
 * Starts the chains, synthesises the stack with its bundles, and starts a Parameter Store and the functions.
 *
 * One after another: when one does not start, those before it are stopped, and nothing else has started.
 *
 * @throws {StartFailure} when one of them does not start
 * @example
 * await using sandbox = await startSandbox({ mainnet: 'embedded', testnet: 'deployed' })
 */
export async function startSandbox(sources: Sources, log: Log = reportProblems): Promise<Sandbox> {
  await using started = new AsyncDisposableStack()
  const chains: Partial<Record<Network, Chain>> = {}
  for (const network of networks.filter(candidate => sources[candidate] === 'embedded')) {
    const feeds = toStandInFeeds(network, registry[network], Math.floor(Date.now() / 1_000))
    const chain = await startChain({ ...toChainKind(network), feeds })
    started.defer(chain.stop)
    void chain.ended.then(cause => {
      if (cause === 'itself') log({ source: `chain of the ${network}`, level: 'error', text: 'has ended. Restart.' })
    })
    chains[network] = chain
  }
  const folder = await createRunFolder()
  started.defer(() => rm(folder, { recursive: true, force: true }))
  const template = await readTemplate(await synthesise(folder))
  const parameters = toParameters(template, sources, chains)
  const parameterStore = await startParameterStore(parameters)
  started.defer(parameterStore.stop)
  const { variables } = parameterStore
  const functions = createFunctions({ functions: template.functions, variables, log })
  started.defer(functions.stop)
  const owned = started.move()
  const dispose = () => owned.disposeAsync()
  return { template, functions, parameterStore, parameters, chains, [Symbol.asyncDispose]: dispose }
}

/** Returns the values of the template's parameters, with the RPC URLs of the sources. */
function toParameters(template: Template, sources: Sources, chains: Sandbox['chains']): Map<string, string> {
  const values = new Map(template.parameters)
  for (const network of networks) {
    const source = sources[network]
    const rpcUrls = typeof source === 'object' ? source.join(' ') : chains[network]?.rpcUrl
    if (rpcUrls !== undefined) values.set(findParameterName(template, network), rpcUrls)
  }
  return values
}

/** Finds the name of the parameter with a network's RPC URLs: the functions have it in a variable named after the network. */
function findParameterName({ functions }: Template, network: Network): string {
  const variables = [...functions.values()].flatMap(({ environment }) => Object.entries(environment))
  const [, name] = variables.find(([variable]) => variable.endsWith(`_${network.toUpperCase()}`)) ?? []
  if (name === undefined) throw new Error(`No function of the template has a variable for the ${network}.`)
  return name
}
