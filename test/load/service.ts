import { readFileSync } from 'node:fs'
import { networks, ofEachNetwork } from '../../api/networks.ts'
import { feedsOf } from '../../lambda/feeds/registry.ts'
import { createFunctions } from '../../local/functions/runtime.ts'
import { startSandbox } from '../../local/sandbox.ts'
import type { LambdaFunction } from '../../local/template/template.ts'
import { type FaultyNode, startProxyNode } from '../support/chain/faulty-node.ts'

/** The functions as they would be deployed, and endpoints that can be stopped. */
export interface Service extends AsyncDisposable {
  /** Two of each network: first all that are asked first, then all that are asked second. */
  readonly endpoints: readonly [readonly FaultyNode[], readonly FaultyNode[]]
  /** Invokes the function behind a path. Its result is JSON. */
  readonly invoke: (path: string, event: object) => Promise<string>
}

/**
 * Starts the service above local chains.
 *
 * @param change of each function before it starts
 * @param fail called with each error that a function logs
 */
export async function startService(
  change: (fn: LambdaFunction) => LambdaFunction,
  fail: (failure: string) => void,
): Promise<Service> {
  await using started = new AsyncDisposableStack()
  const sandbox = started.use(await startSandbox(ofEachNetwork(() => 'embedded')))
  const { template, chains, parameters, parameterStore } = sandbox
  const rpcUrls = networks.map(network => chains[network]?.rpcUrl ?? '')
  const startAll = () => Promise.all(rpcUrls.map(async rpcUrl => started.use(await startProxyNode(rpcUrl))))
  const endpoints = [await startAll(), await startAll()] as const
  for (const [index, network] of networks.entries()) {
    parameters.set(`/price-lookup/dev/rpc-urls/${network}`, endpoints.map(nodes => nodes[index]?.url).join(' '))
  }
  const functions = createFunctions({
    functions: new Map([...template.functions].map(([id, fn]) => [id, change(fn)])),
    variables: parameterStore.variables,
    log: ({ level, text }) => (level === 'error' ? fail(`A function logged: ${text}`) : undefined),
  })
  started.defer(functions.stop)
  const running = started.move()
  return {
    endpoints,
    async invoke(path, event) {
      const integration = template.routes.find(route => route.resourcePath === path)?.integration
      if (integration?.type !== 'AWS_PROXY') throw new Error(`No function is behind ${path}.`)
      return functions.invoke(integration.functionId, event)
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

/**
 * Converts a number to the event of a request, and its status while a node answers: for every network and feed in turn,
 * sometimes for an unknown network or symbol.
 *
 * No two unknown ones are equal, so that a function that keeps them grows.
 */
export function toRequest(path: string, number: number) {
  const network = networks[number % networks.length] ?? 'mainnet'
  const feeds = feedsOf(network)
  const known = feeds[Math.floor(number / networks.length) % feeds.length]?.symbol ?? ''
  const isOfUnknownNetwork = number % 20 === 1
  const isOfUnknownFeed = path !== '/price' && number % 20 === 2
  const symbol = isOfUnknownFeed ? `NOPE${number}` : number % 3 === 0 ? known.toLowerCase() : known
  return {
    event: {
      ...plain,
      pathParameters: path === '/price' ? null : { symbol },
      queryStringParameters: { network: isOfUnknownNetwork ? `moon${number}` : network },
    },
    status: isOfUnknownNetwork ? 400 : isOfUnknownFeed ? 404 : 200,
  }
}

const plain: object = JSON.parse(readFileSync('local/events/list-prices.json', 'utf8'))
