import { type Network, networks } from '../../lambda/feeds/registry.ts'
import { createFunctions, type Functions } from '../../local/runtime.ts'
import { startSandbox } from '../../local/sandbox.ts'
import type { LambdaFunction, Template } from '../../local/template.ts'
import { type KnownFeeds, startKnownFeeds } from './known-feeds.ts'
import { type MortalProxy, startMortalProxy } from './mortal-proxy.ts'

/** Little, so that a function that keeps what it need not keep dies of it. */
const memoryMb = 64

/** All that is loaded: what would be deployed, above feeds that we know and endpoints that can die. */
export interface Deployment extends AsyncDisposable {
  readonly template: Template
  readonly known: Readonly<Record<Network, KnownFeeds>>
  /** Two for each network, in order of preference. */
  readonly endpoints: Readonly<Record<Network, readonly [MortalProxy, MortalProxy]>>
  /** Creates containers of its own for every function, which may be changed before. */
  readonly createFunctions: (change?: (fn: LambdaFunction) => LambdaFunction) => Functions
}

const names = { mainnet: '/price-lookup/dev/rpc-urls/mainnet', testnet: '/price-lookup/dev/rpc-urls/testnet' }

/**
 * Starts all that is loaded.
 *
 * @param complain is told what a function logs as an error.
 */
export async function startDeployment(complain: (what: string) => void): Promise<Deployment> {
  await using started = new AsyncDisposableStack()
  const sandbox = started.use(await startSandbox({ mainnet: 'embedded', testnet: 'embedded' }))
  const startNetwork = async (network: Network) => {
    const rpcUrl = sandbox.chains[network]?.rpcUrl ?? ''
    const pair = [await startMortalProxy(rpcUrl), await startMortalProxy(rpcUrl)] as const
    for (const endpoint of pair) started.defer(endpoint.die)
    sandbox.parameters.set(names[network], pair.map(({ url }) => url).join(' '))
    return { pair, feeds: await startKnownFeeds(network, rpcUrl) }
  }
  const [mainnet, testnet] = await Promise.all([startNetwork('mainnet'), startNetwork('testnet')])
  const { template } = sandbox
  const variables = { AWS_ENDPOINT_URL_SSM: sandbox.parameterStore.url }
  const held = started.move()
  return {
    template,
    known: { mainnet: mainnet.feeds, testnet: testnet.feeds },
    endpoints: { mainnet: mainnet.pair, testnet: testnet.pair },
    createFunctions(change = fn => fn) {
      const functions = createFunctions({
        functions: new Map([...template.functions].map(([id, fn]) => [id, change({ ...fn, memoryMb })])),
        variables,
        log: ({ level, text }) => (level === 'error' ? complain(`A function logged: ${text}`) : undefined),
      })
      held.defer(functions.stop)
      return functions
    },
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  }
}

/** Makes the endpoints of one place, in every network, die or come back. */
export async function setEndpoints({ endpoints }: Deployment, place: 0 | 1, change: 'die' | 'comeBack'): Promise<void> {
  await Promise.all(networks.map(network => endpoints[network][place][change]()))
}
