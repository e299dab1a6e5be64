import { type Network, networks } from '../../lambda/networks.ts'
import { createFunctions, type Functions } from '../../local/runtime.ts'
import { startSandbox } from '../../local/sandbox.ts'
import type { LambdaFunction, Template } from '../../local/template.ts'
import { type FaultyNode, startProxyNode } from '../chain/faulty-node.ts'
import { type KnownFeeds, startKnownFeeds } from './known-feeds.ts'

/** Small, so that a memory leak ends a container. */
const memoryMb = 64

/** The service as it would be deployed, on feeds with known values and endpoints that can be stopped. */
export interface Deployment extends AsyncDisposable {
  readonly template: Template
  readonly known: Readonly<Record<Network, KnownFeeds>>
  /** Two for each network, in order of preference. */
  readonly endpoints: Readonly<Record<Network, readonly [FaultyNode, FaultyNode]>>
  /** Creates new containers for every function. The functions may be changed before. */
  readonly createFunctions: (change?: (fn: LambdaFunction) => LambdaFunction) => Functions
}

const names = { mainnet: '/price-lookup/dev/rpc-urls/mainnet', testnet: '/price-lookup/dev/rpc-urls/testnet' }

/**
 * Starts the deployment.
 *
 * @param fail called with each error that a function logs
 */
export async function startDeployment(fail: (what: string) => void): Promise<Deployment> {
  await using started = new AsyncDisposableStack()
  const sandbox = started.use(await startSandbox({ mainnet: 'embedded', testnet: 'embedded' }))
  const startNetwork = async (network: Network) => {
    const rpcUrl = sandbox.chains[network]?.rpcUrl ?? ''
    const pair = [await startProxyNode(rpcUrl), await startProxyNode(rpcUrl)] as const
    for (const endpoint of pair) started.use(endpoint)
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
        log: ({ level, text }) => (level === 'error' ? fail(`A function logged: ${text}`) : undefined),
      })
      held.defer(functions.stop)
      return functions
    },
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  }
}

/** Stops or restarts the first or the second endpoint of every network. */
export async function setEndpoints({ endpoints }: Deployment, place: 0 | 1, change: 'stop' | 'restart'): Promise<void> {
  await Promise.all(networks.map(network => endpoints[network][place][change]()))
}
